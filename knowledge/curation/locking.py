"""Units read again under a row lock that is held until the decision is committed.

Their keys stay, so that ingestion, which refers to them, and a decision do not wait for one another.
"""

from __future__ import annotations

from knowledge.models import Unit


def locked(unit: Unit) -> Unit:
    return Unit.objects.select_for_update(no_key=True).get(pk=unit.pk)


def locked_pair(one: Unit, other: Unit) -> tuple[Unit, Unit]:
    # Always in key order, so that two editors who merge the same pair both ways wait rather than deadlock.
    rows = Unit.objects.select_for_update(no_key=True).order_by("pk").in_bulk([one.pk, other.pk])
    return rows[one.pk], rows[other.pk]
