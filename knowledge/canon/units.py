"""Canon records of units, with their aliases and relations, to and from the database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from simple_history.utils import bulk_create_with_history, bulk_update_with_history

from knowledge.canon.records import Form, UpsertResult, upsert_unless_edited
from knowledge.invisible import one_line
from knowledge.models import Alias, EventUnit, Status, Unit, UnitType, prefix_of

REASON = "canon"  # what a history says of this loader's changes
TEXT_FIELDS = ("label", "summary", "summary_en", "symbol", "website")
ALIAS_DEFAULTS: dict[str, Any] = {
    "lang": "",
    "case_sensitive": False,
    "ambiguous": False,
    "blocked_contexts": [],
}


def public_id_of(record: Mapping[str, Any]) -> str:
    return f"{prefix_of(record['type'])}:{record['slug']}"


def resolve(public_id: str) -> Unit:
    """The unit with this id. Raises Unit.DoesNotExist with the id in its message."""
    unit = Unit.objects.find(public_id)
    if unit is None:
        raise Unit.DoesNotExist(f"no unit {public_id}")
    return unit


def instant(value: str) -> str:
    """One spelling for one moment, so that +09:00 in a file equals UTC from the database."""
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError(f"{value} has no offset")
    return moment.astimezone(UTC).isoformat()


def present_units() -> dict[str, Unit]:
    """Every unit by its public id, with what its canonical form needs, in a few queries."""
    units = Unit.objects.prefetch_related("aliases", "event_units__unit")
    return {unit.public_id: unit for unit in units}


def load(record: Mapping[str, Any], present: Mapping[str, Unit]) -> UpsertResult:
    """Bring one unit to the form of ``record``; raises ValueError or KeyError for an invalid record."""
    if record["type"] not in UnitType.values:
        raise ValueError(f"unknown type {record['type']!r}")

    def write(unit: Unit | None, form: Form, mark: str) -> None:
        _write(unit or Unit(slug=record["slug"], status=record.get("status", Status.PUBLISHED)), form, mark)

    return upsert_unless_edited(
        present.get(public_id_of(record)), _wanted(record), read=_present, write=write
    )


def _wanted(record: Mapping[str, Any]) -> Form:
    occurred_at = record.get("occurred_at")
    return {
        "type": record["type"],
        **_texts(record),
        "occurred_at": instant(occurred_at) if occurred_at else "",
        "aliases": _sorted(
            {**ALIAS_DEFAULTS, **alias, "surface": one_line(alias["surface"])}
            for alias in record.get("aliases", [])
        ),
        "related": sorted([*record.get("entities", []), *record.get("topics", [])]),
    }


def _texts(record: Mapping[str, Any]) -> dict[str, str]:
    """The record's texts as a unit keeps them."""
    unit = Unit(**{name: record.get(name) or "" for name in TEXT_FIELDS})
    unit.tidy()
    return {name: getattr(unit, name) for name in TEXT_FIELDS}


def _present(unit: Unit) -> Form:
    return {
        "type": unit.type,
        **{name: getattr(unit, name) for name in TEXT_FIELDS},
        "occurred_at": instant(unit.occurred_at.isoformat()) if unit.occurred_at else "",
        "aliases": _sorted(
            {"surface": alias.surface, **{name: getattr(alias, name) for name in ALIAS_DEFAULTS}}
            for alias in unit.aliases.all()
        ),
        "related": sorted(row.unit.public_id for row in unit.event_units.all()),
    }


def _sorted(aliases: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(aliases, key=lambda alias: alias["surface"])


def _write(unit: Unit, form: Form, mark: str) -> None:
    unit.type = form["type"]
    for name in TEXT_FIELDS:
        setattr(unit, name, form[name])
    unit.occurred_at = datetime.fromisoformat(form["occurred_at"]) if form["occurred_at"] else None
    unit.canon_sha256 = mark
    unit._change_reason = REASON  # type: ignore[attr-defined]
    unit.save()
    _write_aliases(unit, form["aliases"])
    _write_related(unit, form["related"])


def _write_aliases(unit: Unit, wanted: list[Mapping[str, Any]]) -> None:
    present = {alias.surface: alias for alias in unit.aliases.all()}
    for surface in present.keys() - {fields["surface"] for fields in wanted}:
        gone = present.pop(surface)
        gone._change_reason = REASON  # type: ignore[attr-defined]
        gone.delete()
    fresh, changed = [], []
    for fields in wanted:
        known = present.get(fields["surface"])
        alias = known or Alias(unit=unit, surface=fields["surface"])
        if known is None:
            fresh.append(alias)
        elif any(getattr(alias, name) != fields[name] for name in ALIAS_DEFAULTS):
            changed.append(alias)
        for name in ALIAS_DEFAULTS:
            setattr(alias, name, fields[name])
        alias.derive()
    # In bulk, for the starter canon has thousands; by these functions, for a bulk write by itself leaves no history.
    bulk_create_with_history(fresh, Alias, default_change_reason=REASON)
    written = [*ALIAS_DEFAULTS, "norm", "unit_type"]
    bulk_update_with_history(changed, Alias, written, default_change_reason=REASON)


def _write_related(unit: Unit, wanted: list[str]) -> None:
    present = {row.unit.public_id: row for row in unit.event_units.all()}
    for public_id in present.keys() - set(wanted):
        present[public_id].delete()
    links = [
        EventUnit(event=unit, unit=resolve(public_id)) for public_id in wanted if public_id not in present
    ]
    EventUnit.objects.bulk_create(links)
