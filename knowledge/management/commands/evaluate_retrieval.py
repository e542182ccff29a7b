import json
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from knowledge.evaluation import retrieval
from knowledge.evaluation.files import MalformedFileError


class Command(BaseCommand):
    help = (
        "Measure search on labelled questions: index PASSAGES into a temporary place beside the names of the"
        " starter canon, ask every one of QUERIES, print the scores of each source and their mean. The live data"
        " stays as it is."
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
        passages = retrieval.read_passages(options["passages"])
        questions = retrieval.read_questions(options["queries"])
        if not passages or not questions:
            raise MalformedFileError("a file is empty: there must be a passage and a question")
        out: Path | None = options["run"]
        if out is not None and not out.resolve().parent.is_dir():
            raise CommandError(f"--run {out}: there is no such folder", returncode=2)
        progress = partial(self.stderr.write, style_func=str)
        run = retrieval.rank(passages, questions, now=timezone.now(), progress=progress)
        if out is not None:
            out.write_text(json.dumps(run, ensure_ascii=False), encoding="utf-8")
        scores = {
            group: {measure: round(value, 4) for measure, value in row.items()}
            for group, row in retrieval.scores(run, questions).items()
        }
        self.stdout.write(json.dumps(scores, ensure_ascii=False, indent=1))
