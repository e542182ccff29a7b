"""The sister services are the editors'; signals, sealed days and seals under way are for looking at."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.options import IS_POPUP_VAR
from django.core.exceptions import PermissionDenied
from django.db.models import F, Func, IntegerField, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from archive import probing
from archive.days import ONE_DAY, day_of, parse_day
from archive.metrics import SERVICES_BY_SLUG
from archive.models import Sealing, Signal, SisterService, Snapshot
from knowledge.admin.documents import ReadOnlyAdmin
from knowledge.admin.masked_addresses import MaskedAddressField, unmasked
from knowledge.admin.pages import own_page
from knowledge.sources.http.client import http_client
from knowledge.sources.http.redaction import redacted

SIGNALS_SHOWN = 10
EXCERPT_BYTES = 240


class SisterServiceForm(forms.ModelForm[SisterService]):
    """The secret goes in and never comes out again: an empty field keeps the one that is there."""

    url = MaskedAddressField(
        label=_("주소"),
        max_length=500,
        required=False,
        widget=forms.URLInput(attrs={"class": "vURLField"}),
        help_text=_("?day=YYYY-MM-DD를 붙여 가져옵니다."),
    )
    secret = forms.CharField(
        label=_("공유 비밀"),
        required=False,
        max_length=200,
        strip=True,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("비워 두면 지금 것을 그대로 씁니다."),
    )

    class Meta:
        model = SisterService
        fields = ("name", "district", "url", "secret", "active")

    def clean_url(self) -> str:
        return unmasked(self.cleaned_data["url"], self.instance.url)

    def clean_secret(self) -> str:
        given: str = self.cleaned_data["secret"]
        return given or self.instance.secret


@admin.register(SisterService)
class SisterServiceAdmin(admin.ModelAdmin[SisterService]):
    form = SisterServiceForm
    list_display = (
        "name",
        "slug",
        "district",
        "standing",
        "last_pulled_at",
        "last_success_at",
        "last_refusal",
    )
    list_filter = ("active",)
    readonly_fields = ("slug", "address", "secret_state")
    change_form_template = "admin/archive/sisterservice/change_form.html"

    # The city has six services, neither more nor less: the rules know each of them.
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_test_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("archive.test_service")

    def get_fields(self, request: HttpRequest, obj: SisterService | None = None) -> Any:
        """Who may only look is shown neither the secret nor a key in the address, which a plain field would be."""
        changing = self.has_change_permission(request, obj)
        own = ("url", ("secret", "secret_state")) if changing else ("address", "secret_state")
        return ("slug", ("name", "district"), *own, "active")

    @admin.display(description=_("상태"), ordering="active")
    def standing(self, service: SisterService) -> SafeString:
        state, words = _standing(service)
        return format_html('<span class="desk-state {}">{}</span>', state, words)

    @admin.display(description=_("주소"))
    def address(self, service: SisterService) -> str:
        return redacted(service.url)

    @admin.display(description=_("지금 비밀"))
    def secret_state(self, service: SisterService) -> Any:
        return _("있음") if service.secret else _("없음")

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> Any:
        service = (
            self.get_object(request, object_id) if object_id and IS_POPUP_VAR not in request.GET else None
        )
        panel = (
            self._panel(request, service) if service and self.has_view_permission(request, service) else {}
        )
        return super().changeform_view(request, object_id, form_url, {**panel, **(extra_context or {})})

    def _panel(self, request: HttpRequest, service: SisterService) -> dict[str, Any]:
        today = day_of(timezone.now())
        return {
            "service": service,
            "standing": self.standing(service),
            "signals": last_signals(service),
            "may_test": self.has_test_permission(request),
            "today": today,
            "yesterday": today - ONE_DAY,
        }

    def get_urls(self) -> list[URLPattern]:
        view = require_POST(self.admin_site.admin_view(self.test_view))
        return [path("<int:pk>/test/", view, name="archive_sisterservice_test"), *super().get_urls()]

    def test_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask the service now and show what came; the answer is the page, so nothing of it is kept."""
        if not self.has_test_permission(request):
            raise PermissionDenied
        service, now = get_object_or_404(SisterService, pk=pk), timezone.now()
        day = parse_day(request.POST.get("day", "")) or day_of(now)
        found = probing.probe(service, day, now=now, http=http_client())
        context = {
            **self._panel(request, service),
            "title": _("시험 요청"),
            "address": redacted(service.url),
            "probe": found,
            "metrics": _metrics(service, found),
        }
        return own_page(self, request, "archive/sisterservice/test.html", context)


