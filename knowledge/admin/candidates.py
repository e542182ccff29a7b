"""The queues of event candidates and of pairs that may be one event, and which document stands in which."""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Subquery, prefetch_related_objects
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from knowledge.admin import queues
from knowledge.admin.documents import ReadOnlyAdmin
from knowledge.admin.forms import DraftForm, EventForm
from knowledge.admin.pages import admin_url, link
from knowledge.admin.queues import DECIDE, PUBLISH
from knowledge.curation import CurationError
from knowledge.events import decisions, drafts
from knowledge.models import ClusterDocument, ClusterStatus, EventCluster, PossibleMerge, Unit

TOO_FEW = _("둘 이상 고르세요.")
REASONS = (_("광고·홍보"), _("이미 다룬 일"), _("사건이 아님"), _("근거가 부족함"))


def _pages_to_be(clusters: Sequence[Any]) -> Iterator[queues.RowEffect]:
    """Where each candidate would stand, and about what."""
    offered = drafts.drafts(clusters)
    says, says_of_value = (
        _("/event/%(slug)s · 문서 %(documents)d건 · 매체 %(outlets)d곳"),
        _("/event/%(slug)s · 수치"),
    )
    for cluster in clusters:
        draft = offered[cluster.pk]
        counts = {"documents": cluster.member_count, "outlets": cluster.outlet_count}
        units = [f"{unit.label} · {unit.public_id}" for unit in draft.units]
        told = says if cluster.member_count else says_of_value
        yield queues.RowEffect(told % {"slug": draft.slug, **counts}, units)


def _leaving_the_list(clusters: Sequence[Any]) -> list[queues.RowEffect]:
    says = _("목록에서 빠집니다. 문서 %(count)d건")
    return [queues.RowEffect(says % {"count": cluster.member_count}) for cluster in clusters]


def _joined(clusters: Sequence[Any]) -> Iterator[queues.RowEffect]:
    oldest = min(clusters, key=attrgetter("pk"))
    moves = _("문서 %(count)d건이 %(first)s(으)로 옮겨 가고 이 후보는 없어집니다.")
    for one in clusters:
        if len(clusters) == 1:
            yield queues.RowEffect("", blocked_by=str(TOO_FEW))
        elif one == oldest:
            yield queues.RowEffect(_("가장 오래된 후보라 남습니다."))
        else:
            yield queues.RowEffect(moves % {"count": one.member_count, "first": oldest.label})


def _reject(cluster: EventCluster, made: queues.BulkDecision) -> str:
    decisions.reject(cluster, reason=made.reason, now=made.now)
    return f"rejected: {made.reason}"


def _join(cluster: EventCluster, made: queues.BulkDecision) -> str:
    oldest, *others = made.rows
    if not others:
        raise CurationError(str(TOO_FEW))
    if cluster != oldest:
        decisions.join(oldest, cluster)
    return f"joined: {oldest.pk}"


def _with_desk_link(said: object, cluster: EventCluster) -> SafeString:
    page = link(admin_url(cluster, "change", cluster.pk), cluster.label)
    return format_html("{} <bdi>{}</bdi>", said, page)


