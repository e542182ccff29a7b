"""What of units and aliases goes into a file, and how a row of one becomes a saved record.

A unit is found by its public id, an alias by its unit's id and its surface, so files move between installations.
A column that is absent leaves its values as they are. Every record goes through ``save()``: history is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from import_export.fields import Field
from import_export.resources import ModelResource
from tablib import Dataset

from knowledge import curation
from knowledge.exchange.cells import Choice, Moment, Text, Words, YesOrNo, cell
from knowledge.exchange.files import ABSENT, MAX_CELL, storable
from knowledge.invisible import one_line
from knowledge.models import PREFIXED_TYPES, PREFIXES, Alias, AliasLanguage, Status, Unit, UnitType

# What readers know a unit by. Once it is out, these change with a publisher's hand only.
IDENTITY = ("label", "symbol", "occurred_at")
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,95}")


class RowDifference:
    """The cells in which a record differs from what it was: ``[(column, old, new)]`` with values as exported."""

    def __init__(self, resource: ModelResource, instance: Any, new: bool) -> None:
        self.before = None if new else _cells(resource, instance)
        self.changes: list[tuple[str, Any, Any]] = []

    def compare_with(self, resource: ModelResource, instance: Any) -> None:
        after = _cells(resource, instance)
        before = self.before or dict.fromkeys(after)
        self.changes = [
            (column, before[column], value)
            for column, value in after.items()
            if (self.before is None and value not in ("", [])) or (self.before and before[column] != value)
        ]

    def as_html(self) -> list[tuple[str, Any, Any]]:
        # The library renders its own HTML with inline styles, which the desk's content policy forbids.
        return self.changes


def _cells(resource: ModelResource, instance: Any) -> dict[str, Any]:
    return {
        field.column_name: resource.export_field(field, instance) for field in resource.get_export_fields()
    }


class Exchanged(ModelResource):  # type: ignore[misc]
    """What the two kinds of record share. ``may_publish`` says whether the editor may decide what is public."""

    keeps_when_blank: ClassVar[frozenset[str]] = frozenset()
    joined: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *, may_publish: bool = False) -> None:
        super().__init__()
        self.may_publish = may_publish
        self._seen: dict[Any, int] = {}
        self._before: Any = None

    @classmethod
    def get_diff_class(cls) -> type[RowDifference]:
        return RowDifference

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        return tuple(field.column_name for field in cls().get_export_fields())

    @classmethod
    def exported(cls, records: QuerySet[Any]) -> Iterator[list[Any]]:
        """Rows of the records under ``columns()``, read in pieces."""
        resource = cls()
        for record in records.select_related(*cls.joined).iterator(chunk_size=1000):
            yield resource.export_resource(record)

    def before_import_row(self, row: dict[str, Any], **kwargs: Any) -> None:
        for column, value in list(row.items()):
            blank = value is None or (isinstance(value, str) and not value.strip())
            if value is ABSENT or (blank and column in self.keeps_when_blank):
                del row[column]
            elif not storable(value) or not all(map(storable, value if isinstance(value, list) else ())):
                raise ValidationError({column: _("저장할 수 없는 글자가 있습니다.")})
            elif isinstance(value, str) and len(value) > MAX_CELL:
                raise ValidationError({column: _("너무 깁니다(%(limit)d자까지).") % {"limit": MAX_CELL}})

    def get_or_init_instance(self, instance_loader: Any, row: dict[str, Any]) -> tuple[Any, bool]:
        key = self.key_of(row)
        number = len(self._seen) + 1
        instance = self.present(key, row)
        if self._seen.setdefault(key, number) != number:
            raise ValidationError(_("파일의 앞 행에 같은 것이 있습니다. 한 행만 남기세요."))
        created = instance is None
        instance = self.made(key, row) if instance is None else instance
        self._before = copy(instance)
        return instance, created

    def key_of(self, row: dict[str, Any]) -> Any:
        raise NotImplementedError

    def present(self, key: Any, row: dict[str, Any]) -> Any:
        raise NotImplementedError

    def made(self, key: Any, row: dict[str, Any]) -> Any:
        raise NotImplementedError

    def validate_instance(
        self, instance: Any, import_validation_errors: Any = None, validate_unique: bool = True
    ) -> None:
        errors = dict(import_validation_errors or {})
        try:
            instance.clean_fields(exclude={*errors, "unit", "merged_into"})
        except ValidationError as error:
            errors = error.update_error_dict(errors)
        try:
            instance.clean()
        except ValidationError as error:
            errors = error.update_error_dict(errors)
        if errors:
            raise ValidationError(errors)

    def skip_row(
        self, instance: Any, original: Any, row: dict[str, Any], import_validation_errors: Any = None
    ) -> bool:
        # A new record is no copy of itself, however little the row says.
        known = instance.pk is not None
        return known and bool(super().skip_row(instance, original, row, import_validation_errors))

    def do_instance_save(self, instance: Any, is_create: bool) -> None:
        if is_create:
            instance.save(force_insert=True)
            return
        # Only what the file changes: counts that a worker writes meanwhile are not put back.
        names = {field.attribute for field in self.get_import_fields() if field.attribute}
        changed = {name for name in names if getattr(instance, name) != getattr(self._before, name)}
        instance.save(update_fields=self.saved_with(changed))

    def saved_with(self, changed: set[str]) -> set[str]:
        return changed


class UnitResource(Exchanged):
    """Units by their public id. Slug and type are fixed once saved; a status is reached by its decision."""

    keeps_when_blank = frozenset({"id", "type", "slug", "status", "label"})
    joined = ("merged_into",)

    id = Field(column_name="id", readonly=True)
    type = Field(attribute="type", column_name="type", readonly=True, widget=Text())
    slug = Field(attribute="slug", column_name="slug", readonly=True, widget=Text())
    label = Field(attribute="label", column_name="label", widget=Text())
    symbol = Field(attribute="symbol", column_name="symbol", widget=Text())
    status = Field(attribute="status", column_name="status", widget=Choice(Status.values))
    merged_into = Field(column_name="merged_into", readonly=True)
    occurred_at = Field(attribute="occurred_at", column_name="occurred_at", widget=Moment())
    website = Field(attribute="website", column_name="website", widget=Text())
    summary = Field(attribute="summary", column_name="summary", widget=Text(trim=False))
    summary_en = Field(attribute="summary_en", column_name="summary_en", widget=Text(trim=False))

    class Meta:
        model = Unit
        fields = (
            *("id", "type", "slug", "label", "symbol", "status", "merged_into", "occurred_at"),
            *("website", "summary", "summary_en"),
        )
        skip_unchanged = True

    def dehydrate_id(self, unit: Unit) -> str:
        return unit.public_id

    def dehydrate_merged_into(self, unit: Unit) -> str:
        return unit.merged_into.public_id if unit.merged_into else ""

    def before_import(self, dataset: Dataset, **kwargs: Any) -> None:
        slugs = {cell(row, "id").partition(":")[2] or cell(row, "slug") for row in dataset.dict}
        units = Unit.objects.get_queryset().filter(slug__in=slugs).select_related("merged_into")
        self._present = {(unit.url_prefix, unit.slug): unit for unit in units}

    def key_of(self, row: dict[str, Any]) -> tuple[str, str]:
        public_id, kind, slug = (cell(row, column) for column in ("id", "type", "slug"))
        if kind and kind not in UnitType.values:
            kinds = ", ".join(UnitType.values)
            raise ValidationError({"type": _("다음 가운데 하나여야 합니다: %(values)s") % {"values": kinds}})
        if not public_id:
            if not (kind and slug):
                raise ValidationError({"id": _("id를 쓰거나, type과 slug를 함께 쓰세요.")})
            return (kind if kind in PREFIXED_TYPES else "entity"), slug
        prefix, _colon, own_slug = public_id.partition(":")
        if prefix not in PREFIXES or not own_slug:
            raise ValidationError({"id": _("asset:btc처럼 종류와 슬러그를 쌍점으로 이어 쓰세요.")})
        if slug and slug != own_slug:
            raise ValidationError(
                {"slug": _("슬러그는 저장한 뒤 바뀌지 않습니다(%(slug)s).") % {"slug": own_slug}}
            )
        if kind and prefix != (kind if kind in PREFIXED_TYPES else "entity"):
            raise ValidationError({"type": _("id(%(id)s)와 종류가 맞지 않습니다.") % {"id": public_id}})
        return prefix, own_slug

    def present(self, key: tuple[str, str], row: dict[str, Any]) -> Unit | None:
        unit = self._present.get(key)
        kind = cell(row, "type")
        if unit is not None and kind and kind != unit.type:
            raise ValidationError(
                {"type": _("종류는 저장한 뒤 바뀌지 않습니다(지금: %(type)s).") % {"type": unit.type}}
            )
        survivor = cell(row, "merged_into")
        if "merged_into" in row and survivor != (self.dehydrate_merged_into(unit) if unit else ""):
            raise ValidationError({"merged_into": _("병합은 파일로 하지 않습니다. 병합 화면에서 하세요.")})
        return unit

    def made(self, key: tuple[str, str], row: dict[str, Any]) -> Unit:
        prefix, slug = key
        kind = cell(row, "type") or ("" if prefix == "entity" else prefix)
        if not kind:
            raise ValidationError({"type": _("새 단위에는 종류가 있어야 합니다.")})
        if not _SLUG.fullmatch(slug):
            raise ValidationError({"slug": _("슬러그는 영문 소문자, 숫자, -로 96자까지입니다.")})
        return Unit(type=kind, slug=slug)

    def validate_instance(
        self, instance: Unit, import_validation_errors: Any = None, validate_unique: bool = True
    ) -> None:
        errors = dict(import_validation_errors or {})
        former = Status.DRAFT if instance.pk is None else self._before.status
        if instance.status != former and not self.may_publish:
            errors["status"] = ValidationError(
                _("상태를 바꿀 권한이 없습니다. %(status)s(으)로 두거나 칸을 비우세요.") % {"status": former}
            )
        for name in self._identity_touched(instance):
            errors[name] = ValidationError(_("공개한 단위의 이 칸은 공개 권한이 있어야 바꿉니다."))
        if instance.occurred_at and instance.type != UnitType.EVENT:
            errors["occurred_at"] = ValidationError(_("사건만 일어난 때가 있습니다."))
        super().validate_instance(instance, errors, validate_unique)

    def _identity_touched(self, instance: Unit) -> list[str]:
        """The cells of a unit's identity that this editor must leave alone, as on its page."""
        if self.may_publish or instance.pk is None or self._before.status == Status.DRAFT:
            return []
        return [name for name in IDENTITY if getattr(instance, name) != getattr(self._before, name)]

    def save_instance(self, instance: Unit, is_create: bool, row: dict[str, Any], **kwargs: Any) -> None:
        wanted = instance.status
        instance.status = Status.DRAFT if is_create else self._before.status
        super().save_instance(instance, is_create, row, **kwargs)
        if wanted != instance.status:
            try:
                curation.set_status(instance, Status(wanted))
            except curation.CurationError as error:
                raise ValidationError({"status": str(error)}) from error
            instance.status = wanted


