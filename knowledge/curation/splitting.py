"""Splitting: names of a unit that mean another one are moved to that unit, and documents follow.

The documents that contain them are linked again by the worker once the split is committed, as after any change of
aliases.
"""

from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from knowledge.curation.errors import CurationError
from knowledge.curation.locking import locked, locked_pair
from knowledge.curation.statuses import set_status
from knowledge.models import Alias, Status, Unit


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
        return _("같은 단위로는 나눌 수 없습니다.")
    if target.merged_into_id is not None:
        return _("이미 병합된 단위입니다.")
    if target.status == Status.RETRACTED:
        return _("철회된 단위로는 나눌 수 없습니다.")
    taken = set(Alias.objects.filter(unit=target).values_list("surface", flat=True))
    for alias in aliases:
        if alias.surface in taken:
            return _("%(unit)s에 이미 별칭 “%(alias)s”이(가) 있습니다.") % {"unit": target, "alias": alias}
        if alias.unit_type != target.type and (reason := alias.collision(target.type)):
            return f"{alias}: {reason}"
    return ""
