"""``manage.py load_canon [FILE …]``: the starter canon, or files of the same form."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from ask.canon import loader as questions
from knowledge.canon import loader as knowledge
from knowledge.search import indexing

INDEXED_AT_ONCE = 5_000


class Command(BaseCommand):
    help = "Load the starter canon, or the given JSON files; never overwrites what an editor changed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="default: the starter canon")

    def handle(self, *, files: list[Path], **options: Any) -> None:
        now = timezone.now()
        paths = files or [*knowledge.starter_paths(), *questions.starter_paths()]
        try:
            parsed = [knowledge.read(path) for path in paths]
            counts = knowledge.load(parsed, now=now) | questions.load(parsed, now=now)
        except knowledge.CanonError as error:
            raise CommandError(
                f"{error}\nNothing was loaded. See knowledge/canon/README.md for the form."
            ) from None
        for kind, tally in counts.items():
            if tally:
                parts = ", ".join(f"{tally[outcome]} {outcome}" for outcome in sorted(tally))
                self.stdout.write(f"{kind:<12} {parts}")
        # So that the first question after a fresh start finds what was just loaded.
        read = indexing.refresh(now=now, limit=INDEXED_AT_ONCE)
        self.stdout.write(f"{'search':<12} {read} indexed")
