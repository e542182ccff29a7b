"""What editors do to units: publish, retract, merge, split, and back again. One transaction each, all or nothing.

Merging moves nothing: aliases, mentions and memberships keep their unit, and every reader goes one hop to the survivor.
Undoing a merge is therefore only closing its record and pointing redirects back. Splitting moves names to another unit,
and the worker links their documents again once that is committed, as after any change of aliases.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Model
from django.utils.translation import gettext as _
from simple_history.models import ModelDelta

from knowledge.models import Alias, PersonaPost, Pulse, Relation, Status, Unit, UnitMerge, UnitType
from knowledge.models.relations import all_above, hold_owners
from knowledge.signals import unit_merged, unit_published, unit_retracted, unit_unmerged

Row = TypeVar("Row", bound=Model)

# What no revert touches: public ids never change, and a merge is undone by its own record.
FIXED = ("type", "slug", "merged_into")


class CurationError(Exception):
    """A decision that the canon's rules refuse; the message says why, in the editor's language."""


def locked(row: Row) -> Row:
    """The row as it is now, of its own model where a proxy was given (a history hears of no proxy).

    The lock is held until the decision is committed. It leaves the key free, so that ingestion, which refers to the
    row, and a decision do not wait for one another.
    """
    model: Any = row._meta.concrete_model
    found: Row = model._base_manager.select_for_update(no_key=True).get(pk=row.pk)
    return found


def locked_pair(one: Unit, other: Unit) -> tuple[Unit, Unit]:
    # Always in key order, so that two editors who merge the same pair both ways wait rather than deadlock.
    rows = Unit.objects.select_for_update(no_key=True).order_by("pk").in_bulk([one.pk, other.pk])
    return rows[one.pk], rows[other.pk]


@transaction.atomic
def set_status(row: Unit | PersonaPost | Pulse, status: Status) -> None:
    """Bring a row to ``status`` with all that follows from it. Raises CurationError where it must not stand there."""
    row = locked(row)
    if reason := status_blocked_by(row, status):
        raise CurationError(reason)
    was_published = row.status == Status.PUBLISHED
    row.status = status
    row._change_reason = status.value  # type: ignore[union-attr]
    row.save(update_fields=["status"])
    if not isinstance(row, Unit):
        return
    if status == Status.PUBLISHED:
        unit_published.send(Unit, unit=row)
    elif status == Status.RETRACTED or was_published:
        # A draft is as little public as what was retracted: nothing may go on quoting it.
        unit_retracted.send(Unit, unit=row)


def status_blocked_by(row: Unit | PersonaPost | Pulse, status: Status) -> str:
    """Why a row must not stand at ``status``; empty when it may."""
    if status != Status.PUBLISHED:
        return ""
    if isinstance(row, PersonaPost):
        if not row.persona.entity.is_public:
            return _("페르소나의 크리에이터가 공개되어 있지 않아 글이 아무 데도 나타나지 않습니다.")
    elif isinstance(row, Unit):
        if row.merged_into_id is not None:
            return _("병합된 항목은 공개할 수 없습니다. 먼저 병합을 되돌리세요.")
        if row.type == UnitType.EVENT and row.occurred_at is None:
            return _("발생 일시가 없는 사건은 공개할 수 없습니다.")
    return ""


def guarded_fields(unit: Unit) -> tuple[str, ...]:
    """The fields that only who may publish changes: all that readers know a unit by, once it has left its draft."""
    return () if unit.status == Status.DRAFT else ("label", "symbol", "occurred_at")


def former_status(unit: Unit) -> Status:
    """Where a unit stood before it came to where it stands; a draft where its history does not say."""
    former = Unit.history.filter(id=unit.pk).exclude(status=unit.status).values_list("status", flat=True)
    return Status(former.first() or Status.DRAFT)


@transaction.atomic
def merge(loser: Unit, survivor: Unit, *, now: datetime, note: str = "") -> UnitMerge:
    """Let ``loser`` redirect to ``survivor`` for ever, and whatever redirected to ``loser`` with it.

    Raises CurationError for two sorts of unit that cannot be one, when either is already merged away, and where a unit
    would come to own itself.
    """
    hold_owners()  # before any unit's row: who writes a relation takes the locks in this order
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
        return _("한 항목을 자기 자신과 병합할 수 없습니다.")
    if loser.url_prefix != survivor.url_prefix:
        return _("종류가 다른 항목은 병합할 수 없습니다.")
    if loser.merged_into_id is not None or survivor.merged_into_id is not None:
        return _("이미 병합된 항목입니다.")
    if survivor.pk in all_above(survivor.pk, Relation.objects.owners(merging={loser.pk: survivor.pk})):
        return _("병합하면 자회사 관계가 돌고 돕니다. 먼저 관계를 고치세요.")
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


@transaction.atomic
def split(unit: Unit, aliases: Collection[Alias], *, into: Unit) -> Unit:
    """Move ``aliases`` of ``unit`` to another one, which is returned. One that is not saved yet is made, of its type.

    Raises CurationError where they cannot go.
    """
    fresh, wanted = into._state.adding, Status(into.status)
    if fresh:
        _make(into, locked(unit))
    unit, target = locked_pair(unit, into)
    moving = list(Alias.objects.select_for_update().filter(unit=unit, pk__in=[alias.pk for alias in aliases]))
    if reason := split_blocked_by(unit, moving, target):
        raise CurationError(reason)
    if len(moving) != len(aliases):
        raise CurationError(_("그사이 바뀐 별칭이 있습니다. 다시 고르세요."))
    for alias in moving:
        alias.unit = target
        alias._change_reason = "split"  # type: ignore[attr-defined]
        alias.save()
    if fresh and wanted != Status.DRAFT:
        set_status(target, wanted)
    return target


def _make(unit: Unit, like: Unit) -> None:
    unit.type, unit.occurred_at, unit.status = like.type, like.occurred_at, Status.DRAFT
    unit._change_reason = "split"  # type: ignore[attr-defined]
    try:
        unit.full_clean()
    except ValidationError as error:
        raise CurationError(" ".join(error.messages)) from error
    unit.save()


def split_blocked_by(unit: Unit, aliases: Collection[Alias], target: Unit) -> str:
    """Why these aliases cannot go to ``target``, which may be a unit not saved yet; empty when they can."""
    if not aliases:
        return _("옮길 별칭을 하나 이상 고르세요.")
    if target._state.adding:
        return ""
    if target.pk == unit.pk:
        return _("같은 항목으로는 나눌 수 없습니다.")
    if target.merged_into_id is not None:
        return _("이미 병합된 항목입니다.")
    if target.status == Status.RETRACTED:
        return _("철회된 항목으로는 나눌 수 없습니다.")
    taken = set(Alias.objects.filter(unit=target).values_list("surface", flat=True))
    for alias in aliases:
        if alias.surface in taken:
            return _("%(unit)s에 이미 별칭 “%(alias)s”이(가) 있습니다.") % {"unit": target, "alias": alias}
        if alias.unit_type != target.type and (reason := alias.collision(target.type)):
            return f"{alias}: {reason}"
    return ""


def changes_back(record: Any) -> ModelDelta | None:
    """What ``revert`` would change, ``old`` being how the row is now; None where the row is deleted."""
    row = record.instance_type._base_manager.filter(pk=record.id).first()
    if row is None:
        return None
    now = type(record)(**{field.attname: getattr(row, field.attname) for field in record.tracked_fields})
    return record.diff_against(now, excluded_fields=FIXED, foreign_keys_are_objs=True)


@transaction.atomic
def revert(record: Any) -> Model:
    """Bring a row back to how a record of its history has it, a deleted one included.

    Raises CurationError where it must not stand so.
    """
    model: type[Model] = record.instance_type
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
