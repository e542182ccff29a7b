"""The editors' view of answers and seed questions."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ask import curation
from ask.models import Answer, AnswerVersion, SeedQuestion


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
    list_display = ("text", "lang", "order", "active", "page")
    list_editable = ("order", "active")
    list_filter = ("active", "lang")
    search_fields = ("text",)
    fields = ("text", ("order", "active"), "page")
    readonly_fields = ("page",)

    @admin.display(description=_("답변"))
    def page(self, seed: SeedQuestion) -> SafeString:
        return _page_link(seed.get_absolute_url()) if seed.pk else SafeString("-")

    def has_delete_permission(self, request: HttpRequest, obj: SeedQuestion | None = None) -> bool:
        # The canon would bring a deleted question back; switching it off lasts.
        deletable = obj is None or obj.canon_key is None
        return deletable and super().has_delete_permission(request, obj)
