"""Reading labelled files, so that every refusal names the file and the line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class MalformedFileError(Exception):
    """A file that is not in the expected form; the message says where and what."""


def read_text(path: Path) -> str:
    """A file of UTF-8 text, with or without a byte order mark. Raises MalformedFileError."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise MalformedFileError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise MalformedFileError(f"{path}: not UTF-8 text") from error


def from_json(text: str, where: str) -> Any:
    """The value that a JSON text holds. Raises MalformedFileError."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedFileError(f"{where}: not JSON: {error}") from error


def json_lines(path: Path) -> Iterator[tuple[str, Any]]:
    """Where each line that is not blank stands, and the value that it holds. Raises MalformedFileError."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            where = f"{path}:{number}"
            yield where, from_json(line, where)
