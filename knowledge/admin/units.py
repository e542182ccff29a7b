"""Entities, topics and events."""

from collections.abc import Collection, Iterator, Sequence
from http import HTTPStatus
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import flatten
from django.contrib.postgres.forms import SimpleArrayField
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from knowledge import curation
from knowledge.admin.aliases import AliasInline, AliasTools
from knowledge.admin.decisions import STEPS, UnitDecisions
from knowledge.admin.exchange import ExchangeAdmin
from knowledge.admin.history import HistoryAdmin
from knowledge.admin.labels import MOMENTS, LabelledFields
from knowledge.admin.pages import admin_url, desk_url
from knowledge.admin.relations import RelationInline
from knowledge.curation import signed_links
from knowledge.exchange.resources import UnitResource
from knowledge.models import (
    ENTITY_TYPES,
    Alias,
    Entity,
    Event,
    EventUnit,
    Relation,
    Status,
    Topic,
    Unit,
    categories_of,
)
from knowledge.models.reader_questions import unanswered
from knowledge.models.source_urls import in_hangul, tidied
from knowledge.queries.visibility import Use, shortcomings_of, uses_of

LOST_SHOWN = 5  # questions without an answer that a message names
MERGED = ("merged_into", admin.EmptyFieldListFilter)
# The desk's lists in which a use can be looked up, and by what.
USED_IN = {
    "merged": ("unit", "merged_into__id__exact"),
    "pulse": ("pulse", "asset__id__exact"),
    "market": ("market", "asset__id__exact"),
    "source": ("source", "creator__id__exact"),
    "post": ("personapost", "units__id__exact"),
}


class AddressLines(SimpleArrayField):
    """Web addresses, one a line, in Hangul where they are stored in codes."""

    def prepare_value(self, value: Any) -> Any:
        return super().prepare_value(
            [in_hangul(each) for each in value] if isinstance(value, list) else value
        )

    def to_python(self, value: Any) -> Any:
        return tidied(super().to_python(value))


class EventUnitInline(LabelledFields, admin.TabularInline[EventUnit, Unit]):
    model = EventUnit
    fk_name = "event"
    autocomplete_fields = ("unit",)
    extra = 1


class UnitAdmin(HistoryAdmin, UnitDecisions, AliasTools, ExchangeAdmin):
    """What the three kinds of unit share. Their status is decided, never typed: see ``UnitDecisions``."""

    resource_classes: ClassVar[list[Any]] = [UnitResource]
    list_display: tuple[Any, ...] = ("label", "type", "status", "document_count", "video_count", "updated_at")
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
        ("label", "label_en"),
        "summary",
        "summary_en",
        "website",
        "source_urls",
        "asked_as",
        "reader_questions",
        ("status", "merged_into"),
        ("document_count", "video_count", "updated_at"),
    )

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "asked_as":
            whole = _("물음표로 끝나는 말은 질문이 그 말뿐일 때만 셉니다.")
            kwargs |= {
                "delimiter": "\n",
                "widget": forms.Textarea(attrs={"rows": 4}),
                "help_text": f"{db_field.help_text} {whole}",
            }
        if db_field.name == "reader_questions":
            wide = forms.Textarea(attrs={"rows": 8, "class": "vLargeTextField", "wrap": "off"})
            kwargs |= {"delimiter": "\n", "widget": wide}
        if db_field.name == "source_urls":
            wide = forms.Textarea(attrs={"rows": 4, "class": "vLargeTextField", "wrap": "off"})
            kwargs |= {"form_class": AddressLines, "delimiter": "\n", "widget": wide}
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Unit, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        # An edit of the summary must not be held up by them, and must not lose them unnoticed.
        if lost := unanswered(obj.reader_questions, obj.summary, obj.summary_en):
            told = _(
                "답하는 문장이 요약에 없는 독자 질문 %(count)d개는 항목 전체를 찾는 데만 씁니다: %(lines)s"
            )
            lines = " / ".join(lost[:LOST_SHOWN])
            self.message_user(request, told % {"count": len(lost), "lines": lines}, messages.WARNING)

    def get_readonly_fields(self, request: HttpRequest, obj: Unit | None = None) -> tuple[str, ...]:
        if obj is None:
            return self.readonly_fields
        # The slug is a public address and the type decides its prefix: neither changes once saved.
        fixed = {"slug", "type"}
        if not self.has_publish_permission(request):
            fixed.update(curation.guarded_fields(obj))
        return (*self.readonly_fields, *fixed.intersection(flatten(self.fields)))

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
        """With a way to the history of every alias and relation that the unit ever had, or else none led to a deleted
        one."""
        aliases, begun, ending = (
            self.get_history_queryset(request, changes, column, object_id)
            .order_by("id", "-history_date", "-history_id")
            .distinct("id")
            for changes, column in (
                (Alias.history, "unit_id"),
                (Relation.history, "subject_id"),
                (Relation.history, "object_id"),
            )
        )
        context = {"aliases": aliases, "relations": [*begun, *ending]}
        return super().history_view(request, object_id, context)

    def has_delete_permission(self, request: HttpRequest, obj: Unit | None = None) -> bool:
        # Public ids resolve for ever: a unit is retracted or merged, never deleted.
        return False

    def view_on_site(self, obj: Any) -> str:
        # A draft has no page yet; of what was retracted, the page that says so.
        absent = obj.public_status == HTTPStatus.NOT_FOUND
        return signed_links.preview_path(obj) if absent else str(obj.get_absolute_url())

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        unit = kwargs.get("obj")
        if unit is not None:
            uses, lines = uses_of(unit)
            context |= {
                "shortcomings": shortcomings_of(unit),
                "uses": [(use, _list_of(use, unit)) for use in uses],
                "use_lines": lines,
                "decisions": list(self._decisions(request, unit)),
            }
        return super().render_change_form(request, context, *args, **kwargs)

    def _decisions(self, request: HttpRequest, unit: Unit) -> Iterator[tuple[str, Any]]:
        """What this editor may decide about the unit: the address of each page and what its link says."""
        if self.has_publish_permission(request):
            wanted = [Status.PUBLISHED, Status.RETRACTED]
            if unit.status == Status.RETRACTED:
                wanted = [curation.former_status(unit), Status.PUBLISHED]
            for status in dict.fromkeys(wanted):
                if status != unit.status and not curation.status_blocked_by(unit, status):
                    yield desk_url(unit, "status", status.value), f"{STEPS[status][0]}…"
        if self.has_merge_permission(request):
            if unit.merged_into_id is None:
                yield desk_url(unit, "merge"), _("병합…")
            elif record := unit.merges_away.filter(undone_at=None).first():
                yield admin_url(record, "undo", record.pk), _("병합 되돌리기…")
            yield desk_url(unit, "split"), _("나누기…")


