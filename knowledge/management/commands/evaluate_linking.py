import json as json_format
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from knowledge.evaluation.linking import LinkingScores, Miss, evaluate, read_cases, read_linker

LEAST_PRECISION = LEAST_RECALL = 0.95


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
        report = evaluate(read_linker(units), list(read_cases(cases)))
        text = json_format.dumps(report, ensure_ascii=False) if json else as_text(report)
        # A case may hold half a surrogate pair, which no terminal takes.
        self.stdout.write(text.encode("utf-8", "replace").decode())
        if report["precision"] < LEAST_PRECISION or report["recall"] < LEAST_RECALL:
            raise CommandError(f"below precision {LEAST_PRECISION} or recall {LEAST_RECALL}", returncode=1)


def as_text(report: LinkingScores) -> str:
    head = f"{report['cases']} sentences: precision {report['precision']:.4f}, recall {report['recall']:.4f}"
    return "\n".join([head, *map(_miss_as_text, report["misses"])])


def _miss_as_text(miss: Miss) -> str:
    expected, found = (", ".join(units) or "none" for units in (miss["expected"], miss["found"]))
    return f"  {miss['text']}  expected {expected}; found {found}"
