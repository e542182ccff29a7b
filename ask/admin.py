"""The editors' view of answers and seed questions."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from ask import curation, proposals
from ask.citation_audits import AuditedQuery, CitationAudit
from ask.comparison import ACCEPT, ACCEPT_MANY, ComparisonPage, ProposalFilter, comparison_url, propose
from ask.ledger import ModelCall, SpendDay
from ask.models import Answer, AnswerVersion, SeedQuestion
from knowledge.admin import queues
from knowledge.admin.documents import ReadOnlyMixin
from knowledge.admin.history import HistoryAdmin
from knowledge.admin.labels import with_labels
from knowledge.admin.pages import admin_url

ANSWERED_AT_ONCE = 3
HIDE = "ask.hide_answer"


def _page_link(path: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', path, path)


def _hide(rows: Sequence[Answer], made: queues.BulkDecision) -> list[str]:
    keys = [row.pk for row in rows]
    curation.hide(Answer.objects.filter(pk__in=keys), made.reason)
    return keys


class VersionInline(ReadOnlyMixin, admin.TabularInline[AnswerVersion, Answer]):
    model = AnswerVersion
    fk_name = "answer"
    fields = ("generated_at", "mode", "body", "citations", "cost_micro_usd", "model", "prompt_version")
    readonly_fields = fields
    ordering = ("-pk",)
    extra = 0
    verbose_name_plural = _("버전")


@admin.register(Answer)
class AnswerAdmin(ReadOnlyMixin, queues.UndoableAdmin):
    """Answers are read here. Taking one down needs a reason, typed beside the action."""

    list_display = ("question", "lang", "mode", "status", "checked_at", "created_at")
    list_filter = ("status", "lang", "current__mode", ("evidence_withdrawn_at", admin.EmptyFieldListFilter))
    list_select_related = ("current",)
    search_fields = ("question", "question_hash")
    date_hierarchy = "created_at"
    list_per_page = 50
    show_full_result_count = False
    inlines = (VersionInline,)
    actions = ("hide", "show")
    fields = (
        "question",
        "page",
        ("lang", "status", "hidden_reason"),
        ("created_at", "checked_at", "evidence_withdrawn_at"),
    )
    readonly_fields = ("page",)

    @admin.display(description=_("방식"), ordering="current__mode")
    def mode(self, answer: Answer) -> str:
        return str(answer.current.get_mode_display()) if answer.current else "-"

    @admin.display(description=_("주소"))
    def page(self, answer: Answer) -> SafeString:
        return _page_link(answer.get_absolute_url())

    hide = queues.BulkAction(
        short_description=_("선택한 답변 숨기기 (주소는 410이 됩니다)"),
        allowed_permissions=["moderate"],
        verb=_("모두 숨기기"),
        effects=lambda rows: [
            queues.RowEffect(
                gettext("%(page)s 는 410이 되고 다시 만들지 않습니다.") % {"page": row.get_absolute_url()}
            )
            for row in rows
        ],
        step=lambda row, made: f"hidden: {made.reason}",
        finish=_hide,
        done=_("%(count)d개를 숨겼습니다."),
        undoable=True,
        reasons=[_("명예 훼손 신고"), _("사실과 다름"), _("개인 정보")],
    )

    @admin.action(description=_("선택한 답변 다시 보이기"), permissions=["moderate"])
    def show(self, request: HttpRequest, queryset: QuerySet[Answer]) -> None:
        self._show(request, queryset)

    def undo_view(self, request: HttpRequest) -> HttpResponse:
        queues.require_permissions(request, HIDE)
        self._show(request, Answer.objects.filter(pk__in=request.POST.getlist("row")[: queues.BULK_LIMIT]))
        return redirect(admin_url(Answer, "changelist"))

    def _show(self, request: HttpRequest, answers: QuerySet[Answer]) -> None:
        with transaction.atomic():
            for answer in answers:
                self.log_change(request, answer, "shown")
            count = curation.show(answers)
        self.message_user(request, _("%(count)d개를 다시 보입니다.") % {"count": count}, messages.SUCCESS)

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(HIDE)


@admin.register(SeedQuestion)
class SeedQuestionAdmin(HistoryAdmin):
    """The seeds, those with a new answer to judge first in a filter of their own."""

    list_display = ("text", "lang", "order", "active", "page", "comparison")
    list_editable = ("order", "active")
    actions = ("answer_now", "accept")
    list_filter = (ProposalFilter, "active", "lang")
    search_fields = ("text",)
    fields = ("text", ("order", "active"), "page", "comparison")
    readonly_fields = ("page", "comparison")

    def get_queryset(self, request: HttpRequest) -> QuerySet[SeedQuestion]:
        return proposals.with_proposals(super().get_queryset(request))

    def get_changelist_formset(self, request: HttpRequest, **options: Any) -> Any:
        return with_labels(super().get_changelist_formset(request, **options))

    def has_accept_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(ACCEPT)

    @admin.display(description=_("답변"))
    def page(self, seed: SeedQuestion) -> SafeString:
        return _page_link(seed.get_absolute_url()) if seed.pk else SafeString("-")

    @admin.display(description=_("새 답변"))
    def comparison(self, seed: Any) -> SafeString:
        if not seed.pk:
            return SafeString("-")
        named = _("답하기") if seed.proposed is None else _("비교하기")
        return format_html('<a href="{}">{}</a>', comparison_url(seed.pk), named)

    @admin.action(
        description=_("선택한 질문에 지금 답하기 (승인하기 전에는 공개되지 않습니다)"),
        permissions=["change"],
    )
    def answer_now(self, request: HttpRequest, queryset: QuerySet[SeedQuestion]) -> HttpResponse | None:
        """Each takes as long as the model does, so few at a time."""
        chosen = list(queryset[: ANSWERED_AT_ONCE + 1])
        if len(chosen) > ANSWERED_AT_ONCE:
            self.message_user(
                request, _("한 번에 %(count)d개까지 고르세요.") % {"count": ANSWERED_AT_ONCE}, messages.ERROR
            )
            return None
        made = [seed for seed in chosen if propose(self, request, seed)]
        return redirect(comparison_url(made[0].pk)) if len(chosen) == len(made) == 1 else None

    accept = ACCEPT_MANY

    def get_urls(self) -> list[URLPattern]:
        compare = self.admin_site.admin_view(self.compare)
        undo = self.admin_site.admin_view(require_POST(self.undo_view))
        return [
            path("<int:seed_id>/compare/", compare, name="ask_seedquestion_compare"),
            path("<int:seed_id>/undo/", undo, name="ask_seedquestion_undo"),
            *super().get_urls(),
        ]

    def compare(self, request: HttpRequest, seed_id: int) -> HttpResponse:
        seed = get_object_or_404(SeedQuestion, pk=seed_id)
        # What nobody has judged yet is shown to those who judge, or who have it made.
        if not (self.has_change_permission(request, seed) or self.has_accept_permission(request)):
            raise PermissionDenied
        return ComparisonPage(self, request, seed).respond()

    def undo_view(self, request: HttpRequest, seed_id: int) -> HttpResponse:
        seed = get_object_or_404(SeedQuestion, pk=seed_id)
        queues.require_permissions(request, ACCEPT)
        return ComparisonPage(self, request, seed).undo()

    def has_delete_permission(self, request: HttpRequest, obj: SeedQuestion | None = None) -> bool:
        # The canon would bring a deleted question back; switching it off lasts.
        deletable = obj is None or obj.canon_key is None
        return deletable and super().has_delete_permission(request, obj)


@admin.register(SpendDay)
class SpendDayAdmin(ReadOnlyMixin, admin.ModelAdmin[SpendDay]):
    """What each day committed, in micro-USD."""

    list_display = ("day", "answer", "renewal", "reflection", "audit")
    date_hierarchy = "day"
    ordering = ("-day",)


@admin.register(ModelCall)
class ModelCallAdmin(ReadOnlyMixin, admin.ModelAdmin[ModelCall]):
    """The books: every call to the model."""

    list_display = ("started_at", "purpose", "model", "outcome", "status", "cost_micro_usd", "milliseconds")
    list_filter = ("purpose", "outcome", "model")
    date_hierarchy = "started_at"
    ordering = ("-started_at",)
    show_full_result_count = False


class AuditedQueryInline(ReadOnlyMixin, admin.TabularInline[AuditedQuery, CitationAudit]):
    model = AuditedQuery
    fields = ("question", "repeats", "errors", "retrieved_repeats", "cited_repeats", "cited", "urls")
    readonly_fields = fields
    extra = 0


@admin.register(CitationAudit)
class CitationAuditAdmin(ReadOnlyMixin, admin.ModelAdmin[CitationAudit]):
    list_display = ("date", "model", "tool", "started_at", "finished_at", "cost_micro_usd")
    inlines = (AuditedQueryInline,)