@admin.register(EventCluster)
class EventClusterAdmin(queues.QueueAdmin):
    """The queue of candidates. Nothing becomes an event but here."""

    queue_title = _("사건 후보: 공개할까, 더할까, 기각할까")
    waiting = ClusterStatus.OPEN.label
    others = queues.other_statuses(ClusterStatus.OPEN)
    buttons = {"_publish": PUBLISH, "_add": PUBLISH, "_reject": DECIDE, "_split": DECIDE, "_remove": DECIDE}
    list_display = ("label", "about", "outlets", "documents_in", "last", "outcome")
    list_select_related = ("event",)
    search_fields = ("label", "reason", "event__label", "members__document__title")
    date_hierarchy = "last_document_at"
    ordering = ("-last_document_at", "-pk")
    actions = ("publish", "reject", "join")

    def get_queryset(self, request: HttpRequest) -> QuerySet[EventCluster]:
        # Counted for the rows of a page only: a join would count for all ten thousand before it cuts.
        clusters: QuerySet[EventCluster] = super().get_queryset(request)
        members = ClusterDocument.objects.filter(cluster=OuterRef("pk")).order_by().values("cluster")
        outlets = members.annotate(n=Count("document__source__name", distinct=True)).values("n")
        return clusters.annotate(
            member_count=Coalesce(Subquery(members.annotate(n=Count("pk")).values("n")), 0),
            outlet_count=Coalesce(Subquery(outlets), 0),
        )

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        announced = drafts.announced_values(changelist.result_list)
        named = drafts.main_units(changelist.result_list, announced)
        for row in changelist.result_list:
            row.named, row.tells_of_value = named[row.pk], bool(announced[row.pk])
        return changelist

    documents_in = queues.column("member_count", _("문서"))
    outlets = queues.column("outlet_count", _("매체"))
    last = queues.time_column("last_document_at", _("마지막 문서"))

    @admin.display(description=_("항목"))
    def about(self, cluster: Any) -> SafeString:
        value = [_("수치")] if cluster.tells_of_value else []
        labels = ((label,) for label in [*value, *(unit.label for unit in cluster.named[:3])])
        return format_html_join(" ", '<bdi class="queue-tag">{}</bdi>', labels)

    @admin.display(description=_("결정"))
    def outcome(self, cluster: EventCluster) -> str | SafeString:
        if cluster.event is not None:
            page = cluster.event.get_absolute_url()
            return format_html('<a href="{}"><bdi>{}</bdi></a>', page, cluster.event.label)
        return cluster.reason or "-"

    def page_context(self, request: HttpRequest, row: EventCluster) -> dict[str, Any]:
        members = ClusterDocument.objects.filter(cluster=row).select_related("document__source")
        listed = list(members.order_by("document__published_at", "document_id"))
        draft = drafts.draft(row)
        draft_form = DraftForm(draft, request.POST if "_publish" in request.POST else None)
        event_form = EventForm(request.POST if "_add" in request.POST else None)
        return {
            "cluster": row,
            "members": listed,
            "announced": drafts.announced_values([row])[row.pk],
            "outlets": list(dict.fromkeys(member.document.source.name for member in listed)),
            "draft": draft,
            "draft_form": draft_form,
            "event_form": event_form,
            "near": drafts.events_near(row, draft.units),
            "pulses": drafts.pulses_near(row, draft.units),
            "reasons": REASONS,
            "reason_max_length": queues.REASON_MAX_LENGTH,
            "undoable": row.status in (ClusterStatus.PUBLISHED, ClusterStatus.REJECTED),
            "media": draft_form.media + event_form.media,
        }

    def decide_publish(self, request: HttpRequest, cluster: EventCluster) -> queues.RowDecision | None:
        form = DraftForm(drafts.draft(cluster), request.POST)
        if not form.is_valid():
            return None
        event = decisions.publish(cluster, now=timezone.now(), draft=form.as_draft())
        return self._published(cluster, event, _("공개했습니다"))

    def decide_add(self, request: HttpRequest, cluster: EventCluster) -> queues.RowDecision | None:
        form = EventForm(request.POST)
        if not form.is_valid():
            return None
        event = decisions.publish(cluster, now=timezone.now(), event=form.cleaned_data["event"])
        return self._published(cluster, event, _("사건에 더했습니다"))

    def _published(self, cluster: EventCluster, event: Unit, said: object) -> queues.RowDecision:
        linked = queues.with_page_link(said, event.get_absolute_url(), event.label)
        return queues.RowDecision(f"published: {event.public_id}", linked, undo=[cluster.pk])

    def decide_reject(self, request: HttpRequest, cluster: EventCluster) -> queues.RowDecision:
        reason = queues.posted_reason(request)
        decisions.reject(cluster, reason=reason, now=timezone.now())
        said = _("기각했습니다: %(label)s (%(reason)s)") % {"label": cluster.label, "reason": reason}
        return queues.RowDecision(f"rejected: {reason}", said, undo=[cluster.pk])

    def decide_split(self, request: HttpRequest, cluster: EventCluster) -> queues.RowDecision:
        fresh = decisions.split(cluster, queues.posted_keys(request, "document"))
        said = _with_desk_link(_("새 후보로 나누었습니다:"), fresh)
        return queues.RowDecision(f"split: {fresh.pk}", said, final=False)

    def decide_remove(self, request: HttpRequest, cluster: EventCluster) -> queues.RowDecision:
        count = decisions.remove(cluster, queues.posted_keys(request, "document"))
        said = _("문서 %(count)d건을 뺐습니다.") % {"count": count}
        return queues.RowDecision(f"removed: {count} documents", said, final=False)

    def undo(self, request: HttpRequest, row: EventCluster) -> None:
        published = row.status == ClusterStatus.PUBLISHED
        queues.require_permissions(request, PUBLISH if published else DECIDE)
        decisions.undo(row)

    publish = queues.BulkAction(
        short_description=_("선택한 후보를 사건으로 공개"),
        allowed_permissions=["publish"],
        verb=_("모두 공개"),
        effects=_pages_to_be,
        step=lambda cluster, made: f"published: {decisions.publish(cluster, now=made.now).public_id}",
        done=_("%(count)d건을 공개했습니다."),
        undoable=True,
    )
    reject = queues.BulkAction(
        short_description=_("선택한 후보 기각"),
        verb=_("모두 기각"),
        effects=_leaving_the_list,
        step=_reject,
        done=_("%(count)d건을 기각했습니다."),
        undoable=True,
        reasons=REASONS,
    )
    join = queues.BulkAction(
        short_description=_("선택한 후보를 하나로 합치기"),
        verb=_("하나로 합치기"),
        effects=_joined,
        step=_join,
        done=_("%(count)d건을 하나로 합쳤습니다."),
    )


