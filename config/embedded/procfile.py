"""Reading a Procfile: ``name: command`` lines, run by the shell, so that ``${PORT:-8000}`` is expanded."""

import re
from pathlib import Path

from config.embedded.errors import EmbeddedError

LINE = re.compile(r"(?P<name>[A-Za-z0-9_-]+):\s*(?P<command>\S.*)")
# `&&` outside quotes: what follows it is balanced text.
CHAIN = re.compile(r"""\s+&&\s+(?=(?:[^'"]|'[^']*'|"[^"]*")*$)""")


def read_procfile(path: Path) -> dict[str, str]:
    """Process name → command, in the file's order; raises EmbeddedError with the line that cannot be read."""
    if not path.is_file():
        raise EmbeddedError(f"There is no Procfile in {path.parent}.")
    processes: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        match = LINE.fullmatch(text)
        if match is None or match["name"] in processes:
            raise EmbeddedError(f"Procfile, line {number}: expected one `name: command` for each name.")
        processes[match["name"]] = match["command"]
    return processes


def steps(command: str) -> list[str]:
    """The parts of ``a && b``: each is run on its own, so that it can be named and has no shell above it."""
    return CHAIN.split(command)


def shell_command(command: str) -> list[str]:
    """Arguments that run a command line in place of the shell, so that signals reach the program itself."""
    return ["/bin/sh", "-c", f"exec {command}"]
