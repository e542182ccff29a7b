"""What editors do to units: publish, retract, merge, unmerge. One transaction each, all or nothing.

Merging moves nothing: aliases, mentions and memberships keep their unit, and every reader goes one hop to the
survivor. Undoing a merge is therefore only closing its record and pointing redirects back.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from knowledge.counting import recount
from knowledge.models import Status, Unit, UnitMerge, UnitType
from knowledge.signals import unit_merged, unit_published, unit_retracted, unit_unmerged


class CurationError(Exception):
    """An editor's wish that would break the canon; the message says why, in the editor's language."""


@transaction.atomic
def publish(unit: Unit) -> None:
    """Make a unit public. Raises CurationError when it is merged away or an event without a date."""
    unit = _locked(unit)
    if unit.merged_into_id is not None:
        raise CurationError(_("병합된 단위는 공개할 수 없습니다. 먼저 병합을 되돌리세요."))
    if unit.type == UnitType.EVENT and unit.occurred_at is None:
        raise CurationError(_("일어난 때가 없는 사건은 공개할 수 없습니다."))
    _save_status(unit, Status.PUBLISHED)
    unit_published.send(Unit, unit=unit)


@transaction.atomic
def retract(unit: Unit) -> None:
    """Withdraw a unit for good: 410 everywhere, and whatever quoted it learns of it."""
    unit = _locked(unit)
    _save_status(unit, Status.RETRACTED)
    unit_retracted.send(Unit, unit=unit)


@transaction.atomic
def merge(loser: Unit, survivor: Unit, *, now: datetime, note: str = "") -> UnitMerge:
    """Let ``loser`` redirect to ``survivor`` for ever, and whatever redirected to ``loser`` with it.

    Raises CurationError for two sorts of unit that cannot be one, or when either is already merged away.
    """
    loser, survivor = _locked_pair(loser, survivor)
    if reason := merge_obstacle(loser, survivor):
        raise CurationError(reason)
    record = UnitMerge.objects.create(loser=loser, survivor=survivor, merged_at=now, note=note)
    Unit.objects.get_queryset().filter(merged_into=loser).update(merged_into=survivor)
    Unit.objects.get_queryset().filter(pk=loser.pk).update(merged_into=survivor)
    recount([survivor.pk])
    loser.merged_into = survivor
    unit_merged.send(Unit, loser=loser, survivor=survivor)
    return record


def set_status(unit: Unit, status: Status) -> None:
    """Bring a unit to ``status`` by the decision that leads there."""
    match status:
        case Status.PUBLISHED:
            publish(unit)
        case Status.RETRACTED:
            retract(unit)
        case Status.DRAFT:
            with transaction.atomic():
                _save_status(_locked(unit), Status.DRAFT)


def merge_obstacle(loser: Unit, survivor: Unit) -> str:
    """Why these two cannot become one; empty when they can."""
    if loser.pk == survivor.pk:
        return _("한 단위를 자기 자신과 병합할 수 없습니다.")
    if loser.url_prefix != survivor.url_prefix:
        return _("종류가 다른 단위는 병합할 수 없습니다.")
    if loser.merged_into_id is not None or survivor.merged_into_id is not None:
        return _("이미 병합된 단위입니다.")
    return ""


@transaction.atomic
def unmerge(record: UnitMerge, *, now: datetime) -> None:
    """Undo one merge: the loser stands for itself again, and so do the redirects that came with it."""
    record = UnitMerge.objects.select_for_update().get(pk=record.pk)
    if record.undone_at is not None:
        raise CurationError(_("이미 되돌린 병합입니다."))
    loser, former = _locked(record.loser), record.loser.merged_into_id
    record.undone_at = now
    record.save(update_fields=["undone_at"])
    Unit.objects.get_queryset().filter(pk=loser.pk).update(merged_into=None)
    followers = _followers_of(loser)
    Unit.objects.get_queryset().filter(pk__in=followers).update(merged_into=loser)
    recount([pk for pk in (loser.pk, former) if pk is not None])
    unit_unmerged.send(Unit, loser=loser, survivor=record.survivor)


def _followers_of(unit: Unit) -> set[int]:
    """Units whose open merges lead, over any number of steps, to ``unit``."""
    open_merges = dict(UnitMerge.objects.filter(undone_at=None).values_list("loser_id", "survivor_id"))
    found: set[int] = set()
    frontier = {unit.pk}
    while frontier:
        frontier = {loser for loser, survivor in open_merges.items() if survivor in frontier} - found
        found |= frontier
    return found


def _locked(unit: Unit) -> Unit:
    return Unit.objects.get_queryset().select_for_update().get(pk=unit.pk)


def _locked_pair(one: Unit, other: Unit) -> tuple[Unit, Unit]:
    # Always in key order, so that two editors who merge the same pair both ways wait rather than deadlock.
    rows = Unit.objects.get_queryset().select_for_update().order_by("pk").in_bulk([one.pk, other.pk])
    return rows[one.pk], rows[other.pk]


def _save_status(unit: Unit, status: Status) -> None:
    unit.status = status
    unit.save(update_fields=["status"])
