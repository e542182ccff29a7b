"""`manage.py evaluate_linking`: precision and recall of the linker over sentences with known units."""

from __future__ import annotations

import json as json_format
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict

from django.core.management.base import BaseCommand, CommandError

from knowledge.linking.linker import Linker
from knowledge.linking.specs import AliasSpec

LEAST_PRECISION = LEAST_RECALL = 0.95


class Miss(TypedDict):
    text: str
    expected: list[str]
    found: list[str]


class Report(TypedDict):
    precision: float
    recall: float
    cases: int
    misses: list[Miss]


class UnreadableFileError(Exception):
    """A file that is not in the expected form; the message says where and what."""


class Command(BaseCommand):
    help = (
        "Links each sentence of CASES.jsonl with exactly the units of UNITS.json and compares with those "
        "expected. Needs no database. Exit status 1 when precision or recall is below 0.95."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "units", type=Path, metavar="UNITS.json", help='[{"unit", "aliases": [{"surface", …}]}]'
        )
        parser.add_argument(
            "cases", type=Path, metavar="CASES.jsonl", help='{"text", "units": [unit, …]} a line'
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, units: Path, cases: Path, json: bool, **options: Any) -> None:
        try:
            report = evaluate(read_linker(units), list(read_cases(cases)))
        except UnreadableFileError as error:
            raise CommandError(str(error), returncode=2) from error
        text = json_format.dumps(report, ensure_ascii=False) if json else as_text(report)
        self.stdout.write(_printable(text))
        if report["precision"] < LEAST_PRECISION or report["recall"] < LEAST_RECALL:
            raise CommandError(f"below precision {LEAST_PRECISION} or recall {LEAST_RECALL}", returncode=1)


def evaluate(linker: Linker, cases: list[tuple[str, list[str]]]) -> Report:
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
    """The linker over a file of units. Raises UnreadableFileError."""
    try:
        records = json_format.loads(_read(path))
    except (json_format.JSONDecodeError, RecursionError) as error:
        raise UnreadableFileError(f"{path}: not JSON: {error}") from error
    if not isinstance(records, list):
        raise UnreadableFileError(f"{path}: expected a list of units")
    return Linker(
        form for number, record in enumerate(records) for form in _forms(record, f"{path}: unit {number}")
    )


def read_cases(path: Path) -> Iterator[tuple[str, list[str]]]:
    """(text, units) for each line that is not blank. Raises UnreadableFileError."""
    for number, line in enumerate(_read(path).split("\n"), start=1):
        if line.strip():
            yield _case(line, f"{path}:{number}")


def _case(line: str, where: str) -> tuple[str, list[str]]:
    try:
        case = json_format.loads(line)
    except (json_format.JSONDecodeError, RecursionError) as error:
        raise UnreadableFileError(f"{where}: not JSON: {error}") from error
    if not isinstance(case, dict) or not isinstance(case.get("text"), str):
        raise UnreadableFileError(f'{where}: expected {{"text": …, "units": […]}}')
    units = case.get("units")
    if not isinstance(units, list) or not all(isinstance(unit, str) for unit in units):
        raise UnreadableFileError(f'{where}: "units" must be a list of strings')
    return case["text"], units


def _forms(record: Any, where: str) -> Iterator[AliasSpec]:
    if not isinstance(record, dict) or not isinstance(record.get("unit"), str):
        raise UnreadableFileError(f'{where}: expected {{"unit": …, "aliases": […]}}')
    aliases = record.get("aliases")
    if not isinstance(aliases, list):
        raise UnreadableFileError(f'{where} ({record["unit"]}): "aliases" must be a list')
    for alias in aliases:
        if not isinstance(alias, dict) or not isinstance(alias.get("surface"), str):
            raise UnreadableFileError(f'{where} ({record["unit"]}): an alias needs a "surface"')
        yield AliasSpec(
            unit=record["unit"],
            surface=alias["surface"],
            case_sensitive=alias.get("case_sensitive"),
            ambiguous=alias.get("ambiguous"),
            blocked_contexts=tuple(map(str, alias.get("blocked_contexts") or ())),
            kind=str(record.get("type") or ""),
        )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UnreadableFileError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UnreadableFileError(f"{path}: not UTF-8 text") from error


def as_text(report: Report) -> str:
    head = f"{report['cases']} sentences: precision {report['precision']:.4f}, recall {report['recall']:.4f}"
    return "\n".join([head, *map(_miss_as_text, report["misses"])])


def _miss_as_text(miss: Miss) -> str:
    expected, found = (", ".join(units) or "none" for units in (miss["expected"], miss["found"]))
    return f"  {miss['text']}  expected {expected}; found {found}"


def _printable(text: str) -> str:
    # A case may hold half a surrogate pair, which no terminal takes.
    return text.encode("utf-8", "replace").decode()