@admin.register(ClusterDocument)
class ClusterDocumentAdmin(queues.DecidingAdmin, ReadOnlyAdmin):
    """Which document stands in which candidate. Splitting is done on the candidate's page, or here for many."""

    list_display = ("title", "outlet", "cluster", "score")
    list_per_page = 50
    list_select_related = ("document__source", "cluster")
    list_filter = ("cluster__status",)
    search_fields = ("document__title", "cluster__label")
    actions = ("split",)

    title = queues.column("document.title", _("문서"), ordering="document__title")
    outlet = queues.column("document.source.name", _("출처"))

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


def _dismiss(pair: PossibleMerge, made: queues.BulkDecision) -> str:
    decisions.dismiss(pair, now=made.now)
    return "told apart"


def _as_pairs(pairs: Sequence[PossibleMerge]) -> list[queues.RowEffect]:
    return [queues.RowEffect(pair.one.label, [pair.other.label]) for pair in pairs]


@admin.register(PossibleMerge)
class PossibleMergeAdmin(queues.QueueAdmin):
    """The queue of pairs of clusters that read alike but for what was done: one event or two."""

    queue_title = _("병합 후보: 같은 사건인가, 다른 사건인가")
    waiting = _("기다림")
    others = {"dismissed": (_("다른 사건"), Q(dismissed_at__isnull=False))}
    buttons = {"_join": DECIDE, "_dismiss": DECIDE, "_add": DECIDE}
    undo_permissions = (DECIDE,)
    list_display = ("pair", "noted", "dismissed")
    list_select_related = ("one__event", "other__event")
    search_fields = ("one__label", "other__label")
    date_hierarchy = "noted_at"
    ordering = ("-noted_at", "-pk")
    actions = ("join", "dismiss")

    @admin.display(description=_("두 후보"))
    def pair(self, pair: PossibleMerge) -> str:
        return format_html("<bdi>{}</bdi> ~ <bdi>{}</bdi>", pair.one.label, pair.other.label)

    noted = queues.time_column("noted_at", _("발견"))
    dismissed = queues.time_column("dismissed_at", _("다른 사건으로 분리한 일시"))

    def page_context(self, request: HttpRequest, row: PossibleMerge) -> dict[str, Any]:
        both = (row.one, row.other)
        waiting = [cluster for cluster in both if cluster.is_waiting]
        published = [cluster for cluster in both if cluster.status == ClusterStatus.PUBLISHED]
        members = ClusterDocument.objects.select_related("document__source")
        in_time = members.order_by("document__published_at", "document_id")
        prefetch_related_objects(both, Prefetch("members", in_time))
        units = drafts.main_units(both, drafts.announced_values(both))
        return {
            "title": _("같은 사건인가?"),
            "pair": row,
            "sides": [(cluster, units[cluster.pk]) for cluster in both],
            "may_join": len(waiting) == 2,
            "may_add": len(waiting) == len(published) == 1,
        }

    def decide_join(self, request: HttpRequest, pair: PossibleMerge) -> queues.RowDecision:
        joined = decisions.join(pair.one, pair.other)
        said = _with_desk_link(_("하나로 합쳤습니다:"), joined)
        return queues.RowDecision(f"joined: {joined.pk}", said)

    def decide_dismiss(self, request: HttpRequest, pair: PossibleMerge) -> queues.RowDecision:
        decisions.dismiss(pair, now=timezone.now())
        return queues.RowDecision("told apart", _("다른 사건으로 두었습니다."), undo=[pair.pk])

    def decide_add(self, request: HttpRequest, pair: PossibleMerge) -> queues.RowDecision:
        """One of the two is an event already: the other becomes part of it."""
        queues.require_permissions(request, PUBLISH)
        waiting, standing = (pair.one, pair.other) if pair.one.is_waiting else (pair.other, pair.one)
        event = decisions.publish(waiting, now=timezone.now(), event=standing.event)
        said = queues.with_page_link(_("사건에 더했습니다"), event.get_absolute_url(), event.label)
        return queues.RowDecision(
            f"added to: {event.public_id}", said, undo=[waiting.pk], undo_of=EventCluster
        )

    def undo(self, request: HttpRequest, row: PossibleMerge) -> None:
        decisions.recall(row)

    join = queues.BulkAction(
        short_description=_("선택한 쌍을 하나로 합치기"),
        verb=_("모두 합치기"),
        effects=_as_pairs,
        step=lambda pair, made: f"joined: {decisions.join_pair(pair).pk}",
        done=_("%(count)d쌍을 합쳤습니다."),
    )
    dismiss = queues.BulkAction(
        short_description=_("선택한 쌍은 다른 사건"),
        verb=_("모두 다른 사건"),
        effects=_as_pairs,
        step=_dismiss,
        done=_("%(count)d쌍을 다른 사건으로 두었습니다."),
        undoable=True,
    )
