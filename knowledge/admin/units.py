"""Entities, topics, events and their aliases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from knowledge import curation, receivers
from knowledge.linking.normalise import normalise_alias
from knowledge.models import ENTITY_TYPES, Alias, Entity, Event, EventUnit, Status, Topic, Unit, UnitMerge


class AliasFormSet(forms.BaseInlineFormSet[Alias, Unit, Any]):
    def clean(self) -> None:
        super().clean()
        seen: dict[str, str] = {}
        for form in self.forms:
            if (
                not form.has_changed()
                or form.cleaned_data.get("DELETE")
                or not form.cleaned_data.get("surface")
            ):
                continue
            alias = form.instance
            problem = alias.collision(self.instance.type)
            if not problem and alias.surface in seen:
                problem = _("같은 별칭이 두 번 있습니다.")
            if problem:
                form.add_error("surface", problem)
            seen[alias.surface] = problem


class AliasInline(admin.TabularInline[Alias, Unit]):
    model = Alias
    formset = AliasFormSet
    fields = ("surface", "lang", "case_sensitive", "ambiguous", "blocked_contexts", "active")
    extra = 1
    verbose_name_plural = _("별칭")


class EventUnitInline(admin.TabularInline[EventUnit, Unit]):
    model = EventUnit
    fk_name = "event"
    autocomplete_fields = ("unit",)
    extra = 1


def _each(modeladmin: UnitAdmin, request: HttpRequest, units: QuerySet[Unit], step: Any, done: str) -> None:
    """Apply one curation step to every chosen unit; a refusal is shown and stops nothing else."""
    count = 0
    for unit in units:
        try:
            step(unit)
            count += 1
        except curation.CurationError as error:
            modeladmin.message_user(request, f"{unit}: {error}", messages.ERROR)
    if count:
        modeladmin.message_user(request, done % {"count": count}, messages.SUCCESS)


@admin.action(description=_("선택한 단위 공개"))
def publish(modeladmin: UnitAdmin, request: HttpRequest, queryset: QuerySet[Unit]) -> None:
    _each(modeladmin, request, queryset, curation.publish, str(_("%(count)d개를 공개했습니다.")))


@admin.action(description=_("선택한 단위 철회 (공개 주소는 410이 됩니다)"))
def retract(modeladmin: UnitAdmin, request: HttpRequest, queryset: QuerySet[Unit]) -> None:
    _each(modeladmin, request, queryset, curation.retract, str(_("%(count)d개를 철회했습니다.")))


class UnitAdmin(admin.ModelAdmin[Unit]):
    """What the three kinds of unit share."""

    list_display: tuple[Any, ...] = (
        "label",
        "type",
        "status",
        "document_count",
        "video_count",
        "updated_at",
    )
    list_filter: ClassVar[tuple[Any, ...]] = ("status", "type")
    search_fields = ("label", "slug", "symbol", "aliases__surface")
    readonly_fields = ("document_count", "video_count", "updated_at", "merged_into")
    inlines: ClassVar[tuple[Any, ...]] = (AliasInline,)
    actions = (publish, retract)
    list_select_related = ("merged_into",)
    list_per_page = 50
    show_full_result_count = False
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
        # The slug is a public address and the type decides its prefix: neither changes once saved.
        return (*self.readonly_fields, "slug", "type") if obj else self.readonly_fields

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: Unit | None = None
    ) -> dict[str, Sequence[str]]:
        return {} if obj else {"slug": ("label",)}

    def save_model(self, request: HttpRequest, obj: Unit, form: Any, change: bool) -> None:
        # Publishing and retracting are decisions with consequences, so a changed status goes the same way as the
        # actions do.
        wanted = obj.status
        if change and "status" in form.changed_data:
            obj.status = form.initial["status"]
        super().save_model(request, obj, form, change)
        if change and "label" in form.changed_data:
            # A label is an alias without a row, so its change is one of aliases.
            receivers.relink_later(
                {normalise_alias(form.initial["label"]), normalise_alias(obj.label)} - {""}
            )
        if wanted != obj.status:
            curation.set_status(obj, Status(wanted))

    def has_delete_permission(self, request: HttpRequest, obj: Unit | None = None) -> bool:
        # Public ids resolve for ever: a unit is retracted or merged, never deleted.
        return False


@admin.register(Entity)
class EntityAdmin(UnitAdmin):
    def formfield_for_choice_field(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "type":
            kwargs["choices"] = [(kind.value, kind.label) for kind in ENTITY_TYPES]
        return super().formfield_for_choice_field(db_field, request, **kwargs)


class FixedTypeAdmin(UnitAdmin):
    """A kind of unit whose type is given by its model."""

    list_filter = ("status",)
    fields = tuple(row if row != ("type", "slug", "symbol") else "slug" for row in UnitAdmin.fields)

    def get_readonly_fields(self, request: HttpRequest, obj: Unit | None = None) -> tuple[str, ...]:
        return (*self.readonly_fields, "slug") if obj else self.readonly_fields


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

    def has_module_permission(self, request: HttpRequest) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(Alias)
class AliasAdmin(admin.ModelAdmin[Alias]):
    list_display = ("surface", "unit", "unit_type", "lang", "ambiguous", "case_sensitive", "active")
    list_filter = ("ambiguous", "case_sensitive", "active", "unit_type", "lang")
    list_select_related = ("unit",)
    search_fields = ("surface", "norm", "unit__label", "unit__slug")
    autocomplete_fields = ("unit",)
    list_per_page = 50


class MergeForm(forms.ModelForm[UnitMerge]):
    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        loser, survivor = self.cleaned_data.get("loser"), self.cleaned_data.get("survivor")
        if loser and survivor and (reason := curation.merge_obstacle(loser, survivor)):
            raise forms.ValidationError(reason)
        return cleaned


@admin.register(UnitMerge)
class UnitMergeAdmin(admin.ModelAdmin[UnitMerge]):
    """Merges are made here: choose the two units and save. Undoing is an action."""

    list_display = ("loser", "survivor", "merged_at", "undone_at", "note")
    list_filter = (("undone_at", admin.EmptyFieldListFilter),)
    list_select_related = ("loser", "survivor")
    search_fields = ("loser__label", "survivor__label", "note")
    autocomplete_fields = ("loser", "survivor")
    form = MergeForm
    fields = ("loser", "survivor", "note")
    actions = ("undo",)

    def has_change_permission(self, request: HttpRequest, obj: UnitMerge | None = None) -> bool:
        # A record of what was done is read and undone, never rewritten.
        return obj is None and super().has_change_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: UnitMerge | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: UnitMerge, form: Any, change: bool) -> None:
        record = curation.merge(obj.loser, obj.survivor, now=timezone.now(), note=obj.note)
        obj.pk, obj.merged_at = record.pk, record.merged_at

    @admin.action(description=_("선택한 병합 되돌리기"), permissions=["view"])
    def undo(self, request: HttpRequest, queryset: QuerySet[UnitMerge]) -> None:
        now = timezone.now()
        for record in queryset:
            try:
                curation.unmerge(record, now=now)
                self.message_user(
                    request, _("%(merge)s: 되돌렸습니다.") % {"merge": record}, messages.SUCCESS
                )
            except curation.CurationError as error:
                self.message_user(request, f"{record}: {error}", messages.ERROR)
