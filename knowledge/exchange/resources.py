"""What of units, aliases and relations goes into a file, and how a row of one becomes a saved record.

A unit is found by its public id, an alias by its unit's id and its surface, a relation by its ends, kind and start,
so files move between installations.
A column that is absent leaves its values as they are. Every record goes through ``save()``: history is written.
"""

import hashlib
import re
from operator import attrgetter
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from import_export.fields import Field
from import_export.resources import Diff, ModelResource
from import_export.results import Result
from tablib import Dataset

from knowledge import curation, receivers
from knowledge.exchange.formats import UnreadableFileError, in_one_cell
from knowledge.exchange.widgets import Choice, Moment, Text, Words
from knowledge.invisible import one_line
from knowledge.models import (
    PREFIXES,
    Alias,
    AliasLanguage,
    Category,
    Relation,
    RelationKind,
    Status,
    Unit,
    UnitType,
    prefix_of,
)

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,95}")
# The library's own widget takes every word that it does not know for false.
_BOOLEANS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class ChangedCells(Diff):  # type: ignore[misc]
    """``[(column, old, new)]`` of the cells that differ. The policy forbids the inline styles of the library's HTML."""

    def compare_with(self, resource: ModelResource, instance: Any) -> None:
        super().compare_with(resource, instance)
        self.columns = resource.get_diff_headers()

    def as_html(self) -> list[tuple[str, str, str]]:
        before = [""] * len(self.left) if self.new else map(in_one_cell, self.left)
        cells = zip(self.columns, before, map(in_one_cell, self.right), strict=True)
        return [(column, old, new) for column, old, new in cells if old != new]


