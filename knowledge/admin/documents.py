"""Sources, their runs, and what they brought."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from knowledge import withdrawal
from knowledge.curation import CurationError
from knowledge.models import Document, FetchRun, Mention, Source


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """Rows that machines write and people read."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Source)
class SourceAdmin(admin.ModelAdmin[Source]):
    list_display = (
        "name",
        "kind",
        "enabled",
        "last_success_at",
        "consecutive_failures",
        "last_cause",
        "needs_key",
    )
    list_editable = ("enabled",)
    list_filter = ("kind", "enabled", "needs_key", "last_cause", "adapter")
    search_fields = ("name", "slug", "url")
    autocomplete_fields = ("creator",)
    readonly_fields = (
        "next_fetch_at",
        "first_success_at",
        "last_success_at",
        "consecutive_failures",
        "last_cause",
        "needs_key",
    )
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("name", "slug"),
                    ("kind", "adapter"),
                    "url",
                    "homepage",
                    ("enabled", "interval_minutes"),
                )
            },
        ),
        (
            _("읽는 법"),
            {
                "fields": (
                    ("lang", "naive_timezone"),
                    ("crypto", "primary", "requires_unit"),
                    "creator",
                    "settings",
                )
            },
        ),
        (_("상태"), {"fields": readonly_fields}),
    )
    actions = ("delete_documents",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # A source is switched off, so that its runs and its name stay known; the canon would bring it back anyway.
        return False

    def has_withdraw_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("knowledge.delete_document")

    @admin.action(
        description=_("선택한 출처의 문서를 모두 삭제 (권리자 요청, 꺼진 출처만)"), permissions=["withdraw"]
    )
    def delete_documents(self, request: HttpRequest, queryset: QuerySet[Source]) -> None:
        for source in queryset:
            try:
                count = withdrawal.delete_documents_of(source)
            except CurationError as error:
                self.message_user(request, f"{source}: {error}", messages.ERROR)
                continue
            self.log_change(request, source, f"documents deleted: {count}")
            done = _("%(source)s: 문서 %(count)d건을 삭제했습니다.") % {"source": source, "count": count}
            self.message_user(request, done, messages.SUCCESS)


@admin.register(FetchRun)
class FetchRunAdmin(ReadOnlyAdmin):
    list_display = (
        "source",
        "started_at",
        "outcome",
        "cause",
        "fetched",
        "created",
        "updated",
        "milliseconds",
    )
    list_filter = ("outcome", "cause", "source__kind")
    list_select_related = ("source",)
    search_fields = ("source__name", "source__slug", "detail")
    date_hierarchy = "started_at"
    show_full_result_count = False


class MentionInline(admin.TabularInline[Mention, Document]):
    model = Mention
    fields = ("unit", "surface", "start", "end")
    readonly_fields = fields
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Mention]:
        return super().get_queryset(request).select_related("unit")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Document)
class DocumentAdmin(admin.ModelAdmin[Document]):
    """Documents are what their source said; the only decision here is to take one down."""

    list_display = ("title", "source", "kind", "published_at", "withdrawn")
    list_filter = ("withdrawn", "kind", "source", "lang")
    list_select_related = ("source",)
    search_fields = ("title", "summary", "url", "external_id")
    date_hierarchy = "published_at"
    inlines = (MentionInline,)
    show_full_result_count = False
    readonly_fields = (
        "source",
        "kind",
        "external_id",
        "url",
        "title",
        "summary",
        "author",
        "lang",
        "published_at",
        "published_raw",
        "source_updated_at",
        "fetched_at",
    )
    fields = ("withdrawn", *readonly_fields)
    actions = ("withdraw", "restore")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # The next fetch would bring a deleted document back; a withdrawn one stays away.
        return False

    def save_model(self, request: HttpRequest, obj: Document, form: Any, change: bool) -> None:
        (withdrawal.withdraw if obj.withdrawn else withdrawal.restore)([obj.pk])

    @admin.action(description=_("선택한 문서 내리기"), permissions=["change"])
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        count = withdrawal.withdraw(queryset.values_list("pk", flat=True))
        self.message_user(request, _("%(count)d건을 내렸습니다.") % {"count": count}, messages.SUCCESS)

    @admin.action(description=_("선택한 문서 다시 보이기"), permissions=["change"])
    def restore(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        count = withdrawal.restore(queryset.values_list("pk", flat=True))
        self.message_user(request, _("%(count)d건을 다시 보입니다.") % {"count": count}, messages.SUCCESS)


@admin.register(Mention)
class MentionAdmin(ReadOnlyAdmin):
    list_display = ("surface", "unit", "document")
    list_select_related = ("unit", "document")
    search_fields = ("surface", "unit__label", "document__title")
    show_full_result_count = False
