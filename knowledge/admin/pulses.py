"""Pulses: born published, retracted by an editor."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from knowledge.models import Pulse, Status


@admin.register(Pulse)
class PulseAdmin(admin.ModelAdmin[Pulse]):
    list_display = ("asset", "direction", "magnitude_pct", "detected_at", "confidence", "scope", "status")
    list_filter = ("status", "direction", "kind", "scope")
    list_select_related = ("asset",)
    search_fields = ("asset__label", "asset__symbol", "key", "summary")
    date_hierarchy = "detected_at"
    actions = ("retract",)
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Pulse | None = None) -> list[str]:
        return [field.name for field in Pulse._meta.fields if field.name != "status"]

    @admin.action(description=_("선택한 펄스 철회"))
    def retract(self, request: HttpRequest, queryset: QuerySet[Pulse]) -> None:
        count = queryset.update(status=Status.RETRACTED)
        self.message_user(request, _("%(count)d개를 철회했습니다.") % {"count": count})
