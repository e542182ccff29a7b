"""``manage.py rehearse_world``: the invented world of ``make demo``."""

import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from rehearsal import world

BEGUN, NOTE = "world-begun", "world-made"  # config.embedded.rehearsal reads them


class Command(BaseCommand):
    help = "Fills the database of a rehearsal with an invented fortnight. Refused outside `make demo`; done once."

    def handle(self, **options: Any) -> None:
        if not settings.REHEARSAL:
            raise CommandError("invented records never stand beside real ones: use `make demo`", returncode=2)
        note = settings.VAR_DIR / NOTE
        if note.exists():
            self.stdout.write("the rehearsed world is there already")
            return
        (settings.VAR_DIR / BEGUN).touch()
        began = time.monotonic()
        world.make(
            now=timezone.now(),
            say=lambda line: self.stdout.write(f"{time.monotonic() - began:5.1f} s  {line}"),
        )
        note.touch()
        self.stdout.write(f"{time.monotonic() - began:5.1f} s  done")
