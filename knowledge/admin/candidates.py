"""The queue of event candidates, and which document stands in which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from knowledge.admin import queues
from knowledge.admin.candidate_page import REASONS, CandidatePage
from knowledge.admin.documents import ReadOnlyAdmin
from knowledge.admin.queues import DECIDE, PUBLISH
from knowledge.curation import CurationError
from knowledge.events import decisions, drafts
from knowledge.models import ClusterDocument, ClusterStatus, EventCluster

UNITS_SHOWN = 3


class OpenFilter(queues.WaitingStatusFilter):
    waiting_status = ClusterStatus.OPEN


@admin.register(EventCluster)
class EventClusterAdmin(queues.QueueAdmin):
    """The queue of candidates. Nothing becomes an event but here."""

    queue_title = _("사건 후보: 공개할까, 더할까, 기각할까")
    list_display = ("label", "about", "outlets", "documents_in", "last", "outcome")
    list_filter = (OpenFilter,)
    list_select_related = ("event",)
    search_fields = ("label", "reason", "event__label", "members__document__title")
    date_hierarchy = "last_document_at"
    ordering = ("-last_document_at", "-pk")
    actions = ("publish", "reject", "join")

    def get_queryset(self, request: HttpRequest) -> QuerySet[EventCluster]:
        # Counted for the rows of a page only: a join would count for all ten thousand before it cuts.
        clusters: QuerySet[EventCluster] = super().get_queryset(request)
        members = ClusterDocument.objects.filter(cluster=OuterRef("pk")).order_by().values("cluster")
        number = IntegerField()
        return clusters.annotate(
            member_count=Subquery(members.annotate(n=Count("pk")).values("n"), output_field=number),
            outlet_count=Subquery(
                members.annotate(n=Count("document__source__name", distinct=True)).values("n"),
                output_field=number,
            ),
        )

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        named = drafts.main_units(changelist.result_list)
        for row in changelist.result_list:
            row.named = named[row.pk]
        return changelist

    @admin.display(description=_("문서"))
    def documents_in(self, cluster: Any) -> int:
        return cluster.member_count or 0

    @admin.display(description=_("매체"))
    def outlets(self, cluster: Any) -> int:
        return cluster.outlet_count or 0

    @admin.display(description=_("마지막 문서"), ordering="last_document_at")
    def last(self, cluster: EventCluster) -> str:
        return queues.korean_minute(cluster.last_document_at)

    @admin.display(description=_("단위"))
    def about(self, cluster: Any) -> SafeString:
        return format_html_join(" ", '<bdi class="queue-tag">{}</bdi>', named_by(cluster))

    @admin.display(description=_("결정"))
    def outcome(self, cluster: EventCluster) -> str | SafeString:
        if cluster.event is not None:
            page = cluster.event.get_absolute_url()
            return format_html('<a href="{}"><bdi>{}</bdi></a>', page, cluster.event.label)
        return cluster.reason or "-"

    def decision_view(self, request: HttpRequest, row: EventCluster) -> HttpResponse:
        return CandidatePage(self, request, row).respond()

    def undo_view(self, request: HttpRequest) -> HttpResponse:
        """Take the decisions about the posted candidates back; of one, its page is shown."""

        def step(cluster: EventCluster) -> None:
            published = cluster.status == ClusterStatus.PUBLISHED
            queues.require_permissions(request, PUBLISH if published else DECIDE)
            decisions.undo(cluster)

        rows = queues.undo_all(self, request, step, "decision undone")
        return queues.redirect_to_undone(EventCluster, rows)

    @admin.action(description=_("선택한 후보를 사건으로 공개"), permissions=["publish"])
    def publish(self, request: HttpRequest, queryset: QuerySet[EventCluster]) -> HttpResponse | None:
        now = timezone.now()
        bulk = queues.BulkAction(
            action="publish",
            title=gettext("후보를 사건으로 공개"),
            verb=gettext("모두 공개"),
            effects=pages_to_be,
            step=lambda cluster: f"published: {decisions.publish(cluster, now=now).public_id}",
            done=gettext("%(count)d건을 공개했습니다."),
            permissions=[PUBLISH],
            undo=queues.admin_url(EventCluster, "undo"),
        )
        return queues.decide(self, request, queryset, bulk)

    @admin.action(description=_("선택한 후보 기각"), permissions=["decide"])
    def reject(self, request: HttpRequest, queryset: QuerySet[EventCluster]) -> HttpResponse | None:
        now, reason = timezone.now(), queues.posted_reason(request)

        def step(cluster: EventCluster) -> str:
            decisions.reject(cluster, reason=reason, now=now)
            return f"rejected: {reason}"

        bulk = queues.BulkAction(
            action="reject",
            title=gettext("후보 기각"),
            verb=gettext("모두 기각"),
            effects=lambda rows: [
                queues.RowEffect(
                    gettext("목록에서 빠집니다. 문서 %(count)d건") % {"count": row.member_count or 0}
                )
                for row in rows
            ],
            step=step,
            done=gettext("%(count)d건을 기각했습니다."),
            permissions=[DECIDE],
            asks_reason=True,
            reasons=[str(one) for one in REASONS],
            undo=queues.admin_url(EventCluster, "undo"),
        )
        return queues.decide(self, request, queryset, bulk)

    @admin.action(description=_("선택한 후보를 하나로 합치기"), permissions=["decide"])
    def join(self, request: HttpRequest, queryset: QuerySet[EventCluster]) -> HttpResponse | None:
        first = queryset.order_by("pk").first()
        if first is None or queryset.count() < 2:
            self.message_user(request, _("둘 이상 고르세요."), messages.ERROR)
            return None

        def step(cluster: EventCluster) -> str:
            if cluster.pk != first.pk:
                decisions.join(first, cluster)
            return f"joined: {first.pk}"

        bulk = queues.BulkAction(
            action="join",
            title=gettext("후보 합치기"),
            verb=gettext("하나로 합치기"),
            effects=lambda rows: [_joined(row, first) for row in rows],
            step=step,
            done=gettext("%(count)d건을 하나로 합쳤습니다."),
            permissions=[DECIDE],
        )
        return queues.decide(self, request, queryset, bulk)


def named_by(cluster: Any) -> list[tuple[str]]:
    return [(unit.label,) for unit in cluster.named[:UNITS_SHOWN]]


def pages_to_be(clusters: Sequence[Any]) -> list[queues.RowEffect]:
    """Where each candidate would stand, and about what."""
    offered = drafts.drafts(clusters)
    return [_page_to_be(cluster, offered[cluster.pk]) for cluster in clusters]


def _page_to_be(cluster: Any, draft: drafts.EventDraft) -> queues.RowEffect:
    says = gettext("/event/%(slug)s · 문서 %(documents)d건 · 매체 %(outlets)d곳") % {
        "slug": draft.slug,
        "documents": cluster.member_count or 0,
        "outlets": cluster.outlet_count or 0,
    }
    return queues.RowEffect(says, [f"{unit.label} · {unit.public_id}" for unit in draft.units])


def _joined(cluster: Any, first: EventCluster) -> queues.RowEffect:
    if cluster.pk == first.pk:
        return queues.RowEffect(gettext("가장 오래된 후보라 남습니다."))
    moves = gettext("문서 %(count)d건이 %(first)s(으)로 옮겨 가고 이 후보는 없어집니다.")
    return queues.RowEffect(moves % {"count": cluster.member_count or 0, "first": first.label})


@admin.register(ClusterDocument)
class ClusterDocumentAdmin(ReadOnlyAdmin):
    """Which document stands in which candidate. Splitting is done on the candidate's page, or here for many."""

    list_display = ("title", "outlet", "cluster", "score")
    list_per_page = 50
    show_full_result_count = False
    list_select_related = ("document__source", "cluster")
    list_filter = ("cluster__status",)
    search_fields = ("document__title", "cluster__label")
    actions = ("split",)

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(DECIDE)

    @admin.display(description=_("문서"), ordering="document__title")
    def title(self, member: ClusterDocument) -> str:
        return member.document.title

    @admin.display(description=_("출처"))
    def outlet(self, member: ClusterDocument) -> str:
        return member.document.source.name

    @admin.action(description=_("선택한 문서를 새 후보로 나누기"), permissions=["decide"])
    def split(self, request: HttpRequest, queryset: QuerySet[ClusterDocument]) -> None:
        leaving: dict[int, list[int]] = {}
        for cluster, document in queryset.values_list("cluster_id", "document_id"):
            leaving.setdefault(cluster, []).append(document)
        try:
            for former, fresh in decisions.split_all(leaving).items():
                self.log_change(request, former, f"split: {fresh.pk}")
        except CurationError as error:
            self.message_user(request, str(error), messages.ERROR)
            return
        done = _("%(count)d건을 처리했습니다.") % {"count": len(leaving)}
        self.message_user(request, done, messages.SUCCESS)
