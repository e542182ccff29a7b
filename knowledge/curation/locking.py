"""Rows read again under a lock that is held until the decision is committed.

Their keys stay, so that ingestion, which refers to them, and a decision do not wait for one another.
"""

from typing import Any, TypeVar

from django.db.models import Model

from knowledge.models import Unit

Row = TypeVar("Row", bound=Model)


def locked(row: Row) -> Row:
    """The row as it is now, of its own model where a proxy was given: a history hears of no proxy."""
    model: Any = row._meta.concrete_model
    found: Row = model._base_manager.select_for_update(no_key=True).get(pk=row.pk)
    return found


def locked_pair(one: Unit, other: Unit) -> tuple[Unit, Unit]:
    # Always in key order, so that two editors who merge the same pair both ways wait rather than deadlock.
    rows = Unit.objects.select_for_update(no_key=True).order_by("pk").in_bulk([one.pk, other.pk])
    return rows[one.pk], rows[other.pk]
