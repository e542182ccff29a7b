"""The queue of pairs of clusters that read alike but for what was done: one event or two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from knowledge.admin import queues
from knowledge.admin.queues import DECIDE, PUBLISH
from knowledge.curation import CurationError
from knowledge.events import decisions, drafts
from knowledge.models import ClusterDocument, ClusterStatus, EventCluster, PossibleMerge, Unit


@dataclass(frozen=True, slots=True)
class Side:
    """One cluster of a pair, as it is shown."""

    cluster: EventCluster
    members: list[ClusterDocument]
    units: list[Unit]


class UndecidedFilter(queues.WaitingFilter):
    parameter_name = "decided"
    waiting = _("기다림")
    others = (("dismissed", _("다른 사건")),)

    def matching(self, rows: QuerySet[Any], chosen: str | None) -> QuerySet[Any]:
        if chosen == "dismissed":
            return rows.filter(dismissed_at__isnull=False)
        return rows.filter(pk__in=PossibleMerge.objects.awaiting().order_by().values("pk"))


@admin.register(PossibleMerge)
class PossibleMergeAdmin(queues.QueueAdmin):
    """The queue of pairs."""

    queue_title = _("병합 후보: 같은 사건인가, 다른 사건인가")
    list_display = ("pair", "noted", "dismissed")
    list_select_related = ("one__event", "other__event")
    list_filter = (UndecidedFilter,)
    search_fields = ("one__label", "other__label")
    date_hierarchy = "noted_at"
    ordering = ("-noted_at", "-pk")
    actions = ("join", "dismiss")

    @admin.display(description=_("두 후보"))
    def pair(self, pair: PossibleMerge) -> str:
        return format_html("<bdi>{}</bdi> ~ <bdi>{}</bdi>", pair.one.label, pair.other.label)

    @admin.display(description=_("발견"), ordering="noted_at")
    def noted(self, pair: PossibleMerge) -> str:
        return queues.korean_minute(pair.noted_at)

    @admin.display(description=_("다른 사건으로 둔 때"), ordering="dismissed_at")
    def dismissed(self, pair: PossibleMerge) -> str:
        return queues.korean_minute(pair.dismissed_at)

    def decision_view(self, request: HttpRequest, row: PossibleMerge) -> HttpResponse:
        return self._decided(request, row) or self._shown(request, row)

    def _decided(self, request: HttpRequest, pair: PossibleMerge) -> HttpResponse | None:
        """What a pressed button led to; None when none was pressed or the decision was refused."""
        buttons: dict[str, Callable[..., None]] = {
            "_join": self._join,
            "_dismiss": self._dismiss,
            "_add": self._add,
        }
        pressed = next((name for name in buttons if name in request.POST), None)
        if request.method != "POST" or pressed is None:
            return None
        queues.require_permissions(request, DECIDE)
        position = queues.queue_position(PossibleMerge.objects.awaiting(), pair.pk)
        try:
            buttons[pressed](request, pair)
        except CurationError as error:
            messages.error(request, str(error))
            return None
        # A joined cluster takes its other doubts along, so the next pair may be another row by now.
        gone = position.next is not None and not PossibleMerge.objects.filter(pk=position.next).exists()
        if gone:
            position = queues.queue_position(PossibleMerge.objects.awaiting(), pair.pk)
        return queues.redirect_to_next(request, PossibleMerge, position)

    def _join(self, request: HttpRequest, pair: PossibleMerge) -> None:
        joined = decisions.join(pair.one, pair.other)
        self.log_change(request, pair, f"joined: {joined.pk}")
        link = queues.admin_url(joined, "change", joined.pk)
        said = format_html(
            '{} <a href="{}"><bdi>{}</bdi></a>', gettext("하나로 합쳤습니다:"), link, joined.label
        )
        messages.success(request, said)

    def _dismiss(self, request: HttpRequest, pair: PossibleMerge) -> None:
        decisions.dismiss(pair, now=timezone.now())
        self.log_change(request, pair, "told apart")
        undo = queues.admin_url(PossibleMerge, "undo")
        queues.message_with_undo(request, gettext("다른 사건으로 두었습니다."), undo, {"row": pair.pk})

    def _add(self, request: HttpRequest, pair: PossibleMerge) -> None:
        """One of the two is an event already: the other becomes part of it."""
        queues.require_permissions(request, PUBLISH)
        waiting, standing = (pair.one, pair.other) if pair.one.is_waiting else (pair.other, pair.one)
        event = decisions.publish(waiting, now=timezone.now(), event=standing.event)
        self.log_change(request, pair, f"added to: {event.public_id}")
        undo = queues.admin_url(EventCluster, "undo")
        said = queues.with_page_link(gettext("사건에 더했습니다"), event.get_absolute_url(), event.label)
        queues.message_with_undo(request, said, undo, {"row": waiting.pk})

    def _shown(self, request: HttpRequest, pair: PossibleMerge) -> HttpResponse:
        both = (pair.one, pair.other)
        waiting = [cluster for cluster in both if cluster.is_waiting]
        published = [cluster for cluster in both if cluster.status == ClusterStatus.PUBLISHED]
        context = {
            **self.admin_site.each_context(request),
            "title": _("같은 사건인가?"),
            "opts": self.opts,
            "pair": pair,
            "sides": _sides(both),
            "may_decide": self.has_decide_permission(request),
            "may_join": len(waiting) == 2,
            "may_add": len(waiting) == len(published) == 1 and self.has_publish_permission(request),
            "queue_position": queues.queue_position(PossibleMerge.objects.awaiting(), pair.pk),
        }
        return TemplateResponse(request, "admin/knowledge/possiblemerge/decide.html", context)

    def undo_view(self, request: HttpRequest) -> HttpResponse:
        queues.require_permissions(request, DECIDE)
        rows = queues.undo_all(self, request, decisions.recall, "dismissal undone")
        return queues.redirect_to_undone(PossibleMerge, rows)

    @admin.action(description=_("선택한 쌍을 하나로 합치기"), permissions=["decide"])
    def join(self, request: HttpRequest, queryset: QuerySet[PossibleMerge]) -> HttpResponse | None:
        def step(pair: PossibleMerge) -> str:
            return f"joined: {decisions.join_pair(pair).pk}"

        bulk = queues.BulkAction(
            action="join",
            title=gettext("쌍을 하나로 합치기"),
            verb=gettext("모두 합치기"),
            effects=_as_pairs,
            step=step,
            done=gettext("%(count)d쌍을 합쳤습니다."),
            permissions=[DECIDE],
        )
        return queues.decide(self, request, queryset, bulk)

    @admin.action(description=_("선택한 쌍은 다른 사건"), permissions=["decide"])
    def dismiss(self, request: HttpRequest, queryset: QuerySet[PossibleMerge]) -> HttpResponse | None:
        now = timezone.now()

        def step(pair: PossibleMerge) -> str:
            decisions.dismiss(pair, now=now)
            return "told apart"

        bulk = queues.BulkAction(
            action="dismiss",
            title=gettext("쌍을 다른 사건으로"),
            verb=gettext("모두 다른 사건"),
            effects=_as_pairs,
            step=step,
            done=gettext("%(count)d쌍을 다른 사건으로 두었습니다."),
            permissions=[DECIDE],
            undo=queues.admin_url(PossibleMerge, "undo"),
        )
        return queues.decide(self, request, queryset, bulk)


def _sides(clusters: Sequence[EventCluster]) -> list[Side]:
    """Three queries for both."""
    members = ClusterDocument.objects.filter(cluster__in=clusters).select_related("document__source")
    listed = list(members.order_by("document__published_at", "document_id"))
    units = drafts.main_units(clusters)
    return [
        Side(cluster, [one for one in listed if one.cluster_id == cluster.pk], units[cluster.pk])
        for cluster in clusters
    ]


def _as_pairs(pairs: Sequence[PossibleMerge]) -> list[queues.RowEffect]:
    return [queues.RowEffect(pair.one.label, [pair.other.label]) for pair in pairs]
