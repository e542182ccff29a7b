"""Pulses: born published, retracted by an editor."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from knowledge import curation
from knowledge.admin import queues
from knowledge.models import Pulse, Status


@admin.register(Pulse)
class PulseAdmin(queues.UndoableAdmin):
    undo_permissions = ("knowledge.change_pulse",)
    list_display = ("asset", "direction", "magnitude_pct", "detected_at", "confidence", "scope", "status")
    list_filter = ("status", "direction", "kind", "scope")
    list_select_related = ("asset",)
    search_fields = ("asset__label", "asset__symbol", "key", "summary")
    date_hierarchy = "detected_at"
    actions = ("retract", "restore")
    show_full_result_count = False
    readonly_fields = (
        *(field.name for field in Pulse._meta.fields if field.name not in ("id", "sources", "status")),
        "links",
    )
    fields = ("status", *readonly_fields)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Pulse | None = None) -> bool:
        # The detector would find it again; a retracted one stays away.
        return False

    @admin.display(description=_("출처"))
    def links(self, pulse: Pulse) -> SafeString:
        """Addresses from outside; whatever is no web address stays text."""
        linked = '<a href="{0}" rel="noopener noreferrer"><bdi>{0}</bdi></a>'
        urls = [str(one.get("url", "")) for one in pulse.sources if isinstance(one, dict)]
        shown = (
            (format_html(linked, url) if url.startswith(("https://", "http://")) else url,) for url in urls
        )
        return format_html_join(" ", "{}", shown)

    def undo(self, request: HttpRequest, row: Pulse) -> None:
        curation.set_status(row, Status.PUBLISHED)

    retract = queues.status_action(
        Status.RETRACTED,
        lambda pulse: queues.RowEffect(
            _("active.json, /pulses, 자산의 페이지에서 사라집니다."), [pulse.summary]
        ),
        permission="change",
        undoable=True,
    )
    restore = queues.status_action(
        Status.PUBLISHED,
        lambda pulse: queues.RowEffect(_("다시 공개됩니다."), [pulse.summary]),
        permission="change",
    )
