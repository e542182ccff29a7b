"""``manage.py mcp_registry_file``: the ``server.json`` by which an operator publishes this server."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError

from mcpserver.server_json import NotForTheRegistry, server_json


class Command(BaseCommand):
    help = (
        "Makes the server.json by which this server is published in the MCP Registry (docs/mcp.md), from BASE_URL, "
        "SERVICE_NAME and SERVICE_SLUG."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--output", type=Path, metavar="FILE", help="where to write it (default: print it)"
        )

    def handle(self, *, output: Path | None, **options: Any) -> None:
        try:
            made = server_json()
        except NotForTheRegistry as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        text = orjson.dumps(made, option=orjson.OPT_INDENT_2).decode() + "\n"
        if output is None:
            self.stdout.write(text, ending="")
            return
        try:
            output.write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{output} cannot be written: {error.strerror}", returncode=1) from error
        self.stdout.write(f"{output}: {made['name']} {made['version']}")
