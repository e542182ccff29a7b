"""``manage.py verify_archive``: prove every file of the archive, or one day's."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError

from archive.days import parse_day
from archive.verification import verify


class Command(BaseCommand):
    help = "Recomputes every hash, the chain and the derived state of the day files; exit 1 and a list on a mismatch."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--date", metavar="D", help="only this day, YYYY-MM-DD (default: all)")

    def handle(self, *, date: str | None, **options: Any) -> None:
        day = parse_day(date) if date is not None else None
        if date is not None and day is None:
            raise CommandError("--date must be a day such as 2026-11-20", returncode=2)
        files = bad = 0
        try:
            for findings in verify(day):
                files += 1
                bad += bool(findings)
                for finding in findings:
                    self.stdout.write(str(finding))
        except (OSError, InterfaceError, OperationalError) as error:
            raise CommandError(
                f"the database or the archive's storage is away, so nothing is proved: {error}"
            ) from error
        if bad:
            raise CommandError(f"{bad} of {files} files do not hold")
        if day is not None and not files:
            raise CommandError(f"{day} has no file")
        self.stdout.write(f"{files} files hold: hashes, chain, states")