class Exchanged(ModelResource):  # type: ignore[misc]
    """What the kinds of record share. ``may_publish`` says whether the editor may decide what is public."""

    def __init__(self, *, may_publish: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.may_publish = may_publish
        self._present: dict[tuple[str, ...], Any] = {}
        self._seen: set[tuple[str, ...]] = set()
        self._before: Any = None

    @classmethod
    def get_diff_class(cls) -> type[ChangedCells]:
        return ChangedCells

    def import_data(self, dataset: Dataset, dry_run: bool = False, **kwargs: Any) -> Result:
        """All or nothing; documents are linked again once, however many rows there are."""
        with receivers.gathered_relinking() as norms:
            result = super().import_data(
                dataset, dry_run=dry_run, rollback_on_validation_errors=True, **kwargs
            )
            if dry_run or result.has_errors() or result.has_validation_errors():
                norms.clear()
        return result

    def before_import(self, dataset: Dataset, **kwargs: Any) -> None:
        known = self.get_export_headers()
        if unknown := [name for name in dataset.headers if name not in known]:
            raise UnreadableFileError(
                _("모르는 열이 있습니다: %(unknown)s. 쓸 수 있는 열: %(known)s")
                % {"unknown": ", ".join(unknown)[:300] or "-", "known": ", ".join(known)}
            )

    def after_import(self, dataset: Dataset, result: Result, **kwargs: Any) -> None:
        """Refuses an effect other than the one that the editor was ``shown``.

        Not super(): that sets the sequence of ids, from which others draw meanwhile.
        """
        if "shown" in kwargs and kwargs["shown"] != effect_of(result):
            raise UnreadableFileError(
                _("그사이 내용이 바뀌어 미리 본 것과 결과가 다릅니다. 파일을 다시 올려 확인하세요.")
            )

    def present(self, key: tuple[str, ...]) -> Any:
        """The stored record with this key, if any. Raises ValidationError where a row before had the key too."""
        if key in self._seen:
            raise ValidationError(_("파일의 앞 행에 같은 것이 있습니다. 한 행만 남기세요."))
        self._seen.add(key)
        return self._present.get(key)

    def skip_row(self, instance: Any, original: Any, *args: Any, **kwargs: Any) -> bool:
        self._before = original
        # A new record is no copy of itself, however little the row says.
        return instance.pk is not None and bool(super().skip_row(instance, original, *args, **kwargs))

    def validate_instance(
        self, instance: Any, import_validation_errors: Any = None, validate_unique: bool = True
    ) -> None:
        errors = dict(import_validation_errors or {})
        try:
            # Constraints are the database's to check: asked beforehand they are half a dozen queries a row.
            instance.full_clean(
                exclude={*errors, "unit", "merged_into", "subject", "object"},
                validate_unique=False,
                validate_constraints=False,
            )
        except ValidationError as error:
            errors = error.update_error_dict(errors)
        if errors:
            raise ValidationError(errors)

    def do_instance_save(self, instance: Any, is_create: bool) -> None:
        instance._change_reason = "import"
        if is_create:
            instance.save(force_insert=True)
            return
        # Only what the file changes: counts that a worker writes meanwhile are not put back.
        names = {field.attribute for field in self.get_import_fields() if field.attribute}
        instance.save(
            update_fields={name for name in names if getattr(instance, name) != getattr(self._before, name)}
        )


class UnitResource(Exchanged):
    """Units by their public id. Slug and type are fixed once saved; a status is reached by its decision."""

    id = Field(dehydrate_method=attrgetter("public_id"))
    type = Field(attribute="type", readonly=True)
    slug = Field(attribute="slug", readonly=True)
    label = Field(attribute="label", widget=Text(), saves_null_values=False)
    label_en = Field(attribute="label_en", widget=Text(), default="")
    symbol = Field(attribute="symbol", widget=Text(), default="")
    status = Field(
        attribute="status", widget=Choice({word: word for word in Status.values}), saves_null_values=False
    )
    merged_into = Field(dehydrate_method=lambda unit: unit.merged_into.public_id if unit.merged_into else "")
    occurred_at = Field(attribute="occurred_at", widget=Moment())
    website = Field(attribute="website", widget=Text(), default="")
    category = Field(
        attribute="category", widget=Choice({word: word for word in Category.values}), default=""
    )
    country = Field(attribute="country", widget=Text(), default="")
    summary = Field(attribute="summary", widget=Text(), default="")
    summary_en = Field(attribute="summary_en", widget=Text(), default="")
    asked_as = Field(attribute="asked_as", widget=Words())
    source_urls = Field(attribute="source_urls", widget=Words())
    reader_questions = Field(attribute="reader_questions", widget=Words())

    class Meta:
        model = Unit
        fields = (
            *("id", "type", "slug", "label", "label_en", "symbol", "status", "merged_into", "occurred_at"),
            *("website", "category", "country", "summary", "summary_en", "asked_as", "source_urls"),
            "reader_questions",
        )
        skip_unchanged = True

    def before_import(self, dataset: Dataset, **kwargs: Any) -> None:
        slugs = {_cell(row, "id").partition(":")[2] or _cell(row, "slug") for row in dataset.dict}
        units = Unit.objects.filter(slug__in=slugs).select_related("merged_into")
        self._present = {(unit.url_prefix, unit.slug): unit for unit in units}
        super().before_import(dataset, **kwargs)

    def get_or_init_instance(self, instance_loader: Any, row: dict[str, Any]) -> tuple[Unit, bool]:
        prefix, slug = _named_by(row)
        kind = _cell(row, "type")
        unit = self.present((prefix, slug))
        survivor = unit.merged_into.public_id if unit and unit.merged_into else ""
        merged = "merged_into" in row and _cell(row, "merged_into") != survivor
        _refuse_if(merged, "merged_into", _("병합은 파일로 하지 않습니다. 병합 화면에서 하세요."))
        if unit is not None:
            fixed = _("종류는 저장한 뒤 바뀌지 않습니다(지금: %(type)s).") % {"type": unit.type}
            _refuse_if(kind not in ("", unit.type), "type", fixed)
            return unit, False
        kind = kind or ("" if prefix == "entity" else prefix)
        _refuse_if(not kind, "type", _("새 항목에는 종류가 있어야 합니다."))
        _refuse_if(not _SLUG.fullmatch(slug), "slug", _("슬러그는 영문 소문자, 숫자, -로 96자까지입니다."))
        return Unit(type=kind, slug=slug), True

    def skip_row(self, instance: Unit, *args: Any, **kwargs: Any) -> bool:
        instance.tidy()
        return super().skip_row(instance, *args, **kwargs)

    def validate_instance(
        self, instance: Unit, import_validation_errors: Any = None, validate_unique: bool = True
    ) -> None:
        errors = dict(import_validation_errors or {})
        former = self._before
        if not self.may_publish:
            if instance.status != former.status:
                errors["status"] = ValidationError(
                    _("상태를 바꿀 권한이 없습니다. %(status)s(으)로 두거나 칸을 비우세요.")
                    % {"status": former.status}
                )
            for name in curation.guarded_fields(former):
                if getattr(instance, name) != getattr(former, name):
                    errors[name] = ValidationError(
                        _("공개한 항목의 이 칸은 공개 권한이 있어야 바꿀 수 있습니다.")
                    )
        if instance.occurred_at and instance.type != UnitType.EVENT:
            errors["occurred_at"] = ValidationError(_("발생 일시는 사건에만 있습니다."))
        super().validate_instance(instance, errors)

    def save_instance(self, instance: Unit, *args: Any, **kwargs: Any) -> None:
        wanted, instance.status = instance.status, self._before.status
        super().save_instance(instance, *args, **kwargs)
        if wanted != instance.status:
            try:
                curation.set_status(instance, Status(wanted))
            except curation.CurationError as error:
                raise ValidationError({"status": str(error)}) from error
            instance.status = wanted


class AliasResource(Exchanged):
    """Aliases by unit and surface. To take one away its ``active`` is set to false."""

    unit = Field(attribute="unit", readonly=True, dehydrate_method=attrgetter("unit.public_id"))
    surface = Field(attribute="surface", readonly=True)
    lang = Field(attribute="lang", widget=Choice({word: word for word in AliasLanguage.values}), default="")
    case_sensitive = Field(attribute="case_sensitive", widget=Choice(_BOOLEANS), saves_null_values=False)
    ambiguous = Field(attribute="ambiguous", widget=Choice(_BOOLEANS), saves_null_values=False)
    blocked_contexts = Field(attribute="blocked_contexts", widget=Words())
    active = Field(attribute="active", widget=Choice(_BOOLEANS), saves_null_values=False)

    class Meta:
        model = Alias
        fields = ("unit", "surface", "lang", "case_sensitive", "ambiguous", "blocked_contexts", "active")
        skip_unchanged = True

    def before_import(self, dataset: Dataset, **kwargs: Any) -> None:
        slugs = {_cell(row, "unit").partition(":")[2] for row in dataset.dict}
        units = Unit.objects.filter(slug__in=slugs)
        self._units = {unit.public_id: unit for unit in units}
        aliases = Alias.objects.filter(unit__in=units).select_related("unit")
        self._present = {(alias.unit.public_id, one_line(alias.surface)): alias for alias in aliases}
        super().before_import(dataset, **kwargs)

    def get_or_init_instance(self, instance_loader: Any, row: dict[str, Any]) -> tuple[Alias, bool]:
        public_id, surface = _cell(row, "unit"), _cell(row, "surface")
        _refuse_if(not surface, "surface", _("표기가 비어 있습니다."))
        _refuse_if(public_id not in self._units, "unit", _no_unit(public_id))
        alias = self.present((public_id, surface))
        return alias or Alias(unit=self._units[public_id], surface=surface), alias is None

    def validate_instance(self, instance: Alias, *args: Any, **kwargs: Any) -> None:
        instance.derive()
        super().validate_instance(instance, *args, **kwargs)


class RelationResource(Exchanged):
    """Relations by both ends, kind and start. To take one back its ``withdrawn`` is set to true."""

    subject = Field(attribute="subject", readonly=True, dehydrate_method=attrgetter("subject.public_id"))
    kind = Field(attribute="kind", readonly=True)
    object = Field(attribute="object", readonly=True, dehydrate_method=attrgetter("object.public_id"))
    started = Field(attribute="started", readonly=True)
    ended = Field(attribute="ended", widget=Text(), default="")
    reference = Field(attribute="reference", widget=Text(), default="")
    withdrawn = Field(attribute="withdrawn", widget=Choice(_BOOLEANS), saves_null_values=False)

    class Meta:
        model = Relation
        fields = ("subject", "kind", "object", "started", "ended", "reference", "withdrawn")
        skip_unchanged = True

    def before_import(self, dataset: Dataset, **kwargs: Any) -> None:
        slugs = {_cell(row, end).partition(":")[2] for row in dataset.dict for end in ("subject", "object")}
        units = Unit.objects.filter(slug__in=slugs).select_related("merged_into")
        self._units = {unit.public_id: unit for unit in units}
        relations = Relation.objects.filter(subject__in=units).select_related("subject", "object")
        self._present = {_key_of(relation): relation for relation in relations}
        super().before_import(dataset, **kwargs)

    def get_or_init_instance(self, instance_loader: Any, row: dict[str, Any]) -> tuple[Relation, bool]:
        subject, kind, target, started = (
            _cell(row, column) for column in ("subject", "kind", "object", "started")
        )
        kinds = _("다음 가운데 하나여야 합니다: %(values)s") % {"values": ", ".join(RelationKind.values)}
        _refuse_if(kind not in RelationKind.values, "kind", kinds)
        for column, public_id in (("subject", subject), ("object", target)):
            _refuse_if(public_id not in self._units, column, _no_unit(public_id))
        if relation := self.present((subject, kind, target, started)):
            return relation, False
        ends = {"subject": self._units[subject], "object": self._units[target]}
        return Relation(**ends, kind=kind, started=started), True


def _key_of(relation: Relation) -> tuple[str, str, str, str]:
    return relation.subject.public_id, relation.kind, relation.object.public_id, relation.started


def _no_unit(public_id: str) -> str:
    return _("그런 항목이 없습니다: %(id)s. 항목을 먼저 가져오세요.") % {"id": public_id[:120] or "-"}


def effect_of(result: Result) -> str:
    """A fingerprint of what an import changes: the same for the same rows and cells."""
    changed = [(row.object_repr, row.diff) for row in result.rows if not row.is_skip()]
    return hashlib.sha256(repr(changed).encode("utf-8", "backslashreplace")).hexdigest()


def _named_by(row: dict[str, Any]) -> tuple[str, str]:
    """Prefix and slug of the unit that a row is about. Raises ValidationError."""
    public_id, kind, slug = (_cell(row, column) for column in ("id", "type", "slug"))
    kinds = _("다음 가운데 하나여야 합니다: %(values)s") % {"values": ", ".join(UnitType.values)}
    _refuse_if(kind not in ("", *UnitType.values), "type", kinds)
    if not public_id:
        _refuse_if(not (kind and slug), "id", _("id를 쓰거나, type과 slug를 함께 쓰세요."))
        return prefix_of(kind), slug
    prefix, _colon, own_slug = public_id.partition(":")
    malformed = prefix not in PREFIXES or not own_slug
    _refuse_if(malformed, "id", _("asset:btc처럼 종류와 슬러그를 쌍점으로 이어 쓰세요."))
    moved = _("슬러그는 저장한 뒤 바뀌지 않습니다(%(slug)s).") % {"slug": own_slug}
    _refuse_if(slug not in ("", own_slug), "slug", moved)
    odd = _("id(%(id)s)와 종류가 맞지 않습니다.") % {"id": public_id}
    _refuse_if(kind != "" and prefix != prefix_of(kind), "type", odd)
    return prefix, own_slug


def _refuse_if(wrong: bool, column: str, why: str) -> None:
    if wrong:
        raise ValidationError({column: why})


def _cell(row: dict[str, Any], column: str) -> str:
    """A cell as one line of text; empty when the row lacks it."""
    value = row.get(column)
    return one_line(value) if isinstance(value, str) else ""
