"""Where the files of each night lie: in the archive's storage, in the folder ``bulk``.

``bulk/<date>/<name>.jsonl.gz`` are the files, ``bulk/list/<date>.json`` says which there are. A list is written after
its files and removed before them, so that whatever kills a process, no list names a file that is not whole.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import IO, Any, TypedDict

import orjson
from django.core.files.base import ContentFile, File

from archive import storage
from archive.days import parse_day

FOLDER = "bulk"
LISTS = f"{FOLDER}/list"
SUFFIX = ".jsonl.gz"
_LIST_NAME = re.compile(r"(\d{4}-\d{2}-\d{2})\.json", re.ASCII)


class BulkItem(TypedDict):
    """A file in the list."""

    name: str
    date: str
    url: str
    bytes: int
    sha256: str
    count: int
    schema: str
    licence: str
    seq: int | None
    writtenAt: str


class BulkGap(TypedDict):
    """What is in no file, and why."""

    name: str
    date: str
    reason: str


class NightList(TypedDict):
    """The files of one night, and what they leave out."""

    items: list[BulkItem]
    gaps: list[BulkGap]


def file_name(day: date, name: str) -> str:
    return f"{FOLDER}/{day.isoformat()}/{name}{SUFFIX}"


def _list_name(day: date) -> str:
    return f"{LISTS}/{day.isoformat()}.json"


def listed_days() -> list[date]:
    """The days that have a list, newest first."""
    _folders, files = storage.listing(storage.day_storage(), LISTS)
    found = (_LIST_NAME.fullmatch(name) for name in files)
    days = (parse_day(match[1]) for match in found if match)
    return sorted((day for day in days if day), reverse=True)


def is_listed(day: date) -> bool:
    return storage.day_storage().exists(_list_name(day))


def read_list(day: date) -> NightList:
    """Raises FileNotFoundError where there is none."""
    with storage.day_storage().open(_list_name(day), "rb") as file:
        found: NightList = orjson.loads(file.read())
    return found


def keep_file(day: date, name: str, content: IO[Any]) -> None:
    storage.day_storage().save(file_name(day, name), File(content))


def keep_list(day: date, night: NightList) -> None:
    """From here on the day's files are public, and stay as they are."""
    storage.day_storage().save(_list_name(day), ContentFile(orjson.dumps(night)))


def pieces(day: date, name: str, first: int, stop: int, size: int) -> Iterator[bytes]:
    return storage.pieces(file_name(day, name), first, stop, size)


def stored_days() -> list[date]:
    """The days of which any file lies there, listed or not."""
    folders, _files = storage.listing(storage.day_storage(), FOLDER)
    days = (parse_day(name) for name in folders)
    return sorted(day for day in days if day)


def remove_list(day: date) -> None:
    storage.day_storage().delete(_list_name(day))


def remove_files(day: date) -> None:
    """Remove the files of a day that has no list."""
    shelf, folder = storage.day_storage(), f"{FOLDER}/{day.isoformat()}"
    for name in storage.listing(shelf, folder)[1]:
        shelf.delete(f"{folder}/{name}")
    shelf.delete(folder)
