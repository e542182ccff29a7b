"""How a canon record meets the database: created, updated, or kept as an editor left it.

Each record keeps the hash of the canonical form that the loader last wrote. Where the present form no longer has
that hash, an editor changed it, and the file does not overwrite an editor.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Protocol, TypeVar

import orjson

Form = Mapping[str, Any]


class UpsertResult(StrEnum):
    CREATED = "created"
    UPDATED = "updated"
    KEPT = "kept"
    UNCHANGED = "unchanged"


class CanonRecord(Protocol):
    canon_sha256: str


Record = TypeVar("Record", bound=CanonRecord)
Counts = Counter[UpsertResult]


def fingerprint(form: Form) -> str:
    """A hash of a canonical form, independent of key order."""
    return hashlib.sha256(orjson.dumps(form, option=orjson.OPT_SORT_KEYS)).hexdigest()


def upsert_unless_edited(
    present: Record | None,
    wanted: Form,
    *,
    read: Callable[[Record], Form],
    write: Callable[[Record | None, Form, str], None],
) -> UpsertResult:
    """Bring one record to its ``wanted`` form, unless an editor changed it.

    ``read`` gives the present canonical form; ``write`` creates or updates and stores the given fingerprint.
    """
    mark = fingerprint(wanted)
    if present is None:
        write(None, wanted, mark)
        return UpsertResult.CREATED
    now = fingerprint(read(present))
    if now == mark:
        return UpsertResult.UNCHANGED
    if now != present.canon_sha256:
        return UpsertResult.KEPT
    write(present, wanted, mark)
    return UpsertResult.UPDATED
