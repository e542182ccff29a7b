"""Documents from a JSON Lines file. Pure but for reading the file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from knowledge.events.documents import EventDoc

FIELDS = ("title", "lead", "outlet", "publishedAt", "lang", "url")


class DocumentFileError(ValueError):
    """The file is no list of documents; the message says what is wrong and in which line."""


def read_documents(path: Path) -> list[EventDoc]:
    """One document a line: an object with title, outlet, lang and, where known, lead, url and publishedAt
    (RFC 3339 with an offset, or null). Other members are ignored, blank lines too. Raises
    DocumentFileError."""
    try:
        with path.open(encoding="utf-8-sig") as lines:
            return parse_documents(lines)
    except DocumentFileError as error:
        raise DocumentFileError(f"{path}: {error}") from error
    except OSError as error:
        raise DocumentFileError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DocumentFileError(f"{path} is not UTF-8 text") from error


def parse_documents(lines: Iterable[str]) -> list[EventDoc]:
    """As read_documents, from the lines of the file."""
    documents = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                documents.append(_document(line))
            except (ValueError, RecursionError) as error:
                raise DocumentFileError(f"line {number}: {error}") from error
    return documents


def _document(line: str) -> EventDoc:
    row = json.loads(line)
    if not isinstance(row, dict):
        raise ValueError("not an object")
    for name in FIELDS:
        if not isinstance(row.get(name), str | None):
            raise ValueError(f"{name} is not text")
    if not (row.get("title") or "").strip():
        raise ValueError("the title is missing")
    return EventDoc(
        title=row["title"],
        lead=row.get("lead") or "",
        outlet=row.get("outlet") or "",
        at=_time(row.get("publishedAt")),
        lang=row.get("lang") or "",
        url=row.get("url") or "",
        primary=row.get("primary") is True,
    )


def _time(text: str | None) -> datetime | None:
    if not text:
        return None
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"publishedAt {text!r} has no offset")
    return at
