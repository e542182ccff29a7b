"""``manage.py fit_answers QUESTIONS.jsonl …``: the weights by which answers are chosen and refused."""

import json
from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from ask.evaluation import worlds
from ask.evaluation.fitting import fit
from ask.evaluation.questions import read_questions
from ask.management.commands.evaluate_answers import PROGRESS_EVERY, as_moment


class Command(BaseCommand):
    help = (
        "Fits the weights by which sentences are chosen and questions refused to labelled questions, asked of the"
        " starter canon, and prints them in the form of ask/words/weights.json, with what they reach on questions"
        " that they were not fitted to. Changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "questions", type=Path, nargs="+", metavar="QUESTIONS.jsonl", help="as for evaluate_answers"
        )
        parser.add_argument(
            "--at",
            type=as_moment,
            required=True,
            metavar="TIME",
            help="ask as if it were this time (RFC 3339)",
        )

    def handle(self, *, questions: list[Path], at: datetime, **options: Any) -> None:
        asked = [question for path in questions for question in read_questions(path)]
        worlds.require_migrated()
        with worlds.starter_canon(now=at):
            fitted = fit(asked, now=at, progress=self._progress)
        self.stdout.write(json.dumps(fitted, indent=2))

    def _progress(self, number: int) -> None:
        if number % PROGRESS_EVERY == 0:
            self.stderr.write(f"asked {number}", str)
