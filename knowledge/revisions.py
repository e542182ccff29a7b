"""Histories read: who changed which field from what to what, and a row as it once was.

A record is a row of a model's history (see ``knowledge.models.history``); it shows the row after the change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from knowledge.models import Alias, Unit
from knowledge.models.history import DELETED

SHOWN = 200  # newest records on one page

REASONS = {
    "baseline": _("기록 시작"),
    "canon": _("정본 파일"),
    "draft": _("초안으로"),
    "published": _("공개"),
    "retracted": _("철회"),
    "merge": _("병합"),
    "unmerge": _("병합 되돌림"),
    "split": _("나누기"),
    "revert": _("되돌림"),
    "import": _("들여오기"),
}


class Difference(NamedTuple):
    """One field, told apart: the values as an editor reads them."""

    field: str
    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Revision:
    """One change. ``subject`` is what changed; ``by`` is empty when no person did it.

    ``is_latest``: the row has not changed since.
    """

    record: Any
    subject: str
    at: datetime
    by: str
    kind: str
    reason: str
    differences: Sequence[Difference]
    is_latest: bool

    @property
    def can_be_restored(self) -> bool:
        """Whether there is anything to go back to."""
        return self.kind != DELETED and not self.is_latest


def revisions_of(row: models.Model) -> list[Revision]:
    """The newest changes of a row, newest first."""
    return _told(type(row).history.filter(id=row.pk))  # type: ignore[attr-defined]


def revisions_of_unit(unit: Unit) -> list[Revision]:
    """The newest changes of a unit and of every alias it ever had, newest first."""
    ever = Alias.history.filter(unit_id=unit.pk).values("id")
    told = [*revisions_of(unit), *_told(Alias.history.filter(id__in=ever))]
    return sorted(told, key=lambda revision: revision.at, reverse=True)[:SHOWN]


def record_of(model: type[models.Model], history_id: int) -> Any:
    """A record of a model's history, or None."""
    return model.history.filter(history_id=history_id).first()  # type: ignore[attr-defined]


def differences(row: Any, record: Any, names: Mapping[int, str] | None = None) -> list[Difference]:
    """The fields in which a record of the history differs from ``row``, which may be another record.

    ``names`` are what the units are called that either may point to; without it they are looked up.
    """
    changed = [field for field in record.tracked_fields if _value(row, field) != _value(record, field)]
    names = _names((row, record), changed) if names is None else names
    return [
        Difference(
            field.name,
            str(field.verbose_name),
            _shown(field, _value(row, field), names),
            _shown(field, _value(record, field), names),
        )
        for field in changed
        if not field.primary_key
    ]


@transaction.atomic
def revert(record: Any) -> models.Model:
    """Bring a row back to how a record has it, a deleted one included. Raises ValidationError where it cannot stand so.

    Units have ``curation.revert``: their changes have consequences.
    """
    model: type[models.Model] = record.instance_type
    row = model._base_manager.select_for_update().filter(pk=record.id).first() or model(pk=record.id)
    for field in record.tracked_fields:
        setattr(row, field.attname, getattr(record, field.attname))
    row._change_reason = "revert"  # type: ignore[attr-defined]
    # Fields that nobody edits follow from the others when the row is saved.
    row.full_clean(exclude=[field.name for field in model._meta.fields if not field.editable])
    row.save()
    return row


def present_row(record: Any) -> models.Model | None:
    """The row that a record is of, as it is now; None once it is deleted."""
    model: type[models.Model] = record.instance_type
    return model._base_manager.filter(pk=record.id).first()


def _told(records: Any) -> list[Revision]:
    rows = list(records.select_related("history_user").order_by("-history_date", "-history_id")[: SHOWN + 1])
    names = _names(rows, rows[0].tracked_fields) if rows else {}
    latest = {record.id: record.history_id for record in reversed(rows)}
    former: dict[int, Any] = {}
    told = []
    for record in reversed(rows):
        is_latest = latest[record.id] == record.history_id
        told.append(_revision(record, former.get(record.id), names, is_latest=is_latest))
        former[record.id] = record
    return told[::-1][:SHOWN]


def _revision(record: Any, former: Any, names: Mapping[int, str], *, is_latest: bool) -> Revision:
    changed = differences(former, record, names) if former is not None else []
    reason = record.history_change_reason or ""
    return Revision(
        record=record,
        subject=str(record.instance_type._meta.verbose_name),
        at=record.history_date,
        by=str(record.history_user) if record.history_user else "",
        kind=record.history_type,
        reason=str(REASONS.get(reason, reason)),
        differences=changed,
        is_latest=is_latest,
    )


def _value(row: Any, field: models.Field[Any, Any]) -> Any:
    return getattr(row, field.attname)


def _names(rows: Iterable[Any], fields: Iterable[models.Field[Any, Any]]) -> dict[int, str]:
    """What the units are called that relations among the fields point to."""
    keys = {_value(row, field) for field in fields if field.is_relation for row in rows} - {None}
    return {unit.pk: str(unit) for unit in Unit.objects.get_queryset().filter(pk__in=keys)} if keys else {}


def _shown(field: models.Field[Any, Any], value: Any, names: Mapping[int, str]) -> str:
    if value is None or value == "":
        return ""
    if field.is_relation:
        return names.get(value, f"#{value}")
    if isinstance(value, bool):
        return str(_("예") if value else _("아니요"))
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(dict(field.flatchoices).get(value, value))
