"""Whether the day files are still those that were sealed, looked at again and again at little cost.

A process reads and hashes a file once, and again only when its size or its time of change is another. A bucket's
objects are not looked at from here: each is proved when it is read.
"""

from collections.abc import Iterable
from datetime import date
from hashlib import file_digest
from pathlib import Path
from typing import Protocol

from archive import storage

# A look answers a request, so what it reads has a bound; the next look goes on where this one stopped.
LOOK_BYTES = 128 * 1024 * 1024


class SealedFile(Protocol):
    """What a row, or the manifest, says of a file."""

    @property
    def day(self) -> date: ...
    @property
    def revision(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def sha256(self) -> str: ...


class Inspector:
    """Keeps the hash of every file it has read, beside the size and time of change that the file had."""

    def __init__(self) -> None:
        self._hashes: dict[Path, tuple[tuple[int, int], str]] = {}

    def damaged(self, files: Iterable[SealedFile]) -> list[SealedFile]:
        """Those that are missing, cannot be read, or are not what was sealed."""
        found, left = [], LOOK_BYTES
        for file in files:
            path = storage.path_of(file.day, file.revision)
            if path is None:
                continue
            try:
                sha256, read = self._hash(path, left)
            except OSError:
                sha256, read = "", 0
            left -= read
            if sha256 not in (None, file.sha256):
                found.append(file)
        return found

    def _hash(self, path: Path, left: int) -> tuple[str | None, int]:
        """The file's hash, and how many bytes were read for it; None when there are too few left to read it."""
        stat = path.stat()
        mark = (stat.st_size, stat.st_mtime_ns)
        known = self._hashes.get(path)
        if known is not None and known[0] == mark:
            return known[1], 0
        if left <= 0:
            return None, 0
        self._hashes[path] = (mark, _hash_of(path))
        return self._hashes[path][1], stat.st_size


def _hash_of(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


inspector = Inspector()
