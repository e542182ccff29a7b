"""What clustering is tried on: documents from a JSON Lines file, and the units of the starter canon; and how well it
did, where the documents are labelled with their events. Pure but for reading the files."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from knowledge.canon import loader
from knowledge.canon.units import public_id_of
from knowledge.evaluation.files import Record, json_lines
from knowledge.evaluation.linking import CanonUnit, linker_of_canon
from knowledge.events.clustering import UnitsOf
from knowledge.events.features import EventDoc, NamedUnit

Pair = tuple[int, int]


class PairScores(NamedTuple):
    """Shares from 0 to 1 of pairs of documents, 1 where there is no pair to judge. `wrong` and `missed` are pairs of
    row numbers, the lower first, in order."""

    precision: float
    recall: float
    wrong: list[Pair]
    missed: list[Pair]


def score_pairs(clusters: Iterable[Sequence[int]], labels: Sequence[str]) -> PairScores:
    """Compare the pairs of rows that stand in one cluster with those that report one event. `labels` names the event
    of each row, "" where it reports none and so belongs with no other."""
    found = pairs_within(clusters)
    rows_of: dict[str, list[int]] = {}
    for row, label in enumerate(labels):
        if label:
            rows_of.setdefault(label, []).append(row)
    true = pairs_within(rows_of.values())
    right = len(found & true)
    return PairScores(
        precision=right / len(found) if found else 1.0,
        recall=right / len(true) if true else 1.0,
        wrong=sorted(found - true),
        missed=sorted(true - found),
    )


def pairs_within(groups: Iterable[Sequence[int]]) -> set[Pair]:
    """The pairs of rows that stand in one group, the lower row first."""
    return {pair for rows in groups for pair in combinations(sorted(rows), 2)}


def read_documents(path: Path) -> list[EventDoc]:
    """One document a line: an object with title, outlet, lang and, where known, lead, url and publishedAt
    (RFC 3339 with an offset, or null). Other members are ignored, blank lines too. Raises
    MalformedFileError."""
    return [_document(record) for record in json_lines(path)]


def read_labels(path: Path) -> list[str]:
    """The event that each document of such a file reports: its member "event", or "" where that is null or left out.
    Raises MalformedFileError."""
    return [record.string("event", "") for record in json_lines(path)]


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
    too, because the event's name hides theirs. An outlet that is an entity, and no news source of the canon's, is
    the author of an announcement."""
    # By the public id, by which the canon's events name their parts.
    linker = linker_of_canon(units)
    parts = {public_id_of(unit): [*unit.get("entities", ()), *unit.get("topics", ())] for unit in units}

    reporters = _reporters()

    def author(outlet: str) -> list[NamedUnit]:
        found = [] if outlet in reporters else linker.find(outlet)
        whole = [str(name.unit) for name in found if name.surface == outlet]
        return [NamedUnit(unit, 0, 0) for unit in whole if unit.startswith("entity:")]

    def named(document: EventDoc) -> list[NamedUnit]:
        units = [
            NamedUnit(unit, found.start, found.end)
            for found in linker.find(document.text)
            for unit in (str(found.unit), *parts[str(found.unit)])
        ]
        return units + author(document.outlet)

    return named


def _reporters() -> frozenset[str]:
    """The names of the sources that report what others did."""
    sources = (source for path in loader.starter_paths() for source in loader.read(path).get("sources", []))
    return frozenset(
        source["name"] for source in sources if source["kind"] == "news" and not source.get("primary")
    )
