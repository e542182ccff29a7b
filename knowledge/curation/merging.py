"""Merging two units into one, and undoing it.

Merging moves nothing: aliases, mentions and memberships keep their unit, and every reader goes one hop to the
survivor. Undoing a merge is therefore only closing its record and pointing redirects back.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from knowledge.curation.errors import CurationError
from knowledge.curation.locking import locked, locked_pair
from knowledge.models import Unit, UnitMerge
from knowledge.signals import unit_merged, unit_unmerged


@transaction.atomic
def merge(loser: Unit, survivor: Unit, *, now: datetime, note: str = "") -> UnitMerge:
    """Let ``loser`` redirect to ``survivor`` for ever, and whatever redirected to ``loser`` with it.

    Raises CurationError for two sorts of unit that cannot be one, or when either is already merged away.
    """
    loser, survivor = locked_pair(loser, survivor)
    if reason := merge_blocked_by(loser, survivor):
        raise CurationError(reason)
    record = UnitMerge.objects.create(loser=loser, survivor=survivor, merged_at=now, note=note)
    _point([*Unit.objects.filter(merged_into=loser), loser], survivor, "merge")
    unit_merged.send(Unit, loser=loser, survivor=survivor)
    return record


def merge_blocked_by(loser: Unit, survivor: Unit) -> str:
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
    record = locked(record)
    if reason := unmerge_blocked_by(record):
        raise CurationError(reason)
    loser = locked(record.loser)
    record.undone_at = now
    record.save(update_fields=["undone_at"])
    _point([loser], None, "unmerge")
    _point(Unit.objects.filter(pk__in=followers_of(loser)), loser, "unmerge")
    unit_unmerged.send(Unit, loser=loser, survivor=record.survivor)


def unmerge_blocked_by(record: UnitMerge) -> str:
    """Why a merge cannot be undone; empty when it can."""
    return _("이미 되돌린 병합입니다.") if record.undone_at is not None else ""


def followers_of(unit: Unit) -> set[int]:
    """Units whose open merges lead, over any number of steps, to ``unit``."""
    open_merges = dict(UnitMerge.objects.filter(undone_at=None).values_list("loser_id", "survivor_id"))
    found: set[int] = set()
    frontier = {unit.pk}
    while frontier:
        frontier = {loser for loser, survivor in open_merges.items() if survivor in frontier} - found
        found |= frontier
    return found


def _point(units: Iterable[Unit], target: Unit | None, reason: str) -> None:
    # One by one: update() would leave no history.
    for unit in units:
        unit.merged_into = target
        unit._change_reason = reason  # type: ignore[attr-defined]
        unit.save(update_fields=["merged_into"])
