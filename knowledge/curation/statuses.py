"""Publishing and retracting units, and undoing it."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from knowledge.curation.errors import CurationError
from knowledge.curation.locking import locked
from knowledge.models import Status, Unit, UnitType
from knowledge.signals import unit_published, unit_retracted

# What readers know a unit by.
IDENTITY = ("label", "symbol", "occurred_at")


def publish(unit: Unit) -> None:
    """Make a unit public. Raises CurationError when it is merged away or an event without a date."""
    set_status(unit, Status.PUBLISHED)


def retract(unit: Unit) -> None:
    """Withdraw a unit: 410 everywhere, and whatever quoted it learns of it."""
    set_status(unit, Status.RETRACTED)


@transaction.atomic
def set_status(unit: Unit, status: Status) -> None:
    """Bring a unit to ``status`` with all that follows from it. Raises CurationError where it must not stand there."""
    unit = locked(unit)
    if reason := status_obstacle(unit, status):
        raise CurationError(reason)
    was_published = unit.status == Status.PUBLISHED
    unit.status = status
    unit._change_reason = status.value  # type: ignore[attr-defined]
    unit.save(update_fields=["status"])
    if status == Status.PUBLISHED:
        unit_published.send(Unit, unit=unit)
    elif status == Status.RETRACTED or was_published:
        # A draft is as little public as what was retracted: nothing may go on quoting it.
        unit_retracted.send(Unit, unit=unit)


def status_obstacle(unit: Unit, status: Status) -> str:
    """Why a unit must not stand at ``status``; empty when it may."""
    if status != Status.PUBLISHED:
        return ""
    if unit.merged_into_id is not None:
        return _("병합된 단위는 공개할 수 없습니다. 먼저 병합을 되돌리세요.")
    if unit.type == UnitType.EVENT and unit.occurred_at is None:
        return _("일어난 때가 없는 사건은 공개할 수 없습니다.")
    return ""


def guarded_fields(unit: Unit) -> tuple[str, ...]:
    """The fields that only who may publish changes: all that readers know a unit by, once it has left its draft."""
    return () if unit.status == Status.DRAFT else IDENTITY


def former_status(unit: Unit) -> Status:
    """Where a unit stood before it came to where it stands; a draft where its history does not say."""
    former = Unit.history.filter(id=unit.pk).exclude(status=unit.status).values_list("status", flat=True)
    return Status(former.first() or Status.DRAFT)
