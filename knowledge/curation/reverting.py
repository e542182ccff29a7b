"""A unit as it was, by the ways that lead there: what has consequences is decided, not written."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from knowledge import revisions
from knowledge.curation.errors import CurationError
from knowledge.curation.locking import locked
from knowledge.curation.statuses import set_status
from knowledge.models import Status, Unit

# Public ids never change, and a merge is undone by its own record.
FIXED = frozenset({"type", "slug", "merged_into"})


def revertible(unit: Unit, record: Any) -> list[revisions.Difference]:
    """What ``revert`` would change: the unit as it is now against the record of its history."""
    return [change for change in revisions.differences(unit, record) if change.field not in FIXED]


@transaction.atomic
def revert(record: Any) -> Unit:
    """Bring a unit back to how a record of its history has it. Raises CurationError where it must not stand so."""
    unit = locked(Unit(pk=record.id))
    changes = {change.field for change in revertible(unit, record)}
    for name in changes - {"status"}:
        setattr(unit, name, getattr(record, name))
    unit._change_reason = "revert"  # type: ignore[attr-defined]
    try:
        unit.full_clean()
    except ValidationError as error:
        raise CurationError(" ".join(error.messages)) from error
    unit.save()
    if "status" in changes:
        set_status(unit, Status(record.status))
    return unit
