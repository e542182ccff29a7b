"""How a canon record meets the database: created, updated, or kept as an editor left it.

Each record keeps the hash of the canonical form that the loader last wrote. Where the present form no longer has
that hash, an editor changed it, and the file does not overwrite an editor.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from knowledge.series.declarations import fingerprint

REASON = "canon"  # what a history says of a loader's changes
Form = Mapping[str, Any]


class UpsertResult(StrEnum):
    CREATED = "created"
    UPDATED = "updated"
    KEPT = "kept"
    UNCHANGED = "unchanged"


Counts = Counter[UpsertResult]


def write_fields(row: Any, form: Form) -> None:
    for name, value in form.items():
        setattr(row, name, value)
    # Constraints are the database's word anyway: asked of it one by one, they are half of what such a row costs.
    row.full_clean(validate_constraints=False)
    row.save()


def upsert_unless_edited(
    row: Any,
    wanted: Form,
    *,
    read: Callable[[Any], Form],
    write: Callable[[Any, Form], None] = write_fields,
) -> UpsertResult:
    """Bring a row, a stored or a new one, to its ``wanted`` form, unless an editor changed it.

    ``read`` gives the canonical form of a row; ``write`` saves the row in the wanted one.
    """
    mark, outcome = fingerprint(wanted), UpsertResult.CREATED
    if not row._state.adding:
        present, outcome = fingerprint(read(row)), UpsertResult.UPDATED
        if present == mark:
            return UpsertResult.UNCHANGED
        if present != row.canon_sha256:
            return UpsertResult.KEPT
    row.canon_sha256, row._change_reason = mark, REASON
    write(row, wanted)
    return outcome
