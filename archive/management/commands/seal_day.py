"""``manage.py seal_day``: make the file of a day that is over."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from archive import capture, nightly
from archive.days import parse_day, yesterday
from archive.models import Snapshot


class Command(BaseCommand):
    help = "Seals one day of the city (default: yesterday in Seoul); a day that is sealed already stays as it is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--date", metavar="D", help="YYYY-MM-DD, a day that is over in Seoul")
        parser.add_argument(
            "--revise", metavar="REASON", help="make a further revision of a sealed day, and say why"
        )

    def handle(self, *, date: str | None, revise: str | None, **options: Any) -> None:
        now = timezone.now()
        day = yesterday(now) if date is None else parse_day(date)
        if day is None:
            raise CommandError("--date must be a day such as 2026-11-20", returncode=2)
        try:
            if revise:
                row = capture.revise(day, now=now, compose=nightly.model(now), reason=revise)
            else:
                row = capture.seal(day, now=now, compose=nightly.model(now))
        except (ValueError, Snapshot.DoesNotExist) as error:
            raise CommandError(f"{day}: {error}", returncode=2) from error
        except (capture.SealBusy, capture.SealFailed) as error:
            raise CommandError(str(error)) from error
        kind = " late" * row.late + " rehearsal" * row.rehearsal
        self.stdout.write(
            f"{row.day} r{row.revision} {row.status}{kind} {row.size} bytes sha256 {row.sha256}"
        )
