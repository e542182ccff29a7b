"""``manage.py evaluate_answers QUESTIONS.jsonl``: how good the answers are, beside a naive rival's."""

import json as json_format
from argparse import ArgumentParser, ArgumentTypeError
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from ask.evaluation import worlds
from ask.evaluation.questions import read_questions
from ask.evaluation.scores import AnswerScores, AnswersReport, GroupedScores, evaluate
from knowledge.evaluation.observations import read_observations
from knowledge.times import moment

PROGRESS_EVERY = 50  # questions
# What a row of the table shows, and the names of its columns; those that the rival has too stand in pairs.
COLUMNS = {
    "nuggetRecall": "recall",
    "citationPrecision": "cited right",
    "rightRefusals": "refused right",
    "wrongRefusals": "refused wrong",
    "wrongLanguage": "language",
    "firstSentence": "at once",
    "sentences": "sentences",
    "medianSentences": "median",
}


class Command(BaseCommand):
    help = (
        "Asks every question of a file and says how many of the wanted facts the answers have, what they cite and"
        " refuse, beside what the whole summary of the first unit that search finds would have given. Without a model,"
        " limits, Redis and stored answers; changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "questions",
            type=Path,
            metavar="QUESTIONS.jsonl",
            help='lines of {"id", "question", "lang", "kind", "nuggets": [[wordings]], "sources": [public ids],'
            ' "answerable"}',
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument(
            "--starter",
            action="store_true",
            help="ask the starter canon as it is delivered instead of the records of this database",
        )
        parser.add_argument(
            "--observations",
            type=Path,
            metavar="FILE",
            help="give the starter canon these values: lines as `ingest --dry-run --json` prints them"
            " (implies --starter)",
        )
        parser.add_argument(
            "--at",
            type=as_moment,
            metavar="TIME",
            help="ask as if it were this time (RFC 3339); default: now",
        )

    def handle(self, *, questions: Path, json: bool, at: datetime | None, **options: Any) -> None:
        asked = read_questions(questions)
        worlds.require_migrated()
        now = at or timezone.now()
        with self._world(now, **options):
            report = evaluate(asked, now=now, progress=self._progress)
        self.stdout.write(json_format.dumps(report, ensure_ascii=False) if json else as_text(report))

    def _world(
        self, now: datetime, *, starter: bool, observations: Path | None, **options: Any
    ) -> AbstractContextManager[None]:
        if not starter and observations is None:
            if not worlds.is_empty():
                return worlds.own_records()
            self.stderr.write("This database has no records: the starter canon is asked.", self.style.NOTICE)
        return worlds.starter_canon(read_observations(observations) if observations else (), now=now)

    def _progress(self, number: int) -> None:
        if number % PROGRESS_EVERY == 0:
            self.stderr.write(f"asked {number}", str)


def as_moment(text: str) -> datetime:
    try:
        return moment(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not a time with an offset: {error}") from error


def as_text(report: AnswersReport) -> str:
    """A row for all questions, for each language and each kind: the service's figures, a stroke, the rival's."""
    rival = report["rival"]
    rows = [_row("", "count", list(COLUMNS.values())), _scores("all", report, rival)]
    for own, other in ((report["byLang"], rival["byLang"]), (report["byKind"], rival["byKind"])):
        rows += [_scores(name, own[name], other[name]) for name in own]
    return "\n".join([*rows, "", "Each figure / that of the whole summary of the first unit found."])


def _scores(name: str, own: AnswerScores | GroupedScores, rival: AnswerScores | GroupedScores) -> str:
    return _row(
        name, str(own["count"]), [f"{_figure(own.get(key))} / {_figure(rival.get(key))}" for key in COLUMNS]
    )


def _figure(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else "–"


def _row(name: str, count: str, cells: list[str]) -> str:
    return f"{name:<14}{count:>6}" + "".join(f"{cell:>15}" for cell in cells)
