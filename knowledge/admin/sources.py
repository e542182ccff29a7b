"""Sources: their state, what their runs fetched, and what editors do with them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.options import IS_POPUP_VAR
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from knowledge import tasks
from knowledge.admin.documents import ReadOnlyAdmin
from knowledge.admin.masked_addresses import MaskedAddressField, unmasked
from knowledge.admin.run_history_svg import run_history_svg
from knowledge.curation import CurationError, withdrawal
from knowledge.ingestion import control
from knowledge.ingestion.health import history
from knowledge.ingestion.health.states import SourceState, with_state
from knowledge.models import FetchCause, FetchRun, Source
from knowledge.sources.http.redaction import redacted

# How long the page goes on looking for the run it asked for; a run has its own deadline of 200 s.
WAIT = timedelta(seconds=240)
# After this the page says what may be wrong, and still looks.
PATIENCE = timedelta(seconds=20)


class StateFilter(admin.SimpleListFilter):
    title = _("상태")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return list(SourceState.choices)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(state=self.value()) if self.value() in SourceState.values else queryset


class SourceForm(forms.ModelForm[Source]):
    url = MaskedAddressField(
        label=_("주소"), max_length=500, widget=forms.URLInput(attrs={"class": "vURLField"})
    )

    class Meta:
        model = Source
        fields = ("url",)  # the admin's fieldsets add the others

    def clean_url(self) -> str:
        return unmasked(self.cleaned_data["url"], self.instance.url)


def state_mark(source: Source) -> SafeString:
    """The state in words, with the cause of a failure; the class colours it."""
    state = SourceState(source.state)  # type: ignore[attr-defined]
    failing = state in (SourceState.FAILING, SourceState.TRANSIENT, SourceState.PARTLY)
    cause = f" · {FetchCause(source.last_cause).label}" if failing and source.last_cause else ""
    return format_html('<span class="desk-state {}">{}{}</span>', state.value, state.label, cause)


def _last_success(source: Any) -> Any:
    if source.last_success_at is None:
        return _("아직 없음")
    return _("%(age)s 전") % {"age": timesince(source.last_success_at, source.seen_at, depth=1)}


def _next_fetch(source: Any) -> Any:
    if not source.enabled:
        return ""
    if source.next_fetch_at is None or source.next_fetch_at <= source.seen_at:
        return _("다음 수집 곧")
    return _("다음 수집 %(wait)s 뒤") % {"wait": timeuntil(source.next_fetch_at, source.seen_at, depth=1)}


@admin.register(Source)
class SourceAdmin(admin.ModelAdmin[Source]):
    form = SourceForm
    list_display = ("name", "standing", "times", "documents_in")
    list_filter = (StateFilter, "kind")
    search_fields = ("name", "slug", "homepage")
    autocomplete_fields = ("creator",)
    list_per_page = 60
    ordering = ("name",)
    change_form_template = "admin/knowledge/source/change_form.html"
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("name", "slug"),
                    ("kind", "adapter"),
                    "url",
                    "homepage",
                    ("enabled", "interval_minutes"),
                )
            },
        ),
        (
            _("읽는 법"),
            {
                "classes": ("collapse",),
                "fields": (
                    ("lang", "naive_timezone"),
                    ("crypto", "primary", "requires_unit"),
                    "creator",
                    "settings",
                    ("key_setting", "key_state"),
                ),
            },
        ),
    )
    readonly_fields = ("key_setting", "key_state", "address")

    # What the lists and pages show.

    def get_queryset(self, request: HttpRequest) -> QuerySet[Source]:
        return with_state(super().get_queryset(request), timezone.now())

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """The list, with what each row of it needs beside the row: fetched once for all."""
        found = super().get_changelist_instance(request)
        rows: list[Any] = list(found.result_list)
        now, keys = timezone.now(), [row.pk for row in rows]
        days, documents = history.days_of(keys, now=now), history.documents_of(keys)
        for row in rows:
            row.shown_days, row.document_total, row.seen_at = days[row.pk], documents[row.pk], now
            row.list_filters = request.GET.urlencode()
        found.result_list = rows
        return found

    def get_list_display(self, request: HttpRequest) -> tuple[Any, ...]:
        return (*self.list_display, "buttons") if self.has_run_permission(request) else self.list_display

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        # An address may hold a key, which whoever may only look must not be able to guess by searching.
        return (*self.search_fields, "url") if self.has_change_permission(request) else self.search_fields

    def get_fieldsets(self, request: HttpRequest, obj: Source | None = None) -> Any:
        """Who may not change a source sees its address with the keys masked."""
        if obj is None or self.has_change_permission(request, obj):
            return self.fieldsets
        (name, options), *rest = self.fieldsets
        masked = tuple("address" if field == "url" else field for field in options["fields"])
        return ((name, {**options, "fields": masked}), *rest)

    @admin.display(description=_("상태와 지난 14일"), ordering="state")
    def standing(self, source: Any) -> SafeString:
        return format_html("{}<br>{}", state_mark(source), run_history_svg(source.shown_days))

    @admin.display(description=_("마지막 성공"), ordering="last_success_at")
    def times(self, source: Any) -> SafeString:
        return format_html("{}<br><small>{}</small>", _last_success(source), _next_fetch(source))

    @admin.display(description=_("문서"))
    def documents_in(self, source: Any) -> SafeString:
        query = urlencode({"source__id__exact": source.pk})
        address = reverse("admin:knowledge_document_changelist")
        return format_html('<a href="{}?{}">{}</a>', address, query, source.document_total)

    @admin.display(description=_("할 일"))
    def buttons(self, source: Any) -> SafeString:
        """Two buttons of the list's own form, which posts them to the source's addresses."""
        steps = (
            (("run", _("지금 수집")), ("pause", _("멈춤")))
            if source.enabled
            else (("resume", _("다시 켜기")),)
        )
        query = urlencode({"_changelist_filters": source.list_filters})
        return format_html_join(
            " ",
            '<button class="desk-button" formaction="{}?{}" name="from" value="list">{}</button>',
            ((self._address(source, step), query, label) for step, label in steps),
        )

    @admin.display(description=_("주소"))
    def address(self, source: Source) -> str:
        return redacted(source.url)

    @admin.display(description=_("열쇠"))
    def key_state(self, source: Source) -> Any:
        """Whether the key is there; the key itself is in the environment and on no page."""
        if not source.key_setting:
            return _("필요 없음")
        return _("있음") if getattr(settings, source.key_setting, "") else _("없음")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # A source is switched off, so that its runs and its name stay known; the canon would bring it back anyway.
        return False

    def has_run_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("knowledge.run_source")

    def has_withdraw_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("knowledge.delete_source")

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> Any:
        source = (
            self.get_object(request, object_id) if object_id and IS_POPUP_VAR not in request.GET else None
        )
        panel = self._panel(request, source) if source and self.has_view_permission(request, source) else {}
        return super().changeform_view(request, object_id, form_url, {**panel, **(extra_context or {})})

    def _panel(self, request: HttpRequest, source: Source) -> dict[str, Any]:
        """What stands above the form: state, buttons, the last days and runs, and the run that was asked for."""
        now = timezone.now()
        days = history.days_of([source.pk], now=now)[source.pk]
        runs = history.last_runs(source.pk)
        return {
            "source": source,
            "state": state_mark(source),
            "document_total": history.documents_of([source.pk])[source.pk],
            "key_state": self.key_state(source),
            "days": days[::-1],
            "strip": run_history_svg(days),
            "runs": runs,
            "wait": _wait(request, runs, now),
            "may_run": self.has_run_permission(request),
            "may_delete_documents": self.has_withdraw_permission(request),
        }

    # What editors do.

    def get_urls(self) -> list[URLPattern]:
        def step(name: str, view: Callable[..., HttpResponse]) -> URLPattern:
            return path(
                f"<int:pk>/{name}/", self.admin_site.admin_view(view), name=f"knowledge_source_{name}"
            )

        return [
            step("run", require_POST(self.run_view)),
            step("pause", require_POST(self.pause_view)),
            step("resume", require_POST(self.resume_view)),
            step("delete_documents", self.delete_documents_view),
            *super().get_urls(),
        ]

    def run_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        source, now = self._chosen(request, pk), timezone.now()
        try:
            control.run_now(source, tasks.ingest_source, now=now, resuming="resume" in request.POST)
        except CurationError as error:
            self.message_user(request, f"{source}: {error}", messages.ERROR)
            return redirect(self._way_back(request, pk))
        self.log_change(request, source, "run now")
        return redirect(f"{self._page(pk)}?{urlencode({'asked': now.isoformat()})}")

    def pause_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        source = self._chosen(request, pk)
        if control.pause(source):
            self.log_change(request, source, "paused")
        self.message_user(request, _("%(source)s: 수집을 멈췄습니다.") % {"source": source}, messages.SUCCESS)
        return redirect(self._way_back(request, pk))

    def resume_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        source = self._chosen(request, pk)
        if control.resume(source, now=timezone.now()):
            self.log_change(request, source, "resumed")
        self.message_user(request, _("%(source)s: 다시 수집합니다.") % {"source": source}, messages.SUCCESS)
        return redirect(self._way_back(request, pk))

    def _chosen(self, request: HttpRequest, pk: int) -> Source:
        if not self.has_run_permission(request):
            raise PermissionDenied
        return get_object_or_404(Source, pk=pk)

    def delete_documents_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """A GET shows what would go; a POST deletes it."""
        if not self.has_withdraw_permission(request):
            raise PermissionDenied
        source = get_object_or_404(Source, pk=pk)
        if request.method == "POST":
            count = control.delete_documents(source)
            self.log_change(request, source, f"documents deleted: {count}")
            done = _("%(source)s: 문서 %(count)d건을 삭제했습니다.") % {"source": source, "count": count}
            self.message_user(request, done, messages.SUCCESS)
            return redirect(self._page(pk))
        context = {
            **self.admin_site.each_context(request),
            "title": _("출처의 문서를 모두 삭제"),
            "opts": self.opts,
            "source": source,
            "effect": withdrawal.effect_of_deleting(source),
        }
        return TemplateResponse(request, "admin/knowledge/source/delete_documents.html", context)

    def _way_back(self, request: HttpRequest, pk: int) -> str:
        if request.POST.get("from") != "list":
            return self._page(pk)
        filters = request.GET.get("_changelist_filters", "")
        return f"{reverse('admin:knowledge_source_changelist')}?{filters}"

    @staticmethod
    def _page(pk: int) -> str:
        return reverse("admin:knowledge_source_change", args=[pk])

    @staticmethod
    def _address(source: Source, step: str) -> str:
        return reverse(f"admin:knowledge_source_{step}", args=[source.pk])


def _wait(request: HttpRequest, runs: list[FetchRun], now: datetime) -> dict[str, Any] | None:
    """How the run stands that ``?asked=`` (a moment) speaks of; None when nothing was asked for."""
    asked = _moment(request.GET.get("asked", ""))
    if asked is None or not timedelta() <= now - asked < WAIT * 10:
        return None
    run = next((run for run in reversed(runs) if run.started_at >= asked), None)
    waited = now - asked
    return {"run": run, "looking": run is None and waited < WAIT, "long": waited >= PATIENCE, "asked": asked}


def _moment(text: str) -> datetime | None:
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    return moment if moment is not None and timezone.is_aware(moment) else None


@admin.register(FetchRun)
class FetchRunAdmin(ReadOnlyAdmin):
    list_display = (
        "source",
        "started_at",
        "outcome",
        "cause",
        "detail",
        "fetched",
        "created",
        "updated",
        "milliseconds",
    )
    list_filter = ("outcome", "cause", "source__kind")
    list_select_related = ("source",)
    # No date hierarchy: it reads ninety days of runs, and the newest are what is asked for.
    search_fields = ("source__name", "source__slug", "detail")
    ordering = ("-started_at", "-pk")
    list_per_page = 50
    show_full_result_count = False
