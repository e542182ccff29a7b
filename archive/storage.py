"""Where day files and bulk files lie: Django's storage alias ``archive``, a folder unless the settings say otherwise.

A file is written once and whole. Whatever kills the process, a reader finds the complete file or none.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage, storages

ALIAS = "archive"
NAME_FORM = re.compile(r"(\d{4})/(\d{4}-\d{2}-\d{2})(?:\.r([1-9]\d*))?\.json", re.ASCII)
TEMPORARY_SUFFIX = ".part"


class DayFileStorage(FileSystemStorage):
    """Files that appear at once under their name and are never overwritten.

    ``save`` raises FileExistsError when the name is taken, and OSError when the disk refuses.
    """

    def __init__(self, location: str | Path | None = None, **options: Any) -> None:
        super().__init__(location=location or settings.ARCHIVE_ROOT, **options)

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name  # a day has one name, and a second file under another would be a second truth

    def _save(self, name: str, content: File[Any]) -> str:
        target = Path(self.path(name))
        target.parent.mkdir(parents=True, exist_ok=True)
        _sweep(target.parent)
        handle, temporary = tempfile.mkstemp(TEMPORARY_SUFFIX, f".{target.name}.", target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                for chunk in content.chunks():
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(self.file_permissions_mode or 0o644)
            _appear(temporary, target)
        finally:
            Path(temporary).unlink(missing_ok=True)
        _sync_folder(target.parent)
        return name


def _sweep(folder: Path) -> None:
    """Remove what killed processes left, in this folder and those beside it: of whatever day, and of nothing that is
    written under another lock."""
    for leftover in folder.parent.glob(f"*/.*{TEMPORARY_SUFFIX}"):
        leftover.unlink(missing_ok=True)


def _appear(temporary: str, target: Path) -> None:
    """Give the finished file its name; a hard link, because a rename would silently replace another's file."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if target.exists():
            raise FileExistsError(f"{target.name} is there already") from None
        Path(temporary).rename(target)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@runtime_checkable
class RangedStorage(Protocol):
    """A storage that hands out a part of a file without reading the rest of it; see ``pieces``. It begins with nothing,
    once the file is open."""

    def pieces(self, name: str, first: int, stop: int, size: int) -> Iterator[bytes]: ...


def day_storage() -> Storage:
    return storages[ALIAS]


def name_of(day: date, revision: int) -> str:
    """``2026/2026-11-20.json``; later revisions ``2026/2026-11-20.r2.json``."""
    suffix = "" if revision == 1 else f".r{revision}"
    return f"{day:%Y}/{day.isoformat()}{suffix}.json"


def write(day: date, revision: int, content: bytes) -> None:
    """Keep a new file. Raises FileExistsError when there is one, and what the storage raises when it cannot."""
    day_storage().save(name_of(day, revision), ContentFile(content))


def read(day: date, revision: int) -> bytes:
    """A file's bytes; FileNotFoundError when there is none."""
    with day_storage().open(name_of(day, revision), "rb") as file:
        return cast(bytes, file.read())


def chunks(day: date, revision: int, size: int) -> Iterator[bytes]:
    """A file's bytes, ``size`` at a time."""
    with day_storage().open(name_of(day, revision), "rb") as file:
        while chunk := file.read(size):
            yield cast(bytes, chunk)


def pieces(name: str, first: int, stop: int, size: int) -> Iterator[bytes]:
    """The bytes of a file from ``first`` to before ``stop``, ``size`` at a time.

    Raises at once what the storage raises when it cannot, FileNotFoundError when there is no such file.
    """
    storage = day_storage()
    read = storage.pieces if isinstance(storage, RangedStorage) else partial(_pieces, storage)
    found = read(name, first, stop, size)
    next(found)  # a generator that never began would never close what it reads from
    return found


def _pieces(storage: Storage, name: str, first: int, stop: int, size: int) -> Iterator[bytes]:
    """Begins with nothing, once the file is open."""
    with storage.open(name, "rb") as file:
        file.seek(first)
        yield b""
        while first < stop and (chunk := file.read(min(size, stop - first))):
            first += len(chunk)
            yield cast(bytes, chunk)


def exists(day: date, revision: int) -> bool:
    return day_storage().exists(name_of(day, revision))


def path_of(day: date, revision: int) -> Path | None:
    """Where a file lies in this machine's file system; None where the storage has no such place."""
    try:
        return Path(day_storage().path(name_of(day, revision)))
    except NotImplementedError:
        return None


def folder_is_missing() -> bool:
    """Whether the storage is a folder, and that folder is not there."""
    storage = day_storage()
    return isinstance(storage, FileSystemStorage) and not Path(storage.location).is_dir()


def stored_files() -> list[tuple[date, int]]:
    """``(day, revision)`` of every file there is, oldest first."""
    storage = day_storage()
    found = []
    years, _files = listing(storage, "")
    for year in years:
        for name in listing(storage, year)[1]:
            match = NAME_FORM.fullmatch(f"{year}/{name}")
            if match:
                found.append((date.fromisoformat(match[2]), int(match[3] or 1)))
    return sorted(found)


def listing(storage: Storage, path: str) -> tuple[list[str], list[str]]:
    """The names of folders and of files at a path; none where nothing was ever written."""
    try:
        folders, files = storage.listdir(path)
    except FileNotFoundError:
        return [], []
    return [name.rstrip("/") for name in folders], files