class AliasResource(Exchanged):
    """Aliases by unit and surface. To take one away its ``active`` is set to false."""

    keeps_when_blank = frozenset({"case_sensitive", "ambiguous", "active"})
    joined = ("unit",)

    unit = Field(attribute="unit", column_name="unit", readonly=True)
    surface = Field(attribute="surface", column_name="surface", readonly=True, widget=Text())
    lang = Field(attribute="lang", column_name="lang", widget=Choice(AliasLanguage.values))
    case_sensitive = Field(attribute="case_sensitive", column_name="case_sensitive", widget=YesOrNo())
    ambiguous = Field(attribute="ambiguous", column_name="ambiguous", widget=YesOrNo())
    blocked_contexts = Field(attribute="blocked_contexts", column_name="blocked_contexts", widget=Words())
    active = Field(attribute="active", column_name="active", widget=YesOrNo())

    class Meta:
        model = Alias
        fields = ("unit", "surface", "lang", "case_sensitive", "ambiguous", "blocked_contexts", "active")
        skip_unchanged = True

    def dehydrate_unit(self, alias: Alias) -> str:
        return alias.unit.public_id

    def before_import(self, dataset: Dataset, **kwargs: Any) -> None:
        slugs = {cell(row, "unit").partition(":")[2] for row in dataset.dict}
        units = Unit.objects.get_queryset().filter(slug__in=slugs)
        self._units = {unit.public_id: unit for unit in units}
        aliases = Alias.objects.filter(Q(unit__in=units)).select_related("unit")
        self._present = {(alias.unit.public_id, one_line(alias.surface)): alias for alias in aliases}

    def key_of(self, row: dict[str, Any]) -> tuple[str, str]:
        public_id, surface = cell(row, "unit"), one_line(cell(row, "surface"))
        if not surface:
            raise ValidationError({"surface": _("표기가 비어 있습니다.")})
        if public_id not in self._units:
            raise ValidationError(
                {
                    "unit": _("그런 단위가 없습니다: %(id)s. 단위를 먼저 가져오세요.")
                    % {"id": public_id[:120] or "-"}
                }
            )
        return public_id, surface

    def present(self, key: tuple[str, str], row: dict[str, Any]) -> Alias | None:
        return self._present.get(key)

    def made(self, key: tuple[str, str], row: dict[str, Any]) -> Alias:
        return Alias(unit=self._units[key[0]], surface=key[1])

    def validate_instance(
        self, instance: Alias, import_validation_errors: Any = None, validate_unique: bool = True
    ) -> None:
        instance.derive()
        super().validate_instance(instance, import_validation_errors, validate_unique)

    def saved_with(self, changed: set[str]) -> set[str]:
        return changed | {"norm", "unit_type"}


RESOURCES: dict[type[Any], type[Exchanged]] = {Unit: UnitResource, Alias: AliasResource}
