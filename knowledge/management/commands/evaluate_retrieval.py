from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from knowledge.evaluation import retrieval
from knowledge.evaluation.retrieval import LabelledPassage, LabelledQuestion


class Command(BaseCommand):
    help = (
        "Measure search on labelled questions: index PASSAGES into a temporary place, ask every one of"
        " QUERIES, print the scores of each source and their mean. The live data stays as it is."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "passages", type=Path, metavar="PASSAGES.jsonl", help='lines of {"id", "title", "text"}'
        )
        parser.add_argument(
            "queries",
            type=Path,
            metavar="QUERIES.jsonl",
            help='lines of {"id", "question", "relevant": [passage ids], "source" (may be left out)}',
        )
        parser.add_argument(
            "--run",
            type=Path,
            metavar="OUT.json",
            help="write {query id: [passage ids, best first, at most 100]}",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        passages = list(_passages(options["passages"]))
        questions = list(_questions(options["queries"]))
        out: Path | None = options["run"]
        if out is not None and not out.resolve().parent.is_dir():
            raise _misuse(f"--run {out}: there is no such folder")
        run = retrieval.rank(passages, questions, now=timezone.now(), progress=self._report)
        if out is not None:
            out.write_text(json.dumps(run, ensure_ascii=False), encoding="utf-8")
        scores = retrieval.scores(run, questions)
        self.stdout.write(json.dumps(_rounded(scores), ensure_ascii=False, indent=1))

    def _report(self, line: str) -> None:
        self.stderr.write(line, style_func=str)


def _passages(path: Path) -> Iterator[LabelledPassage]:
    seen: set[str] = set()
    for place, record in _records(path):
        passage = LabelledPassage(
            _string(record, "id", place),
            _string(record, "title", place, default=""),
            _string(record, "text", place),
        )
        if passage.id in seen:
            raise _misuse(f"{place}: the id {passage.id!r} stands twice")
        seen.add(passage.id)
        yield passage


def _questions(path: Path) -> Iterator[LabelledQuestion]:
    for place, record in _records(path):
        relevant = record.get("relevant")
        if not isinstance(relevant, list) or not all(isinstance(name, str) for name in relevant):
            raise _misuse(f'{place}: "relevant" must be a list of passage ids')
        source = _string(record, "source", place, default="") or None
        yield LabelledQuestion(
            _string(record, "id", place), _string(record, "question", place), frozenset(relevant), source
        )


def _records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a JSON-lines file and where each stands; raises CommandError for anything else."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise _misuse(f"cannot read {path}: {error}") from error
    records = [(f"{path}:{number}", line) for number, line in enumerate(lines, 1) if line.strip()]
    if not records:
        raise _misuse(f"{path} is empty")
    for place, line in records:
        try:
            record = json.loads(line)
        except ValueError as error:
            raise _misuse(f"{place}: not JSON: {error}") from error
        if not isinstance(record, dict):
            raise _misuse(f"{place}: not a JSON object")
        yield place, record


def _string(record: dict[str, Any], name: str, place: str, default: str | None = None) -> str:
    value = record.get(name, default)
    if not isinstance(value, str):
        raise _misuse(f'{place}: "{name}" must be a string')
    return value


def _misuse(message: str) -> CommandError:
    return CommandError(message, returncode=2)


def _rounded(scores: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    return {
        group: {measure: round(value, 4) for measure, value in row.items()} for group, row in scores.items()
    }
