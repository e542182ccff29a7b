"""Decisions about a unit, each on a page that says what it would change before one POST makes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from knowledge import curation
from knowledge.admin import queues
from knowledge.admin.addresses import desk_url, link
from knowledge.admin.decision_forms import MergeForm, SplitForm
from knowledge.admin.queues import PUBLISH
from knowledge.curation import previews
from knowledge.models import Status, Unit

# What a status is reached by, as its button says it, and what is said once it is.
STEPS = {
    Status.PUBLISHED: (_("공개하기"), _("%(unit)s: 공개했습니다.")),
    Status.RETRACTED: (_("철회하기"), _("%(unit)s: 철회했습니다.")),
    Status.DRAFT: (_("초안으로 되돌리기"), _("%(unit)s: 초안으로 되돌렸습니다.")),
}


class UnitDecisions(admin.ModelAdmin[Unit]):
    """Publishing, retracting, merging and splitting, from a unit's page and from the list."""

    actions: Any = ("publish", "retract", "merge_two")

    # ---- Who may
    def has_publish_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(PUBLISH)

    def has_merge_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("knowledge.merge_unit")

    # ---- From the list
    @admin.action(description=_("선택한 단위 공개…"), permissions=["publish"])
    def publish(self, request: HttpRequest, queryset: QuerySet[Unit]) -> HttpResponse | None:
        bulk = queues.BulkAction(
            action="publish",
            title=gettext("단위 공개"),
            verb=gettext("모두 공개"),
            effects=lambda units: _status_effects(units, Status.PUBLISHED),
            step=lambda unit: _bring_to(unit, Status.PUBLISHED),
            done=gettext("%(count)d개를 공개했습니다."),
            permissions=[PUBLISH],
        )
        return queues.decide(self, request, queryset, bulk)

    @admin.action(description=_("선택한 단위 철회…"), permissions=["publish"])
    def retract(self, request: HttpRequest, queryset: QuerySet[Unit]) -> HttpResponse | None:
        bulk = queues.BulkAction(
            action="retract",
            title=gettext("단위 철회"),
            verb=gettext("모두 철회"),
            effects=lambda units: _status_effects(units, Status.RETRACTED),
            step=lambda unit: _bring_to(unit, Status.RETRACTED),
            done=gettext("%(count)d개를 철회했습니다."),
            permissions=[PUBLISH],
        )
        return queues.decide(self, request, queryset, bulk)

    @admin.action(description=_("고른 둘을 병합…"), permissions=["merge"])
    def merge_two(self, request: HttpRequest, queryset: QuerySet[Unit]) -> HttpResponse | None:
        """The one that more is written about stays, unless the editor turns it round on the next page."""
        pair = list(queryset.order_by("document_count", "-pk")[:3])
        if len(pair) != 2:
            self.message_user(request, _("병합하려면 꼭 둘을 고르세요."), messages.ERROR)
            return None
        return redirect(f"{desk_url(pair[0], 'merge')}?into={pair[1].pk}")

    # ---- From a unit's page
    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        site = self.admin_site
        return [
            path("<int:pk>/status/<str:status>/", site.admin_view(self.status_view), name=f"{name}_status"),
            path("<int:pk>/merge/", site.admin_view(self.merge_view), name=f"{name}_merge"),
            path("<int:pk>/split/", site.admin_view(self.split_view), name=f"{name}_split"),
            *super().get_urls(),
        ]

    def status_view(self, request: HttpRequest, pk: int, status: str) -> HttpResponse:
        unit = self._unit(request, pk, allowed=self.has_publish_permission(request))
        if status not in Status.values:
            raise Http404
        wanted = Status(status)
        if status == unit.status:
            self.message_user(request, _("이미 그 상태입니다: %(status)s") % {"status": wanted.label})
            return redirect(desk_url(unit))
        if request.method == "POST":
            return self._set_status(request, unit, wanted)
        effect = previews.preview_status(unit, wanted)
        title = _("%(unit)s: %(status)s") % {"unit": unit, "status": wanted.label}
        return self._decision_page(
            request, "decide", title, {"effect": effect, "step": STEPS[wanted][0], "unit": unit}
        )

    def _set_status(self, request: HttpRequest, unit: Unit, wanted: Status) -> HttpResponse:
        former = unit.status
        try:
            curation.set_status(unit, wanted)
        except curation.CurationError as error:
            self.message_user(request, str(error), messages.ERROR)
            return redirect(desk_url(unit))
        self.log_change(request, unit, gettext("상태: %(status)s") % {"status": wanted.label})
        self._decided(request, STEPS[wanted][1] % {"unit": unit}, desk_url(unit, "status", former))
        return redirect(desk_url(unit))

    def merge_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Without ``into`` a form that asks for it; with it what the merge would change; a POST merges."""
        unit = self._unit(request, pk, allowed=self.has_merge_permission(request))
        given = request.POST if request.method == "POST" else request.GET
        form = MergeForm(self.admin_site, given or None)
        context: dict[str, Any] = {"form": form, "unit": unit, "media": self.media + form.media}
        if form.is_valid() and form.unit is not None:
            if request.method == "POST":
                return self._merge(request, unit, form.unit, form.cleaned_data["note"])
            context |= {
                "effect": previews.preview_merge(unit, form.unit),
                "other": form.unit,
                "turned": f"{desk_url(form.unit, 'merge')}?into={unit.pk}",
            }
        return self._decision_page(request, "merge", _("%(unit)s: 병합") % {"unit": unit}, context)

    def _merge(self, request: HttpRequest, loser: Unit, survivor: Unit, note: str) -> HttpResponse:
        try:
            record = curation.merge(loser, survivor, now=timezone.now(), note=note)
        except curation.CurationError as error:
            self.message_user(request, str(error), messages.ERROR)
            return redirect(desk_url(loser))
        for unit in (loser, survivor):
            self.log_change(request, unit, gettext("병합: %(merge)s") % {"merge": f"{loser} → {survivor}"})
        done = _("%(loser)s을(를) %(survivor)s에 병합했습니다.") % {"loser": loser, "survivor": survivor}
        self._decided(request, done, reverse("admin:knowledge_unitmerge_undo", args=[record.pk]))
        return redirect(desk_url(survivor))

    def split_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """A form of names and where they go; once filled in what that would change; a POST splits."""
        unit = self._unit(request, pk, allowed=self.has_merge_permission(request))
        given = request.POST if request.method == "POST" else request.GET
        may_publish = self.has_publish_permission(request)
        form = SplitForm(self.admin_site, unit, given or None, may_publish=may_publish)
        context: dict[str, Any] = {"form": form, "unit": unit, "media": self.media + form.media}
        if form.is_valid():
            aliases = form.cleaned_data["aliases"]
            if request.method == "POST":
                return self._split(request, unit, form)
            context |= {"effect": previews.preview_split(unit, list(aliases), form.target)}
            context |= {"given": [(name, value) for name, values in request.GET.lists() for value in values]}
        return self._decision_page(request, "split", _("%(unit)s: 나누기") % {"unit": unit}, context)

    def _split(self, request: HttpRequest, unit: Unit, form: SplitForm) -> HttpResponse:
        aliases = list(form.cleaned_data["aliases"])
        fresh = form.unit is None
        try:
            target = curation.split(unit, aliases, into=form.target)
        except curation.CurationError as error:
            self.message_user(request, str(error), messages.ERROR)
            return redirect(desk_url(unit, "split"))
        names = ", ".join(alias.surface for alias in aliases)
        for one in (unit, target):
            self.log_change(
                request, one, gettext("나누기: %(names)s → %(unit)s") % {"names": names, "unit": target}
            )
        if fresh:
            undo = f"{desk_url(target, 'merge')}?into={unit.pk}"
        else:
            keys = "&".join(f"aliases={alias.pk}" for alias in aliases)
            undo = f"{desk_url(target, 'split')}?{keys}&into={unit.pk}"
        done = _("%(names)s: %(unit)s(으)로 옮겼습니다.") % {"names": names, "unit": target}
        self._decided(request, done, undo)
        return redirect(desk_url(target))

    # ---- What the pages share
    def _unit(self, request: HttpRequest, pk: int, *, allowed: bool) -> Unit:
        if not allowed:
            raise PermissionDenied
        unit = self.get_queryset(request).select_related("merged_into").filter(pk=pk).first()
        if unit is None:
            raise Http404
        return unit

    def _decided(self, request: HttpRequest, said: str, undo: str) -> None:
        self.message_user(request, format_html("{} {}", said, link(undo, _("되돌리기"))), messages.SUCCESS)

    def _decision_page(
        self, request: HttpRequest, name: str, title: str, context: dict[str, Any]
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "media": self.media,
            **context,
        }
        if "unit" in context:
            context["back"] = desk_url(context["unit"])
        return TemplateResponse(request, f"admin/knowledge/unit/{name}.html", context)


def _status_effects(units: Sequence[Unit], status: Status) -> list[queues.RowEffect]:
    return [
        queues.RowEffect(
            gettext("이미 그 상태라 그대로 둡니다.")
            if unit.status == status
            else format_html(
                "<code>{}</code> {} → {}", address.path, _code(address.before), _code(address.after)
            ),
            blocked_by=obstacle,
        )
        for unit, (obstacle, address) in zip(units, previews.preview_statuses(units, status), strict=True)
    ]


def _code(status_code: int) -> SafeString:
    return render_to_string("admin/knowledge/unit/code.html", {"code": status_code})


def _bring_to(unit: Unit, status: Status) -> str:
    if unit.status == status:
        return ""
    curation.set_status(unit, status)
    return gettext("상태: %(status)s") % {"status": status.label}