def _list_of(use: Use, unit: Unit) -> str:
    """The desk's list in which a use can be looked up; empty where it has none."""
    model, lookup = USED_IN.get(use.kind, ("", ""))
    return f"{reverse(f'admin:knowledge_{model}_changelist')}?{lookup}={unit.pk}" if model else ""


@admin.register(Entity)
class EntityAdmin(UnitAdmin):
    list_display = ("label", "type", "category", "country", "status", "document_count", "updated_at")
    list_filter = ("status", "type", "category", "country", MERGED)
    inlines = (AliasInline, RelationInline)
    fields = (UnitAdmin.fields[0], ("category", "country"), *UnitAdmin.fields[1:])

    def formfield_for_choice_field(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "type":
            kwargs["choices"] = [(kind.value, kind.label) for kind in ENTITY_TYPES]
        return super().formfield_for_choice_field(db_field, request, **kwargs)

    def get_form(
        self, request: HttpRequest, obj: Unit | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Of a stored unit, whose type stays, with the categories that it may have alone."""
        form = super().get_form(request, obj, change, **kwargs)
        if obj is not None and "category" in form.base_fields:
            field: Any = form.base_fields["category"]
            field.choices = [("", "-" * 9), *((one.value, one.label) for one in categories_of(obj.type))]
        return form


class FixedTypeAdmin(UnitAdmin):
    """A kind of unit whose type is given by its model."""

    list_filter = ("status", MERGED)
    fields = tuple(row if row != ("type", "slug", "symbol") else "slug" for row in UnitAdmin.fields)


@admin.register(Topic)
class TopicAdmin(FixedTypeAdmin):
    list_display = ("label", "status", "document_count", "video_count", "updated_at")


@admin.register(Event)
class EventAdmin(FixedTypeAdmin):
    list_display = ("label", "occurred_at", "status", "document_count", "updated_at")
    date_hierarchy = "occurred_at"
    inlines = (AliasInline, EventUnitInline)
    formfield_overrides = MOMENTS
    fields = (*FixedTypeAdmin.fields[:2], "occurred_at", *FixedTypeAdmin.fields[2:])


@admin.register(Unit)
class AnyUnitAdmin(UnitAdmin):
    """Every unit in one list: what autocomplete fields search. Editing happens in the three lists above it."""

    ordering = ("label", "pk")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
