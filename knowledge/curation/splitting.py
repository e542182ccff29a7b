"""Splitting: names of a unit that mean another one are moved to that unit, and documents follow.

The documents that contain them are linked again by the worker once the split is committed, as after any change of
aliases.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from knowledge.curation.errors import CurationError
from knowledge.curation.locking import locked, locked_pair
from knowledge.curation.statuses import set_status
from knowledge.models import Alias, Status, Unit


@dataclass(frozen=True, slots=True)
class NewUnit:
    """A unit to be made by a split, of the same type as the one it comes from."""

    label: str
    slug: str
    public: bool = False


@transaction.atomic
def split(unit: Unit, aliases: Collection[Alias], *, into: Unit | NewUnit) -> Unit:
    """Move ``aliases`` of ``unit`` to another unit, which is returned. Raises CurationError where they cannot go."""
    fresh = isinstance(into, NewUnit)
    target = _made(locked(unit), into) if isinstance(into, NewUnit) else into
    unit, target = locked_pair(unit, target)
    moving = list(Alias.objects.select_for_update().filter(unit=unit, pk__in=[alias.pk for alias in aliases]))
    if reason := split_obstacle(unit, moving, target):
        raise CurationError(reason)
    if len(moving) != len(aliases):
        raise CurationError(_("그사이 바뀐 별칭이 있습니다. 다시 고르세요."))
    for alias in moving:
        alias.unit = target
        alias._change_reason = "split"  # type: ignore[attr-defined]
        alias.save()
    if fresh and isinstance(into, NewUnit) and into.public:
        set_status(target, Status.PUBLISHED)
    return target


def split_obstacle(unit: Unit, aliases: Collection[Alias], target: Unit | None) -> str:
    """Why these aliases cannot go to ``target`` (None: a new unit); empty when they can."""
    if not aliases:
        return _("옮길 별칭을 하나 이상 고르세요.")
    if target is None:
        return ""
    if target.pk == unit.pk:
        return _("같은 단위로는 나눌 수 없습니다.")
    if target.merged_into_id is not None:
        return _("이미 병합된 단위입니다.")
    if target.status == Status.RETRACTED:
        return _("철회된 단위로는 나눌 수 없습니다.")
    return _collision(aliases, target)


def _collision(aliases: Collection[Alias], target: Unit) -> str:
    taken = set(Alias.objects.filter(unit=target).values_list("surface", flat=True))
    for alias in aliases:
        if alias.surface in taken:
            return _("%(unit)s에 이미 별칭 “%(alias)s”이(가) 있습니다.") % {"unit": target, "alias": alias}
        if alias.unit_type != target.type and (reason := alias.collision(target.type)):
            return f"{alias}: {reason}"
    return ""


def _made(unit: Unit, form: NewUnit) -> Unit:
    made = Unit(type=unit.type, slug=form.slug, label=form.label, occurred_at=unit.occurred_at)
    made._change_reason = "split"  # type: ignore[attr-defined]
    try:
        made.full_clean()
    except ValidationError as error:
        raise CurationError(" ".join(error.messages)) from error
    made.save()
    return made
