"""Event candidates: editors make events of them, add them to events, join, split or reject them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from knowledge.admin.documents import ReadOnlyAdmin
from knowledge.curation import CurationError
from knowledge.events import decisions
from knowledge.models import ClusterDocument, EventCluster, PossibleMerge, Unit

DECIDE = ["decide"]


class DecisionForm(ActionForm):
    """The action bar of the candidate list, with room for what a decision needs."""

    reason = forms.CharField(label=_("기각 이유"), required=False, max_length=300)
    event = forms.SlugField(label=_("더할 사건의 슬러그"), required=False, max_length=96)


class DeskAdmin(ReadOnlyAdmin):
    """Rows that machines write; editors act on them by decisions, each a domain call."""

    list_per_page = 50
    show_full_result_count = False

    def has_decide_permission(self, request: HttpRequest) -> bool:
        # Nobody rewrites a candidate, so the change permission means: may decide about one.
        return request.user.has_perm("knowledge.change_eventcluster")

    def decide(self, request: HttpRequest, rows: QuerySet[Any], step: Callable[[Any], Any]) -> None:
        """Apply one decision to every chosen row; a refusal is shown and stops nothing else."""
        done = 0
        for row in rows:
            try:
                step(row)
                done += 1
            except CurationError as error:
                self.message_user(request, f"{row}: {error}", messages.ERROR)
        if done:
            self.message_user(request, _("%(count)d건을 처리했습니다.") % {"count": done}, messages.SUCCESS)


class MemberInline(admin.TabularInline[ClusterDocument, EventCluster]):
    model = ClusterDocument
    fields = ("outlet", "published_at", "link", "score")
    readonly_fields = fields
    ordering = ("document__published_at",)
    extra = 0
    can_delete = False
    verbose_name_plural = _("문서")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ClusterDocument]:
        return super().get_queryset(request).select_related("document__source")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description=_("출처"))
    def outlet(self, member: ClusterDocument) -> str:
        return member.document.source.name

    @admin.display(description=_("발행"))
    def published_at(self, member: ClusterDocument) -> Any:
        return member.document.published_at

    @admin.display(description=_("원문"))
    def link(self, member: ClusterDocument) -> SafeString:
        return _document_link(member)


def _document_link(member: ClusterDocument) -> SafeString:
    return format_html(
        '<a href="{}" rel="noopener noreferrer">{}</a>', member.document.url, member.document.title
    )


@admin.register(EventCluster)
class EventClusterAdmin(DeskAdmin):
    """The queue of candidates. Nothing becomes an event but here."""

    list_display = (
        "label",
        "status",
        "outlets",
        "documents_in",
        "first_document_at",
        "last_document_at",
        "event",
    )
    list_filter = ("status",)
    list_select_related = ("event",)
    search_fields = ("label", "reason", "event__label", "members__document__title")
    date_hierarchy = "last_document_at"
    ordering = ("-last_document_at",)
    inlines = (MemberInline,)
    action_form = DecisionForm
    actions = ("publish", "add_to_event", "reject", "join")
    fields = ("label", ("status", "decided_at"), ("first_document_at", "last_document_at"), "event", "reason")

    def get_queryset(self, request: HttpRequest) -> QuerySet[EventCluster]:
        clusters: QuerySet[EventCluster] = super().get_queryset(request)
        return clusters.annotate(
            member_count=Count("members", distinct=True),
            outlet_count=Count("members__document__source__name", distinct=True),
        )

    @admin.display(description=_("문서"), ordering="member_count")
    def documents_in(self, cluster: Any) -> int:
        return int(cluster.member_count)

    @admin.display(description=_("매체"), ordering="outlet_count")
    def outlets(self, cluster: Any) -> int:
        return int(cluster.outlet_count)

    @admin.action(description=_("선택한 후보를 사건으로 공개"), permissions=DECIDE)
    def publish(self, request: HttpRequest, queryset: QuerySet[EventCluster]) -> None:
        now = timezone.now()
        self.decide(request, queryset, lambda cluster: decisions.publish(cluster, now=now))

    @admin.action(description=_("선택한 후보를 있는 사건에 더하기 (슬러그 필요)"), permissions=DECIDE)
    def add_to_event(self, request: HttpRequest, queryset: QuerySet[EventCluster]) -> None:
        now, slug = timezone.now(), request.POST.get("event", "").strip()
        event = Unit.objects.published().filter(prefix="event", slug=slug).first()
        if event is None:
            self.message_user(request, _("공개된 사건의 슬러그를 적어 주세요."), messages.ERROR)
            return
        self.decide(request, queryset, lambda cluster: decisions.publish(cluster, now=now, event=event))

    @admin.action(description=_("선택한 후보 기각 (이유 필요)"), permissions=DECIDE)
    def reject(self, request: HttpRequest, queryset: QuerySet[EventCluster]) -> None:
        now, reason = timezone.now(), request.POST.get("reason", "")[:300]
        self.decide(request, queryset, lambda cluster: decisions.reject(cluster, reason=reason, now=now))

    @admin.action(description=_("선택한 후보를 하나로 합치기"), permissions=DECIDE)
    def join(self, request: HttpRequest, queryset: QuerySet[EventCluster]) -> None:
        first, *others = queryset.order_by("pk")
        if not others:
            self.message_user(request, _("둘 이상 고르세요."), messages.ERROR)
            return
        rest = EventCluster.objects.filter(pk__in=[row.pk for row in others]).order_by("pk")
        self.decide(request, rest, lambda other: decisions.join(first, other))


@admin.register(ClusterDocument)
class ClusterDocumentAdmin(DeskAdmin):
    """Which document stands in which candidate. Splitting is done here: choose the documents that leave."""

    list_display = ("title", "outlet", "cluster", "score")
    list_select_related = ("document__source", "cluster")
    list_filter = ("cluster__status",)
    search_fields = ("document__title", "cluster__label")
    actions = ("split",)

    @admin.display(description=_("문서"), ordering="document__title")
    def title(self, member: ClusterDocument) -> str:
        return member.document.title

    @admin.display(description=_("출처"))
    def outlet(self, member: ClusterDocument) -> str:
        return member.document.source.name

    @admin.action(description=_("선택한 문서를 새 후보로 나누기"), permissions=DECIDE)
    def split(self, request: HttpRequest, queryset: QuerySet[ClusterDocument]) -> None:
        leaving: dict[int, list[int]] = {}
        for cluster, document in queryset.values_list("cluster_id", "document_id"):
            leaving.setdefault(cluster, []).append(document)
        clusters = EventCluster.objects.filter(pk__in=leaving)
        self.decide(request, clusters, lambda cluster: decisions.split(cluster, leaving[cluster.pk]))


@admin.register(PossibleMerge)
class PossibleMergeAdmin(DeskAdmin):
    """Clusters that read alike but for what was done."""

    list_display = ("one", "other", "noted_at", "dismissed_at")
    list_select_related = ("one", "other")
    list_filter = (("dismissed_at", admin.EmptyFieldListFilter),)
    search_fields = ("one__label", "other__label")
    date_hierarchy = "noted_at"
    actions = ("join", "dismiss")

    @admin.action(description=_("선택한 쌍을 하나로 합치기"), permissions=DECIDE)
    def join(self, request: HttpRequest, queryset: QuerySet[PossibleMerge]) -> None:
        self.decide(request, queryset, lambda pair: decisions.join(pair.one, pair.other))

    @admin.action(description=_("선택한 쌍은 다른 사건 (무시)"), permissions=DECIDE)
    def dismiss(self, request: HttpRequest, queryset: QuerySet[PossibleMerge]) -> None:
        now = timezone.now()
        self.decide(request, queryset, lambda pair: decisions.dismiss(pair, now=now))
