"""Precision and recall of the linker over sentences with known units. Pure but for reading the files."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from knowledge.canon.units import public_id_of
from knowledge.evaluation.files import from_json, json_lines, read_text, records
from knowledge.linking.automaton import AliasSpec
from knowledge.linking.linker import Linker

CanonUnit = Mapping[str, Any]  # as the files of the canon have it


class Case(NamedTuple):
    """A sentence, the units that a careful reader finds in it, and whether it comes from a channel on crypto."""

    text: str
    units: list[str]
    crypto: bool = False


class Miss(TypedDict):
    text: str
    expected: list[str]
    found: list[str]


class LinkingScores(TypedDict):
    precision: float
    recall: float
    cases: int
    misses: list[Miss]


def evaluate(linker: Linker, cases: list[Case]) -> LinkingScores:
    """Compare the units of each sentence; precision and recall are over all (sentence, unit) pairs."""
    right = named = known = 0
    misses: list[Miss] = []
    for text, units, crypto in cases:
        expected, found = set(units), set(map(str, linker.units(text, crypto_channel=crypto)))
        right += len(expected & found)
        named += len(found)
        known += len(expected)
        if expected != found:
            misses.append({"text": text, "expected": sorted(expected), "found": sorted(found)})
    return {
        "precision": round(right / named, 4) if named else 1.0,
        "recall": round(right / known, 4) if known else 1.0,
        "cases": len(cases),
        "misses": misses,
    }


def read_linker(path: Path) -> Linker:
    """The linker over a file of units. Raises MalformedFileError."""
    units = records(from_json(read_text(path), str(path)), str(path), "units")
    return Linker(
        alias_spec(unit.string("unit"), alias.string("surface"), alias.members, unit.string("type", ""))
        for unit in units
        for alias in unit.records("aliases")
    )


def linker_of_canon(units: Iterable[CanonUnit]) -> Linker:
    """The linker over records of the canon, by public id: no database."""
    return Linker(
        alias_spec(public_id_of(unit), alias["surface"], alias, unit["type"])
        for unit in units
        for alias in unit["aliases"]
    )


def alias_spec(unit: str, surface: str, judged: Mapping[str, Any], kind: str) -> AliasSpec:
    """An alias as files have it: ``judged`` holds what an editor said of it, if anything."""
    return AliasSpec(
        unit,
        surface,
        case_sensitive=judged.get("case_sensitive"),
        ambiguous=judged.get("ambiguous"),
        blocked_contexts=tuple(map(str, judged.get("blocked_contexts") or ())),
        kind=kind,
    )


def read_cases(path: Path) -> Iterator[Case]:
    """One case for each line that is not blank. Raises MalformedFileError."""
    for case in json_lines(path):
        crypto = case.boolean("crypto") if "crypto" in case.members else False
        yield Case(case.string("text"), case.strings("units"), crypto)
