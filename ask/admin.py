"""The editors' view of answers and seed questions."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ask import curation, proposals
from ask.citation_audits import AuditedQuery, CitationAudit
from ask.ledger import ModelCall, SpendDay
from ask.models import Answer, AnswerVersion, SeedQuestion
from knowledge.errors import Refusal

ANSWERED_AT_ONCE = 3


def _page_link(path: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', path, path)


class TakeDownForm(ActionForm):
    """The action bar of the answer list, with room for a reason."""

    reason = forms.CharField(label=_("숨기는 까닭"), required=False, max_length=300)


class ReadOnlyMixin:
    """Rows made by the service: editors read them, and act on them only by actions."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class VersionInline(ReadOnlyMixin, admin.TabularInline[AnswerVersion, Answer]):
    model = AnswerVersion
    fk_name = "answer"
    fields = ("generated_at", "mode", "body", "citations", "cost_micro_usd", "model", "prompt_version")
    readonly_fields = fields
    ordering = ("-pk",)
    extra = 0
    verbose_name_plural = _("판")


@admin.register(Answer)
class AnswerAdmin(ReadOnlyMixin, admin.ModelAdmin[Answer]):
    """Answers are read here. Taking one down needs a reason, typed beside the action."""

    list_display = ("question", "lang", "mode", "status", "checked_at", "created_at")
    list_filter = ("status", "lang", "current__mode", ("evidence_withdrawn_at", admin.EmptyFieldListFilter))
    list_select_related = ("current",)
    search_fields = ("question", "question_hash")
    date_hierarchy = "created_at"
    list_per_page = 50
    show_full_result_count = False
    inlines = (VersionInline,)
    action_form = TakeDownForm
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

    @admin.action(
        description=_("선택한 답변 숨기기 (까닭 필요, 주소는 410이 됩니다)"), permissions=["moderate"]
    )
    def hide(self, request: HttpRequest, queryset: QuerySet[Answer]) -> None:
        reason = request.POST.get("reason", "").strip()
        if not reason:
            self.message_user(request, _("숨기는 까닭을 적어 주세요."), messages.ERROR)
            return
        self._record(request, queryset, f"hidden: {reason}")
        count = curation.hide(queryset, reason[:300])
        self.message_user(request, _("%(count)d개를 숨겼습니다.") % {"count": count}, messages.SUCCESS)

    @admin.action(description=_("선택한 답변 다시 보이기"), permissions=["moderate"])
    def show(self, request: HttpRequest, queryset: QuerySet[Answer]) -> None:
        self._record(request, queryset, "shown")
        count = curation.show(queryset)
        self.message_user(request, _("%(count)d개를 다시 보입니다.") % {"count": count}, messages.SUCCESS)

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        # Nobody may rewrite an answer, so the change permission means: may take one down.
        return request.user.has_perm("ask.change_answer")

    def _record(self, request: HttpRequest, queryset: QuerySet[Answer], what: str) -> None:
        for answer in queryset:
            self.log_change(request, answer, what)


@admin.register(SeedQuestion)
class SeedQuestionAdmin(admin.ModelAdmin[SeedQuestion]):
    list_display = ("text", "lang", "order", "active", "page", "comparison")
    list_editable = ("order", "active")
    actions = ("answer_now",)
    list_filter = ("active", "lang")
    search_fields = ("text",)
    fields = ("text", ("order", "active"), "page", "comparison")
    readonly_fields = ("page", "comparison")

    @admin.display(description=_("답변"))
    def page(self, seed: SeedQuestion) -> SafeString:
        return _page_link(seed.get_absolute_url()) if seed.pk else SafeString("-")

    @admin.display(description=_("새 답변"))
    def comparison(self, seed: SeedQuestion) -> SafeString:
        answer = seed.answer if seed.pk else None
        if answer is None or proposals.proposal(answer) is None:
            return SafeString("-")
        return format_html('<a href="{}">{}</a>', self._comparison_url(seed), _("견주어 보기"))

    @admin.action(
        description=_("선택한 질문에 지금 답하기 (받아들이기 전에는 공개되지 않습니다)"),
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
        made = [seed for seed in chosen if self._propose(request, seed)]
        return redirect(self._comparison_url(made[0])) if len(chosen) == len(made) == 1 else None

    def _propose(self, request: HttpRequest, seed: SeedQuestion) -> bool:
        try:
            version = proposals.propose(seed.text, now=timezone.now())
        except Refusal as refusal:
            self.message_user(request, f"{seed.text}: {refusal.korean}", messages.ERROR)
            return False
        self.log_change(request, seed, f"answered: version {version.pk}")
        self.message_user(request, _("답변을 만들었습니다: %(seed)s") % {"seed": seed}, messages.SUCCESS)
        return True

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.compare)
        return [
            path("<int:seed_id>/compare/", view, name="ask_seedquestion_compare"),
            *super().get_urls(),
        ]

    def compare(self, request: HttpRequest, seed_id: int) -> HttpResponse:
        """The present answer and the proposed one side by side; a POST names the version that is accepted."""
        seed = get_object_or_404(SeedQuestion, pk=seed_id)
        if not self.has_change_permission(request, seed):
            raise PermissionDenied
        answer = seed.answer
        proposed = proposals.proposal(answer) if answer is not None else None
        if request.method == "POST":
            return self._accept(request, seed, proposed)
        context = {
            **self.admin_site.each_context(request),
            "title": _("답변 견주기"),
            "opts": self.opts,
            "seed": seed,
            "versions": [
                (_("지금 답변"), answer.current if answer is not None else None),
                (_("새 답변"), proposed),
            ],
            "proposed": proposed,
        }
        return TemplateResponse(request, "ask/compare.html", context)

    def _accept(
        self, request: HttpRequest, seed: SeedQuestion, proposed: AnswerVersion | None
    ) -> HttpResponse:
        """Only the version that the editor has seen: another may have been made meanwhile."""
        seen = request.POST.get("version", "")
        if proposed is None or str(proposed.pk) != seen or not proposals.accept(proposed, now=timezone.now()):
            self.message_user(
                request,
                _("그사이 답변이 바뀌었거나 근거가 철회되었습니다. 다시 견주어 보세요."),
                messages.ERROR,
            )
        else:
            self.log_change(request, seed, f"accepted: version {proposed.pk}")
            self.message_user(request, _("새 답변을 공개했습니다."), messages.SUCCESS)
        return redirect(self._comparison_url(seed))

    def _comparison_url(self, seed: SeedQuestion) -> str:
        return reverse("admin:ask_seedquestion_compare", args=[seed.pk])

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
