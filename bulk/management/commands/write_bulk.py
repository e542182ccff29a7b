"""``manage.py write_bulk``: the files of a day, by hand."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from archive.days import parse_day
from bulk import writing
from bulk.nights import due_day


class Command(BaseCommand):
    help = (
        "Writes the bulk files of a day (default: the newest that is due, at 04:00 in Seoul) from what is public now. "
        "A day that has its files keeps them."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--date", metavar="D", help="YYYY-MM-DD, one of the last 35 days")

    def handle(self, *, date: str | None, **options: Any) -> None:
        now = timezone.now()
        day = due_day(now) if date is None else parse_day(date)
        if day is None:
            raise CommandError("--date must be a day such as 2026-11-20", returncode=2)
        try:
            writing.write(day, now=now, tell=self.stdout.write)
        except writing.NotWritten as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        except OSError as error:
            raise CommandError(
                f"the storage refused, and nothing of {day} is listed: {error}", returncode=1
            ) from error
        self.stdout.write(f"the files of {day} are in /api/bulk")
