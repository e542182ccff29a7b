"""``manage.py rehearse_city``: days of a city that six played services tell of."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from archive.capture import SealBusy, SealFailed
from archive.days import is_over, parse_day, yesterday
from archive.models import Snapshot
from archive.rehearsal import rehearse

DAYS_MAX = 3660


class Command(BaseCommand):
    help = (
        "Seals days of a rehearsed city, offline; their files say rehearsal: true. Days that have a file keep it. "
        "Refused in production."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, required=True, metavar="N", help=f"how many, 1 to {DAYS_MAX}")
        parser.add_argument(
            "--until", metavar="D", help="the last of them, YYYY-MM-DD (default: yesterday in Seoul)"
        )
        parser.add_argument(
            "--if-empty",
            action="store_true",
            help="do nothing when any day has a file, or where DEBUG is off",
        )

    def handle(self, *, days: int, until: str | None, if_empty: bool, **options: Any) -> None:
        now = timezone.now()
        last = yesterday(now) if until is None else parse_day(until)
        if not settings.DEBUG:
            if if_empty:
                # What `make run` does for a city to look at. One in production begins with its first real day.
                self.stdout.write("DEBUG is off: the archive holds real days only; nothing rehearsed")
                return
            raise CommandError("a public archive holds real days only (DEBUG is off)", returncode=2)
        if last is None or not is_over(last, now) or not 1 <= days <= DAYS_MAX:
            raise CommandError(
                f"--days must be 1 to {DAYS_MAX} and --until a day that is over, such as 2026-11-20",
                returncode=2,
            )
        if if_empty and Snapshot.objects.exists():
            self.stdout.write("the archive has days already; nothing rehearsed")
            return
        count = 0
        try:
            for row in rehearse(days, until=last):
                count += 1
                self.stdout.write(f"{row.day} {row.status} {row.size} bytes")
        except (SealBusy, SealFailed) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{count} days rehearsed, {days - count} had a file")
