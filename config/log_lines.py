"""Log lines: under the id of the request or task that wrote them, without secrets and without readers' words.

In production every line is one JSON object: ``{at, level, logger, message}``, with ``request`` and ``task`` where there
is one, ``error`` and ``trace`` after a failure, and whatever the record's ``fields`` bring. With DEBUG lines are text.
"""

import logging
import traceback
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

import orjson

from knowledge.sources.http.redaction import redacted

Failure = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


@dataclass(frozen=True, slots=True)
class Work:
    """What this thread is doing. ``private`` work handles questions, which an error's message may repeat."""

    request: str = ""
    task: str = ""
    private: bool = False


IDLE = Work()
current: ContextVar[Work] = ContextVar("current", default=IDLE)


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        work = current.get()
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": redacted(record.getMessage()),
        }
        if work.request:
            line["request"] = work.request
        if work.task:
            line["task"] = work.task
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[1] is not None:
            line["error"], *line["trace"] = failure_lines(record.exc_info[1], private=work.private)
        return as_json(line)


class TextLines(logging.Formatter):
    """A record as text, for a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        work = current.get()
        fields = {"request": work.request, "task": work.task} | getattr(record, "fields", {})
        shown = {name: value for name, value in fields.items() if value != ""}
        return redacted(super().format(record)) + (f" {as_json(shown)}" if shown else "")

    def formatException(self, ei: Failure) -> str:  # noqa: N802  logging's name
        if ei[1] is None:
            return ""
        return "\n".join(failure_lines(ei[1], private=current.get().private))


def as_json(line: dict[str, Any]) -> str:
    try:
        return orjson.dumps(line, default=str).decode()
    except TypeError:
        # A lone surrogate has no UTF-8; the rest of the line is still worth writing.
        readable = {
            name: str(value).encode("utf-8", "backslashreplace").decode() for name, value in line.items()
        }
        return orjson.dumps(readable).decode()


def failure_lines(error: BaseException, *, private: bool) -> list[str]:
    """What failed, then where, innermost call last; then the same of what it came from."""
    lines = [type(error).__name__ if private else redacted(f"{type(error).__name__}: {error}")]
    for frame in traceback.extract_tb(error.__traceback__):
        lines.append(f"  {frame.filename}:{frame.lineno} {frame.name}")
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return lines if cause is None else lines + failure_lines(cause, private=private)
