"""Merges as they were made, and their undoing."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from knowledge.admin.addresses import desk_url, link
from knowledge.admin.decisions import UnmergeView
from knowledge.admin.documents import ReadOnlyAdmin
from knowledge.models import UnitMerge


@admin.register(UnitMerge)
class UnitMergeAdmin(ReadOnlyAdmin):
    """The books of merges. They are made from a unit's page or the list of units, and undone here."""

    list_display = ("merge", "merged_at", "undone_at", "note", "undoing")
    list_display_links = None
    list_filter = (("undone_at", admin.EmptyFieldListFilter),)
    list_select_related = ("loser", "survivor")
    search_fields = ("loser__label", "survivor__label", "loser__slug", "survivor__slug", "note")
    ordering = ("-merged_at", "-pk")
    list_per_page = 50
    show_full_result_count = False
    autocomplete_fields = ("loser", "survivor")

    @admin.display(description=_("병합"))
    def merge(self, record: UnitMerge) -> SafeString:
        loser, survivor = record.loser, record.survivor
        return format_html("{} → {}", link(desk_url(loser), loser), link(desk_url(survivor), survivor))

    @admin.display(description=_("되돌리기"))
    def undoing(self, record: UnitMerge) -> SafeString:
        if record.undone_at is not None:
            return SafeString("")
        return link(reverse("admin:knowledge_unitmerge_undo", args=[record.pk]), _("되돌리기…"))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(UnmergeView.as_view(model_admin=self))
        return [path("<int:pk>/undo/", view, name="knowledge_unitmerge_undo"), *super().get_urls()]
