"""What clustering is tried on: documents from a JSON Lines file, and the units of the starter canon. Pure but for
reading the files."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from knowledge import canon
from knowledge.evaluation.files import Record, json_lines
from knowledge.evaluation.linking import alias_spec
from knowledge.events.clustering import UnitsOf
from knowledge.events.features import EventDoc, NamedUnit
from knowledge.linking.linker import Linker
from knowledge.models import Unit

CanonUnit = Mapping[str, Any]


def read_documents(path: Path) -> list[EventDoc]:
    """One document a line: an object with title, outlet, lang and, where known, lead, url and publishedAt
    (RFC 3339 with an offset, or null). Other members are ignored, blank lines too. Raises
    MalformedFileError."""
    return [_document(record) for record in json_lines(path)]


def _document(record: Record) -> EventDoc:
    title, at = record.string("title", ""), record.string("publishedAt", "")
    if not title.strip():
        raise record.refusal("the title is missing")
    try:
        return EventDoc(
            title=title,
            lead=record.string("lead", ""),
            outlet=record.string("outlet", ""),
            at=datetime.fromisoformat(at) if at else None,
            lang=record.string("lang", ""),
            url=record.string("url", ""),
        )
    except ValueError as error:
        raise record.refusal(f"publishedAt {at!r}: {error}") from error


def starter_canon() -> list[CanonUnit]:
    """The units of the JSON files beside `knowledge.canon`, as load_canon takes them."""
    files = sorted(Path(canon.__file__).parent.glob("*.json"))
    return [unit for file in files for unit in json.loads(file.read_text(encoding="utf-8")).get("units", [])]


def units_of_canon(units: Sequence[CanonUnit]) -> UnitsOf:
    """A linker over the canon. A published event that a document names stands for its entities and topics
    too, because the event's name hides theirs."""
    linker = Linker(
        alias_spec(_key(unit), alias["surface"], alias, unit["type"])
        for unit in units
        for alias in unit["aliases"]
    )
    parts = {_key(unit): [*unit.get("entities", ()), *unit.get("topics", ())] for unit in units}

    def named(document: EventDoc) -> list[NamedUnit]:
        return [
            NamedUnit(unit, found.start, found.end)
            for found in linker.find(document.text)
            for unit in (str(found.unit), *parts[str(found.unit)])
        ]

    return named


def _key(unit: CanonUnit) -> str:
    """The public id, by which the canon's events name their parts."""
    return Unit(type=unit["type"], slug=unit["slug"]).public_id
