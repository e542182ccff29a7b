"""What clustering is tried on: documents from a JSON Lines file, and the units of the starter canon. Pure but for
reading the files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from knowledge import canon
from knowledge.evaluation.files import MalformedFileError, json_lines
from knowledge.events.clustering import UnitsOf
from knowledge.events.similarity import EventDoc, NamedUnit
from knowledge.linking.automaton import AliasSpec
from knowledge.linking.linker import Linker

CANON = Path(canon.__file__).parent
CanonUnit = Mapping[str, Any]
FIELDS = ("title", "lead", "outlet", "publishedAt", "lang", "url")


def read_documents(path: Path) -> list[EventDoc]:
    """One document a line: an object with title, outlet, lang and, where known, lead, url and publishedAt
    (RFC 3339 with an offset, or null). Other members are ignored, blank lines too. Raises
    MalformedFileError."""
    documents = []
    for where, row in json_lines(path):
        try:
            documents.append(_document(row))
        except ValueError as error:
            raise MalformedFileError(f"{where}: {error}") from error
    return documents


def _document(row: Any) -> EventDoc:
    if not isinstance(row, dict):
        raise ValueError("not an object")
    for name in FIELDS:
        if not isinstance(row.get(name), str | None):
            raise ValueError(f"{name} is not text")
    if not (row.get("title") or "").strip():
        raise ValueError("the title is missing")
    return EventDoc(
        title=row["title"],
        lead=row.get("lead") or "",
        outlet=row.get("outlet") or "",
        at=_time(row.get("publishedAt")),
        lang=row.get("lang") or "",
        url=row.get("url") or "",
    )


def _time(text: str | None) -> datetime | None:
    if not text:
        return None
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"publishedAt {text!r} has no offset")
    return at


def starter_canon() -> list[CanonUnit]:
    """The units of the JSON files beside `knowledge.canon`, as load_canon takes them."""
    files = sorted(CANON.glob("*.json"))
    return [unit for file in files for unit in json.loads(file.read_text(encoding="utf-8")).get("units", [])]


def units_of_canon(units: Sequence[CanonUnit]) -> UnitsOf:
    """A linker over the canon. A published event that a document names stands for its entities and topics
    too, because the event's name hides theirs."""
    linker = Linker(_alias_forms(units))
    parts = {_key(unit): [*unit.get("entities", ()), *unit.get("topics", ())] for unit in units}

    def named(document: EventDoc) -> list[NamedUnit]:
        return [
            NamedUnit(unit, found.start, found.end)
            for found in linker.find(document.text)
            for unit in (str(found.unit), *parts[str(found.unit)])
        ]

    return named


def _alias_forms(units: Iterable[CanonUnit]) -> Iterator[AliasSpec]:
    for unit in units:
        for alias in unit["aliases"]:
            yield AliasSpec(
                _key(unit),
                alias["surface"],
                case_sensitive=alias.get("case_sensitive"),
                ambiguous=alias.get("ambiguous"),
                blocked_contexts=tuple(alias.get("blocked_contexts", ())),
                kind=unit["type"],
            )


def _key(unit: CanonUnit) -> str:
    """The public id, by which the canon's events name their parts."""
    prefix = unit["type"] if unit["type"] in ("asset", "creator", "topic", "event") else "entity"
    return f"{prefix}:{unit['slug']}"
