"""``manage.py release``: the Procfile's release line, in one process, because each start of Django takes seconds."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Bring the database, the starter canon and, in production, the static files to this version."

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", interactive=False, stdout=self.stdout, stderr=self.stderr)
        call_command("load_canon", stdout=self.stdout, stderr=self.stderr)
        if not settings.DEBUG:
            call_command("collectstatic", interactive=False, stdout=self.stdout, stderr=self.stderr)
