"""Documents, and what they mention."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from knowledge.curation import withdrawal
from knowledge.models import Document, Mention


class ReadOnlyMixin:
    """Rows that machines write and people read."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_change_permission = has_delete_permission = has_add_permission


class ReadOnlyAdmin(ReadOnlyMixin, admin.ModelAdmin[Any]):
    """A list and pages of such rows: too many to count them all for each list."""

    show_full_result_count = False


class MentionInline(ReadOnlyMixin, admin.TabularInline[Mention, Document]):
    model = Mention
    fields = ("unit", "surface", "start", "end")
    readonly_fields = fields
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Mention]:
        return super().get_queryset(request).select_related("unit")


@admin.register(Document)
class DocumentAdmin(admin.ModelAdmin[Document]):
    """Documents are what their source said; the only decision here is to take one down."""

    list_display = ("title", "source", "kind", "published_at", "withdrawn")
    list_filter = ("withdrawn", "kind", "source", "lang")
    list_select_related = ("source",)
    search_fields = ("title", "url")
    date_hierarchy = "published_at"
    inlines = (MentionInline,)
    show_full_result_count = False
    readonly_fields = tuple(
        field.name
        for field in Document._meta.fields
        if field.name not in ("id", "withdrawn", "seen_only", "content_sha256")
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
