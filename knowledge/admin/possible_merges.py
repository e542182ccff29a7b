"""The queue of pairs of clusters that read alike but for what was done: one event or two."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import Prefetch, Q, prefetch_related_objects
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from knowledge.admin import queues
from knowledge.admin.addresses import link
from knowledge.admin.queues import DECIDE, PUBLISH
from knowledge.events import decisions, drafts
from knowledge.models import ClusterDocument, ClusterStatus, EventCluster, PossibleMerge


def _dismiss(pair: PossibleMerge, made: queues.BulkDecision) -> str:
    decisions.dismiss(pair, now=made.now)
    return "told apart"


def _as_pairs(pairs: Sequence[PossibleMerge]) -> list[queues.RowEffect]:
    return [queues.RowEffect(pair.one.label, [pair.other.label]) for pair in pairs]


@admin.register(PossibleMerge)
class PossibleMergeAdmin(queues.QueueAdmin):
    """The queue of pairs."""

    queue_title = _("병합 후보: 같은 사건인가, 다른 사건인가")
    waiting = _("기다림")
    others = {"dismissed": (_("다른 사건"), Q(dismissed_at__isnull=False))}
    buttons = {"_join": DECIDE, "_dismiss": DECIDE, "_add": DECIDE}
    undo_permissions = (DECIDE,)
    page_template = "admin/knowledge/possiblemerge/decide.html"
    list_display = ("pair", "noted", "dismissed")
    list_select_related = ("one__event", "other__event")
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

    def page_context(self, request: HttpRequest, row: PossibleMerge) -> dict[str, Any]:
        both = (row.one, row.other)
        waiting = [cluster for cluster in both if cluster.is_waiting]
        published = [cluster for cluster in both if cluster.status == ClusterStatus.PUBLISHED]
        members = ClusterDocument.objects.select_related("document__source")
        in_time = members.order_by("document__published_at", "document_id")
        prefetch_related_objects(both, Prefetch("members", in_time))
        units = drafts.main_units(both)
        return {
            "title": _("같은 사건인가?"),
            "pair": row,
            "sides": [(cluster, units[cluster.pk]) for cluster in both],
            "may_join": len(waiting) == 2,
            "may_add": len(waiting) == len(published) == 1 and self.has_publish_permission(request),
        }

    def decide_join(self, request: HttpRequest, pair: PossibleMerge) -> queues.RowDecision:
        joined = decisions.join(pair.one, pair.other)
        page = link(queues.admin_url(joined, "change", joined.pk), joined.label)
        said = format_html("{} <bdi>{}</bdi>", gettext("하나로 합쳤습니다:"), page)
        return queues.RowDecision(f"joined: {joined.pk}", said)

    def decide_dismiss(self, request: HttpRequest, pair: PossibleMerge) -> queues.RowDecision:
        decisions.dismiss(pair, now=timezone.now())
        return queues.RowDecision("told apart", gettext("다른 사건으로 두었습니다."), undo=[pair.pk])

    def decide_add(self, request: HttpRequest, pair: PossibleMerge) -> queues.RowDecision:
        """One of the two is an event already: the other becomes part of it."""
        queues.require_permissions(request, PUBLISH)
        waiting, standing = (pair.one, pair.other) if pair.one.is_waiting else (pair.other, pair.one)
        event = decisions.publish(waiting, now=timezone.now(), event=standing.event)
        said = queues.with_page_link(gettext("사건에 더했습니다"), event.get_absolute_url(), event.label)
        return queues.RowDecision(
            f"added to: {event.public_id}", said, undo=[waiting.pk], undo_of=EventCluster
        )

    def undo(self, request: HttpRequest, row: PossibleMerge) -> None:
        decisions.recall(row)

    join = queues.BulkAction(
        short_description=_("선택한 쌍을 하나로 합치기"),
        allowed_permissions=["decide"],
        verb=_("모두 합치기"),
        effects=_as_pairs,
        step=lambda pair, made: f"joined: {decisions.join_pair(pair).pk}",
        done=_("%(count)d쌍을 합쳤습니다."),
    )
    dismiss = queues.BulkAction(
        short_description=_("선택한 쌍은 다른 사건"),
        allowed_permissions=["decide"],
        verb=_("모두 다른 사건"),
        effects=_as_pairs,
        step=_dismiss,
        done=_("%(count)d쌍을 다른 사건으로 두었습니다."),
        undoable=True,
    )
