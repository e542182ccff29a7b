"""Merges as they were made, and their undoing."""

from __future__ import annotations

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from knowledge import curation
from knowledge.admin.addresses import desk_url, link
from knowledge.curation import previews
from knowledge.models import UnitMerge


@admin.register(UnitMerge)
class UnitMergeAdmin(admin.ModelAdmin[UnitMerge]):
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

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: UnitMerge | None = None) -> bool:
        # A record of what was done is read and undone, never rewritten.
        return False

    def has_delete_permission(self, request: HttpRequest, obj: UnitMerge | None = None) -> bool:
        return False

    @admin.display(description=_("병합"))
    def merge(self, record: UnitMerge) -> SafeString:
        loser, survivor = record.loser, record.survivor
        return format_html("{} → {}", link(desk_url(loser), loser), link(desk_url(survivor), survivor))

    @admin.display(description=_("되돌리기"))
    def undoing(self, record: UnitMerge) -> SafeString:
        return link(self._undo_url(record), _("되돌리기…")) if record.undone_at is None else SafeString("")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.undo_view)
        return [path("<int:pk>/undo/", view, name="knowledge_unitmerge_undo"), *super().get_urls()]

    def undo_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """What undoing would change; a POST undoes."""
        if not request.user.has_perm("knowledge.merge_unit"):
            raise PermissionDenied
        record = UnitMerge.objects.select_related("loser__merged_into", "survivor").filter(pk=pk).first()
        if record is None:
            raise Http404
        if request.method == "POST":
            return self._undo(request, record)
        context = {
            **self.admin_site.each_context(request),
            "title": _("병합 되돌리기: %(loser)s") % {"loser": record.loser},
            "opts": self.opts,
            "media": self.media,
            "effect": previews.preview_unmerge(record),
            "step": _("되돌리기"),
            "unit": record.loser,
            "back": desk_url(record.loser),
        }
        return TemplateResponse(request, "admin/knowledge/unit/decide.html", context)

    def _undo(self, request: HttpRequest, record: UnitMerge) -> HttpResponse:
        try:
            curation.unmerge(record, now=timezone.now())
        except curation.CurationError as error:
            self.message_user(request, str(error), messages.ERROR)
            return redirect(desk_url(record.loser))
        for unit in (record.loser, record.survivor):
            merge = f"{record.loser} → {record.survivor}"
            self.log_change(request, unit, gettext("병합 되돌림: %(merge)s") % {"merge": merge})  # type: ignore[arg-type]
        again = link(f"{desk_url(record.loser, 'merge')}?into={record.survivor_id}", _("다시 병합"))
        done = _("%(loser)s: 병합을 되돌렸습니다.") % {"loser": record.loser}
        self.message_user(request, format_html("{} {}", done, again), messages.SUCCESS)
        return redirect(desk_url(record.loser))

    def _undo_url(self, record: UnitMerge) -> str:
        return reverse("admin:knowledge_unitmerge_undo", args=[record.pk])
