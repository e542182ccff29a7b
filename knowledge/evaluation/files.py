"""Reading labelled files, so that every refusal names the file and the line."""

import json
from collections.abc import Iterator
from datetime import datetime
from math import isfinite
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from knowledge.times import moment


class MalformedFileError(CommandError):
    """A file that is not in the expected form; the message says where and what. It ends a command as wrong use."""

    def __init__(self, message: str) -> None:
        super().__init__(message, returncode=2)


class Record:
    """A JSON object of a file: ``where`` it stands and its members. All of it raises MalformedFileError."""

    def __init__(self, value: Any, where: str) -> None:
        self.where = where
        if not isinstance(value, dict):
            raise self.refusal("not an object")
        self.members: dict[str, Any] = value

    def refusal(self, message: str) -> MalformedFileError:
        return MalformedFileError(f"{self.where}: {message}")

    def string(self, name: str, default: str | None = None) -> str:
        """A member that may be null or left out where there is a default."""
        value = self.members.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise self.refusal(f'"{name}" must be a string')
        return value

    def strings(self, name: str) -> list[str]:
        value = self.members.get(name)
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self.refusal(f'"{name}" must be a list of strings')
        return value

    def lists_of_strings(self, name: str) -> list[list[str]]:
        value = self.members.get(name)
        if not isinstance(value, list):
            raise self.refusal(f'"{name}" must be a list of lists of strings')
        for each in value:
            if not isinstance(each, list) or not all(isinstance(one, str) for one in each):
                raise self.refusal(f'"{name}" must be a list of lists of strings')
        return value

    def boolean(self, name: str) -> bool:
        value = self.members.get(name)
        if not isinstance(value, bool):
            raise self.refusal(f'"{name}" must be true or false')
        return value

    def number(self, name: str) -> float:
        value = self.members.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise self.refusal(f'"{name}" must be a number')
        return float(value)

    def moment(self, name: str) -> datetime:
        """A time in RFC 3339, with an offset."""
        text = self.string(name)
        try:
            return moment(text)
        except ValueError as error:
            raise self.refusal(f'"{name}": {error}') from error

    def records(self, name: str) -> "list[Record]":
        return records(self.members.get(name), self.where, f'"{name}"')


def records(value: Any, where: str, name: str) -> list[Record]:
    """The objects of a JSON list. Raises MalformedFileError."""
    if not isinstance(value, list):
        raise MalformedFileError(f"{where}: {name} must be a list of objects")
    return [Record(one, f"{where}: {name} {number}") for number, one in enumerate(value)]


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


def json_lines(path: Path) -> Iterator[Record]:
    """The objects of a JSON Lines file; blank lines are skipped. Raises MalformedFileError."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            where = f"{path}:{number}"
            yield Record(from_json(line, where), where)
