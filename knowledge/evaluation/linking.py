"""Precision and recall of the linker over sentences with known units. Pure but for reading the files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict

from knowledge.evaluation.files import MalformedFileError, from_json, json_lines, read_text
from knowledge.linking.automaton import AliasSpec
from knowledge.linking.linker import Linker


class Miss(TypedDict):
    text: str
    expected: list[str]
    found: list[str]


class LinkingScores(TypedDict):
    precision: float
    recall: float
    cases: int
    misses: list[Miss]


def evaluate(linker: Linker, cases: list[tuple[str, list[str]]]) -> LinkingScores:
    """Compare the units of each sentence; precision and recall are over all (sentence, unit) pairs."""
    right = named = known = 0
    misses: list[Miss] = []
    for text, units in cases:
        expected, found = set(units), set(map(str, linker.units(text)))
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
    records = from_json(read_text(path), str(path))
    if not isinstance(records, list):
        raise MalformedFileError(f"{path}: expected a list of units")
    return Linker(
        form for number, record in enumerate(records) for form in _forms(record, f"{path}: unit {number}")
    )


def read_cases(path: Path) -> Iterator[tuple[str, list[str]]]:
    """(text, units) for each line that is not blank. Raises MalformedFileError."""
    for where, case in json_lines(path):
        if not isinstance(case, dict) or not isinstance(case.get("text"), str):
            raise MalformedFileError(f'{where}: expected {{"text": …, "units": […]}}')
        units = case.get("units")
        if not isinstance(units, list) or not all(isinstance(unit, str) for unit in units):
            raise MalformedFileError(f'{where}: "units" must be a list of strings')
        yield case["text"], units


def _forms(record: Any, where: str) -> Iterator[AliasSpec]:
    if not isinstance(record, dict) or not isinstance(record.get("unit"), str):
        raise MalformedFileError(f'{where}: expected {{"unit": …, "aliases": […]}}')
    aliases = record.get("aliases")
    if not isinstance(aliases, list):
        raise MalformedFileError(f'{where} ({record["unit"]}): "aliases" must be a list')
    for alias in aliases:
        if not isinstance(alias, dict) or not isinstance(alias.get("surface"), str):
            raise MalformedFileError(f'{where} ({record["unit"]}): an alias needs a "surface"')
        yield AliasSpec(
            unit=record["unit"],
            surface=alias["surface"],
            case_sensitive=alias.get("case_sensitive"),
            ambiguous=alias.get("ambiguous"),
            blocked_contexts=tuple(map(str, alias.get("blocked_contexts") or ())),
            kind=str(record.get("type") or ""),
        )
