"""Entities, topics and events."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from knowledge import curation
from knowledge.admin.addresses import desk_url
from knowledge.admin.aliases import AliasInline, AliasTools
from knowledge.admin.decisions import STEPS, UnitDecisions
from knowledge.admin.exchange import ExchangeAdmin
from knowledge.admin.history import HistoryAdmin
from knowledge.curation import signed_links
from knowledge.exchange import UnitResource
from knowledge.models import (
    ENTITY_TYPES,
    Alias,
    Entity,
    Event,
    EventUnit,
    PublicStatus,
    Status,
    Topic,
    Unit,
)
from knowledge.queries.visibility import shortcomings_of, uses_of

MERGED = ("merged_into", admin.EmptyFieldListFilter)
# The desk's lists in which a use can be looked up, and by what.
USED_IN = {
    "merged": ("unit", "merged_into__id__exact"),
    "pulse": ("pulse", "asset__id__exact"),
    "market": ("market", "asset__id__exact"),
    "source": ("source", "creator__id__exact"),
    "post": ("personapost", "units__id__exact"),
}


class EventUnitInline(admin.TabularInline[EventUnit, Unit]):
    model = EventUnit
    fk_name = "event"
    autocomplete_fields = ("unit",)
    extra = 1


class UnitAdmin(HistoryAdmin, UnitDecisions, AliasTools, ExchangeAdmin):
    """What the three kinds of unit share. Their status is decided, never typed: see ``UnitDecisions``."""

    resource_classes: ClassVar[list[Any]] = [UnitResource]
    list_display: tuple[Any, ...] = (
        "label",
        "type",
        "status",
        "document_count",
        "video_count",
        "updated_at",
    )
    list_filter: ClassVar[tuple[Any, ...]] = ("status", "type", MERGED)
    search_fields = ("label", "slug", "symbol", "aliases__surface")
    readonly_fields = ("status", "document_count", "video_count", "updated_at", "merged_into")
    inlines: ClassVar[tuple[Any, ...]] = (AliasInline,)
    list_select_related = ("merged_into",)
    ordering = ("-updated_at", "-pk")
    list_per_page = 50
    show_full_result_count = False
    change_form_template = "admin/knowledge/unit/change_form.html"
    fields: ClassVar[tuple[Any, ...]] = (
        ("type", "slug", "symbol"),
        "label",
        "summary",
        "summary_en",
        "website",
        ("status", "merged_into"),
        ("document_count", "video_count", "updated_at"),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Unit | None = None) -> tuple[str, ...]:
        if obj is None:
            return self.readonly_fields
        # The slug is a public address and the type decides its prefix: neither changes once saved.
        fixed = ("slug", *(() if self._type_is_given else ("type",)))
        return (*self.readonly_fields, *fixed, *self._identity_of(request, obj))

    _type_is_given = False

    def _identity_of(self, request: HttpRequest, unit: Unit) -> tuple[str, ...]:
        """The fields of a unit's identity that this editor must leave alone."""
        if self.has_publish_permission(request):
            return ()
        return tuple(name for name in curation.guarded_fields(unit) if name in _flat(self.fields))

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: Unit | None = None
    ) -> dict[str, Sequence[str]]:
        return {} if obj else {"slug": ("label",)}

    def may_revert(self, request: HttpRequest, row: Unit | None, changed: Collection[str]) -> bool:
        if row is None or not self.has_change_permission(request, row):
            return False
        guarded = {"status", *curation.guarded_fields(row)}
        return self.has_publish_permission(request) or guarded.isdisjoint(changed)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """With a way to the history of every alias that the unit ever had, or else none led to a deleted one."""
        ever = Alias.history.order_by("id", "-history_date", "-history_id").distinct("id")
        aliases = ever.filter(unit_id=object_id) if object_id.isdecimal() else ever.none()
        response: HttpResponse = super().history_view(request, object_id, {"aliases": aliases})
        return response

    def has_delete_permission(self, request: HttpRequest, obj: Unit | None = None) -> bool:
        # Public ids resolve for ever: a unit is retracted or merged, never deleted.
        return False

    def view_on_site(self, obj: Model) -> str | None:
        if not isinstance(obj, Unit):
            return None
        # A draft has no page yet; of what was retracted, the page that says so.
        return (
            signed_links.preview_path(obj)
            if obj.public_status == PublicStatus.ABSENT
            else obj.get_absolute_url()
        )

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        unit = kwargs.get("obj")
        if unit is not None:
            context |= self._explained(request, unit)
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def _explained(self, request: HttpRequest, unit: Unit) -> dict[str, Any]:
        uses, lines = uses_of(unit)
        may_publish, may_merge = self.has_publish_permission(request), self.has_merge_permission(request)
        merged = unit.merged_into_id is not None
        return {
            "shortcomings": shortcomings_of(unit),
            "uses": [(use, self._use_url(use.kind, unit)) for use in uses],
            "use_lines": lines,
            "steps": [
                (desk_url(unit, "status", status), name) for status, name in self._steps(unit, may_publish)
            ],
            "merge_url": desk_url(unit, "merge") if may_merge and not merged else "",
            "split_url": desk_url(unit, "split") if may_merge else "",
            "undo_merge_url": self._undo_merge_url(unit) if may_merge and merged else "",
        }

    def _steps(self, unit: Unit, allowed: bool) -> list[tuple[str, Any]]:
        if not allowed:
            return []
        wanted = [Status.PUBLISHED, Status.RETRACTED]
        if unit.status == Status.RETRACTED:
            wanted = list(dict.fromkeys([curation.former_status(unit), Status.PUBLISHED]))
        return [
            (status.value, STEPS[status][0])
            for status in wanted
            if status != unit.status and not curation.status_obstacle(unit, status)
        ]

    def _undo_merge_url(self, unit: Unit) -> str:
        record = unit.merges_away.filter(undone_at=None).first()
        return reverse("admin:knowledge_unitmerge_undo", args=[record.pk]) if record else ""

    def _use_url(self, kind: str, unit: Unit) -> str:
        if kind not in USED_IN:
            return ""
        model, lookup = USED_IN[kind]
        return f"{reverse(f'admin:knowledge_{model}_changelist')}?{lookup}={unit.pk}"


def _flat(rows: Sequence[Any]) -> list[str]:
    return [name for row in rows for name in ((row,) if isinstance(row, str) else row)]


@admin.register(Entity)
class EntityAdmin(UnitAdmin):
    def formfield_for_choice_field(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "type":
            kwargs["choices"] = [(kind.value, kind.label) for kind in ENTITY_TYPES]
        return super().formfield_for_choice_field(db_field, request, **kwargs)


class FixedTypeAdmin(UnitAdmin):
    """A kind of unit whose type is given by its model."""

    list_filter = ("status", MERGED)
    fields = tuple(row if row != ("type", "slug", "symbol") else "slug" for row in UnitAdmin.fields)
    _type_is_given = True


@admin.register(Topic)
class TopicAdmin(FixedTypeAdmin):
    list_display = ("label", "status", "document_count", "video_count", "updated_at")


@admin.register(Event)
class EventAdmin(FixedTypeAdmin):
    list_display = ("label", "occurred_at", "status", "document_count", "updated_at")
    date_hierarchy = "occurred_at"
    inlines = (AliasInline, EventUnitInline)
    fields = (*FixedTypeAdmin.fields[:2], "occurred_at", *FixedTypeAdmin.fields[2:])


@admin.register(Unit)
class AnyUnitAdmin(UnitAdmin):
    """Every unit in one list: what autocomplete fields search. Editing happens in the three lists above it."""

    ordering = ("label", "pk")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
