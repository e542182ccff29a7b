"""Bringing a row back to a record of its history; a status is reached by its decision, never written."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models, transaction
from simple_history.models import ModelDelta

from knowledge.curation.errors import CurationError
from knowledge.curation.statuses import set_status
from knowledge.models import Status, Unit

# Public ids never change, and a merge is undone by its own record.
FIXED = ("type", "slug", "merged_into")


def changes_back(record: Any) -> ModelDelta | None:
    """What ``revert`` would change, ``old`` being how the row is now; None where the row is deleted."""
    row = record.instance_type._base_manager.filter(pk=record.id).first()
    if row is None:
        return None
    now = type(record)(**{field.attname: getattr(row, field.attname) for field in record.tracked_fields})
    return record.diff_against(now, excluded_fields=FIXED, foreign_keys_are_objs=True)


@transaction.atomic
def revert(record: Any) -> models.Model:
    """Bring a row back to how a record of its history has it, a deleted one included.

    Raises CurationError where it must not stand so.
    """
    model: type[models.Model] = record.instance_type
    row = model._base_manager.select_for_update().filter(pk=record.id).first() or model(pk=record.id)
    kept = (*FIXED, "status") if isinstance(row, Unit) else ()
    for field in record.tracked_fields:
        if field.name not in kept:
            setattr(row, field.attname, getattr(record, field.attname))
    row._change_reason = "revert"  # type: ignore[attr-defined]
    try:
        # Fields that nobody edits follow from the others when the row is saved.
        row.full_clean(exclude=[field.name for field in model._meta.fields if not field.editable])
    except ValidationError as error:
        raise CurationError(" ".join(error.messages)) from error
    row.save()
    if isinstance(row, Unit) and row.status != record.status:
        set_status(row, Status(record.status))
    return row