def _standing(service: SisterService) -> tuple[str, Any]:
    if not service.active:
        return "paused", _("꺼짐")
    if service.last_refusal:
        return "failing", _("마지막에 거절됨")
    return ("ok", _("정상")) if service.last_success_at else ("never", _("아직 없음"))


def _metrics(service: SisterService, found: probing.ProbeResult) -> list[tuple[str, Any]]:
    if found.signal is None:
        return []
    values = found.signal.raw["metrics"]
    return [(metric.label, values[metric.name]) for metric in SERVICES_BY_SLUG[service.slug].metrics]


def last_signals(service: SisterService) -> list[dict[str, Any]]:
    """The newest signals of a service with their size and their beginning; whole bodies stay in the database."""
    rows = measured(Signal.objects.filter(service=service)).order_by("-received_at", "-pk")
    head = Func(
        F("body"), function="substring", template=f"%(function)s(%(expressions)s FROM 1 FOR {EXCERPT_BYTES})"
    )
    found = rows.annotate(head=head).values(
        "pk", "day", "revision", "complete", "late", "rehearsal", "received_at", "size", "head"
    )
    return [{**row, "head": bytes(row["head"]).decode("utf-8", "replace")} for row in found[:SIGNALS_SHOWN]]


def measured(signals: QuerySet[Signal]) -> QuerySet[Signal]:
    """The signals with ``size``, in bytes."""
    return signals.annotate(size=Func(F("body"), function="octet_length", output_field=IntegerField()))


@admin.register(Signal)
class SignalAdmin(ReadOnlyAdmin):
    list_display = (
        "day",
        "service",
        "revision",
        "complete",
        "late",
        "rehearsal",
        "bytes_in",
        "received_at",
    )
    list_filter = ("service", "complete", "late", "rehearsal")
    list_select_related = ("service",)
    date_hierarchy = "day"
    ordering = ("-day", "service", "-revision")
    list_per_page = 60
    fields = (
        "day",
        "service",
        "revision",
        "complete",
        "late",
        "rehearsal",
        "generated_at",
        "received_at",
        "sha256",
        "text",
    )
    readonly_fields = ("text",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Signal]:
        # A body has up to 256 KB, and a list of sixty shows none.
        return measured(super().get_queryset(request)).defer("body")

    @admin.display(description=_("바이트"), ordering="size")
    def bytes_in(self, signal: Any) -> int:
        return int(signal.size)

    @admin.display(description=_("본문"))
    def text(self, signal: Signal) -> SafeString:
        return format_html('<pre class="desk-raw">{}</pre>', bytes(signal.body).decode("utf-8", "replace"))


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnlyAdmin):
    list_display = ("day", "revision", "status", "late", "rehearsal", "size", "sealed_at")
    list_filter = ("status", "late", "rehearsal")
    date_hierarchy = "day"
    fields = ("day", "revision", "status", "late", "rehearsal", "size", "sha256", "sealed_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Snapshot]:
        rows: QuerySet[Snapshot] = super().get_queryset(request)
        return rows.defer("facts")


@admin.register(Sealing)
class SealingAdmin(ReadOnlyAdmin):
    list_display = ("day", "revision", "began_at", "failed_at", "failure_kind", "failure")
    list_filter = (("failed_at", admin.EmptyFieldListFilter),)
    ordering = ("-began_at",)
    fields = ("day", "revision", "began_at", "failed_at", "failure_kind", "failure")
