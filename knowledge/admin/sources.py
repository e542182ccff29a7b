"""Sources: their state, what their runs fetched, and what editors do with them."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from knowledge import tasks
from knowledge.admin.documents import ReadOnlyAdmin
from knowledge.admin.masked_addresses import MaskedAddressField, unmasked
from knowledge.admin.pages import admin_url, link, own_page
from knowledge.admin.queues import require_permissions
from knowledge.admin.run_history_svg import run_history_svg
from knowledge.curation import CurationError, withdrawal
from knowledge.ingestion import runs
from knowledge.ingestion.health import history
from knowledge.ingestion.health.states import SourceState, with_state
from knowledge.models import Document, FetchCause, FetchRun, Source
from knowledge.sources.http.redaction import redacted

RUN, DELETE = "knowledge.run_source", "knowledge.delete_source"
RUNS_SHOWN = 20
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
    class Meta:
        model = Source
        fields = ("url",)  # the admin's fieldsets add the others
        field_classes = {"url": MaskedAddressField}
        # The admin's own widget would link to the masked address.
        widgets = {"url": forms.URLInput(attrs={"class": "vURLField"})}

    def clean_url(self) -> str:
        return unmasked(self.cleaned_data["url"], self.instance.url)


def state_mark(source: Source) -> SafeString:
    """The state in words, with the cause of a failure; the class colours it."""
    state = SourceState(source.state)  # type: ignore[attr-defined]
    failing = state in (SourceState.FAILING, SourceState.TRANSIENT, SourceState.PARTLY)
    cause = f" · {FetchCause(source.last_cause).label}" if failing and source.last_cause else ""
    return format_html('<span class="desk-state {}">{}{}</span>', state.value, state.label, cause)


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
            row.list_filters = self.get_preserved_filters(request)
        found.result_list = rows
        return found

    def get_list_display(self, request: HttpRequest) -> tuple[Any, ...]:
        return (*self.list_display, "buttons") if request.user.has_perm(RUN) else self.list_display

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        # An address may hold a key, which whoever may only look must not be able to guess by searching.
        return (*self.search_fields, "url") if self.has_change_permission(request) else self.search_fields

    def get_fieldsets(self, request: HttpRequest, obj: Source | None = None) -> Any:
        """Who may not change a source sees its address with the keys masked."""
        address = "url" if obj is None or self.has_change_permission(request, obj) else "address"
        switch = ("enabled", "interval_minutes", "in_bulk")
        reading = ("lang", "naive_timezone"), ("crypto", "primary", "requires_unit"), "creator", "settings"
        return (
            (
                None,
                {"fields": (("name", "name_en"), "slug", ("kind", "adapter"), address, "homepage", switch)},
            ),
            (_("읽는 법"), {"classes": ("collapse",), "fields": (*reading, ("key_setting", "key_state"))}),
        )

    @admin.display(description=_("상태와 지난 14일"), ordering="state")
    def standing(self, source: Any) -> SafeString:
        return format_html("{}<br>{}", state_mark(source), run_history_svg(source.shown_days))

    @admin.display(description=_("마지막 성공"), ordering="last_success_at")
    def times(self, source: Any) -> SafeString:
        age = timesince(source.last_success_at or source.seen_at, source.seen_at, depth=1)
        wait = timeuntil(source.next_fetch_at or source.seen_at, source.seen_at, depth=1)
        context = {"source": source, "age": age, "wait": wait}
        return render_to_string("admin/knowledge/source/times.html", context)

    @admin.display(description=_("문서"))
    def documents_in(self, source: Any) -> SafeString:
        documents = f"{admin_url(Document, 'changelist')}?source__id__exact={source.pk}"
        return link(documents, source.document_total)

    @admin.display(description=_("할 일"))
    def buttons(self, source: Any) -> SafeString:
        """Buttons of the list's own form, which post it to the source's addresses."""
        return render_to_string("admin/knowledge/source/buttons.html", {"source": source})

    @admin.display(description=_("주소"))
    def address(self, source: Source) -> str:
        return redacted(source.url)

    @admin.display(description=_("API 키"))
    def key_state(self, source: Source) -> Any:
        """Whether the key is there; the key itself is in the environment and on no page."""
        if not source.key_setting:
            return _("필요 없음")
        return _("있음") if getattr(settings, source.key_setting, "") else _("없음")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # A source is switched off, so that its runs and its name stay known; the canon would bring it back anyway.
        return False

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        source = kwargs.get("obj")
        if source is not None and not context["is_popup"]:
            context |= self._panel(request, source)
        return super().render_change_form(request, context, *args, **kwargs)

    def _panel(self, request: HttpRequest, source: Source) -> dict[str, Any]:
        """What stands above the form: state, buttons, the last days and runs, and the run that was asked for."""
        now = timezone.now()
        days = history.days_of([source.pk], now=now)[source.pk]
        newest = list(source.runs.order_by("-started_at", "-pk")[:RUNS_SHOWN])
        return {
            "source": source,
            "state": state_mark(source),
            "document_total": history.documents_of([source.pk])[source.pk],
            "key_state": self.key_state(source),
            "days": days[::-1],
            "strip": run_history_svg(days),
            "runs": newest,
            "wait": _wait(request, newest, now),
        }

    # What editors do.

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        run, switch = view(require_POST(self.run_view)), view(require_POST(self.switch_view))
        deletion = view(self.delete_documents_view)
        return [
            path("<int:pk>/run/", run, name="knowledge_source_run"),
            path("<int:pk>/pause/", switch, {"on": False}, name="knowledge_source_pause"),
            path("<int:pk>/resume/", switch, {"on": True}, name="knowledge_source_resume"),
            path("<int:pk>/delete_documents/", deletion, name="knowledge_source_delete_documents"),
            *super().get_urls(),
        ]

    def run_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        source, now = _chosen(request, pk, RUN), timezone.now()
        if "resume" in request.POST:
            runs.switch(source, on=True, now=now)
        try:
            runs.run_now(source, tasks.ingest_source, now=now)
        except CurationError as error:
            self.message_user(request, f"{source}: {error}", messages.ERROR)
            return redirect(self._way_back(request, pk))
        self.log_change(request, source, "run now")
        return redirect(admin_url(source, "change", pk) + "?" + urlencode({"asked": now.isoformat()}))

    def switch_view(self, request: HttpRequest, pk: int, on: bool) -> HttpResponse:
        source = _chosen(request, pk, RUN)
        if runs.switch(source, on=on, now=timezone.now()):
            self.log_change(request, source, "resumed" if on else "paused")
        done = _("%(source)s: 다시 수집합니다.") if on else _("%(source)s: 수집을 멈췄습니다.")
        self.message_user(request, done % {"source": source}, messages.SUCCESS)
        return redirect(self._way_back(request, pk))

    def delete_documents_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """A GET shows what would go; a POST pauses the source and deletes it."""
        source = _chosen(request, pk, DELETE)
        if request.method == "POST":
            runs.switch(source, on=False, now=timezone.now())
            count = withdrawal.delete_documents_of(source)
            self.log_change(request, source, f"documents deleted: {count}")
            done = _("%(source)s: 문서 %(count)d건을 삭제했습니다.") % {"source": source, "count": count}
            self.message_user(request, done, messages.SUCCESS)
            return redirect(admin_url(source, "change", pk))
        effect = withdrawal.effect_of_deleting(source)
        context = {"title": _("출처의 문서를 모두 삭제"), "source": source, "effect": effect}
        return own_page(self, request, "knowledge/source/delete_documents.html", context)

    def _way_back(self, request: HttpRequest, pk: int) -> str:
        if request.POST.get("from") != "list":
            return admin_url(Source, "change", pk)
        return f"{admin_url(Source, 'changelist')}?{request.GET.get('_changelist_filters', '')}"


def _chosen(request: HttpRequest, pk: int, permission: str) -> Source:
    require_permissions(request, permission)
    return get_object_or_404(Source, pk=pk)


def _wait(request: HttpRequest, newest: list[FetchRun], now: datetime) -> dict[str, Any] | None:
    """How the run stands that ``?asked=`` (a moment) speaks of; None when nothing was asked for."""
    try:
        asked = parse_datetime(request.GET.get("asked", ""))
    except ValueError:
        return None
    if asked is None or timezone.is_naive(asked) or not timedelta() <= now - asked < WAIT * 10:
        return None
    run = next((run for run in reversed(newest) if run.started_at >= asked), None)
    return {"run": run, "looking": run is None and now - asked < WAIT, "long": now - asked >= PATIENCE}


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
