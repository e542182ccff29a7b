"""What clustering is tried on: documents from a JSON Lines file, and the units of the starter canon. Pure but for
reading the files."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from knowledge.canon import loader
from knowledge.canon.units import public_id_of
from knowledge.evaluation.files import Record, json_lines
from knowledge.evaluation.linking import alias_spec
from knowledge.events.clustering import UnitsOf
from knowledge.events.features import EventDoc, NamedUnit
from knowledge.linking.linker import Linker

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
    """The units of the starter canon, as load_canon takes them."""
    return [unit for path in loader.starter_paths() for unit in loader.read(path).get("units", [])]


def units_of_canon(units: Sequence[CanonUnit]) -> UnitsOf:
    """A linker over the canon. A published event that a document names stands for its entities and topics
    too, because the event's name hides theirs."""
    # By the public id, by which the canon's events name their parts.
    linker = Linker(
        alias_spec(public_id_of(unit), alias["surface"], alias, unit["type"])
        for unit in units
        for alias in unit["aliases"]
    )
    parts = {public_id_of(unit): [*unit.get("entities", ()), *unit.get("topics", ())] for unit in units}

    def named(document: EventDoc) -> list[NamedUnit]:
        return [
            NamedUnit(unit, found.start, found.end)
            for found in linker.find(document.text)
            for unit in (str(found.unit), *parts[str(found.unit)])
        ]

    return named
