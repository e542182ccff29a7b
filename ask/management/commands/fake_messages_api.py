"""`manage.py fake_messages_api`: the rehearsal's server by itself, to be looked at with curl."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ask.rehearsal import FakeMessagesApi


class Command(BaseCommand):
    help = (
        "Serves a fake Messages API on loopback. `make run FAKE_LLM=1` needs no such process: "
        "each of the service's own starts one by itself."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8765)

    def handle(self, *, port: int, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("A rehearsal is refused in production: set DEBUG=1 on a development machine.")
        with FakeMessagesApi(port) as server:
            self.stdout.write(f"Fake Messages API: http://127.0.0.1:{server.server_port}/v1/messages")
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                self.stdout.write("Stopped.")
