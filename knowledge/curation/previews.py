"""What a decision would change, computed before it is made. Nothing here writes.

Each ``preview_…`` function belongs to the decision of that name; ``blocked_by`` says why it would be refused.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from knowledge.counting import Counts, count_of
from knowledge.curation.merging import followers_of, merge_obstacle, unmerge_obstacle
from knowledge.curation.splitting import NewUnit, split_obstacle
from knowledge.curation.statuses import status_obstacle
from knowledge.models import Alias, Document, Mention, PersonaPost, Pulse, Status, Unit, UnitMerge
from knowledge.normalise import normalise_alias
from knowledge.publications.registry import registered
from knowledge.signals import merge_preview, retract_preview


class Address(NamedTuple):
    """A page's address, the HTTP status readers get there now and after, and where a redirect leads."""

    path: str
    before: int
    after: int
    target: str


class Tally(NamedTuple):
    """A unit's documents and videos before and after."""

    unit: str
    before: Counts
    after: Counts


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a decision would change. ``publications`` are the names of the public files that would be made anew."""

    blocked_by: str = ""
    addresses: Sequence[Address] = ()
    tallies: Sequence[Tally] = ()
    aliases: Sequence[str] = ()
    events: int = 0
    pulses: int = 0
    posts: int = 0
    publications: Sequence[str] = ()
    notes: Sequence[str] = field(default=())


def preview_status(unit: Unit, status: Status) -> Consequences:
    """What ``set_status`` would change."""
    later = _with(unit, status=status)
    followers = list(unit.merged_units.all())
    shown = [(unit, later), *((one, _with(one, merged_into=later)) for one in followers)]
    changes = unit.is_public != later.is_public
    notes = _answers(retract_preview, unit=unit) if changes and unit.is_public else []
    if changes and unit.is_public:
        named = Document.objects.published().filter(mentions__unit__in=[unit, *followers])
        notes.append(
            _("이름이 나오는 문서 %(count)d개에서 연결이 곧 풀립니다.") % {"count": named.distinct().count()}
        )
    if changes and status == Status.PUBLISHED:
        notes.append(_("이름이 나오는 문서는 곧 다시 연결되어 문서 수가 바뀝니다."))
    return _with_uses(
        [unit.pk, *(one.pk for one in followers)],
        blocked_by=status_obstacle(unit, status),
        addresses=_addresses(shown),
        publications=_publications([unit] if changes else []),
        notes=notes,
    )


def preview_address(unit: Unit, status: Status) -> Address:
    """What ``set_status`` would make of a unit's address. No query."""
    return _address(unit, _with(unit, status=status))


def preview_merge(loser: Unit, survivor: Unit) -> Consequences:
    """What ``merge`` would change."""
    followers = list(loser.merged_units.all())
    joined = [loser, *followers]
    own = {survivor.pk, *_family(survivor)}
    gone = {one.pk for one in joined}
    return _with_uses(
        gone,
        blocked_by=merge_obstacle(loser, survivor),
        addresses=_addresses((one, _with(one, merged_into=survivor)) for one in joined),
        tallies=[
            Tally(str(survivor), count_of(own), count_of(own | gone)),
            Tally(str(loser), count_of(gone), Counts(0, 0)),
        ],
        aliases=_names_of(joined),
        publications=_publications([loser, survivor]),
        notes=_answers(merge_preview, loser=loser, survivor=survivor),
    )


def preview_unmerge(record: UnitMerge) -> Consequences:
    """What ``unmerge`` would change."""
    loser, survivor = record.loser, record.loser.merged_into or record.survivor
    freed = _with(loser, merged_into=None)
    followers = list(Unit.objects.filter(pk__in=followers_of(loser)).select_related("merged_into"))
    leaving = {loser.pk, *(one.pk for one in followers)}
    together = {survivor.pk, *_family(survivor)}
    return _with_uses(
        leaving,
        blocked_by=unmerge_obstacle(record),
        addresses=_addresses([(loser, freed), *((one, _with(one, merged_into=freed)) for one in followers)]),
        tallies=[
            Tally(str(survivor), count_of(together), count_of(together - leaving)),
            Tally(str(loser), Counts(0, 0), count_of(leaving)),
        ],
        aliases=_names_of([loser, *followers]),
        publications=_publications([freed, survivor]),
        notes=_answers(merge_preview, loser=loser, survivor=survivor),
    )


def preview_split(unit: Unit, aliases: Collection[Alias], into: Unit | NewUnit) -> Consequences:
    """What ``split`` would change. Its counts are of the names that documents are known to use today."""
    target = None if isinstance(into, NewUnit) else into
    moved, left = _documents_by(unit, {alias.norm for alias in aliases})
    own = count_of([unit.pk, *_family(unit)])
    shown = (target is not None and target.is_public) or (isinstance(into, NewUnit) and into.public)
    gaining = moved if shown else Counts(0, 0)
    there = count_of([target.pk, *_family(target)]) if target else Counts(0, 0)
    notes = []
    if Alias.names.filter(unit=unit, is_label=True, norm__in=[alias.norm for alias in aliases]).exists():
        notes.append(_("이 단위의 이름도 같은 말이라, 이름을 고치기 전에는 계속 이 단위로도 연결됩니다."))
    if not shown:
        notes.append(_("옮겨 갈 단위가 공개되어야 문서가 그 단위로 연결됩니다."))
    notes.append(_("문서는 저장한 뒤 작업자가 곧 다시 연결합니다. 수는 지금 기준의 어림입니다."))
    return Consequences(
        blocked_by=split_obstacle(unit, aliases, target),
        addresses=_new_address(unit, into) if isinstance(into, NewUnit) else (),
        tallies=[
            Tally(str(unit), own, _less(own, left)),
            Tally(str(target) if target else str(getattr(into, "label", "")), there, _more(there, gaining)),
        ],
        aliases=[alias.surface for alias in aliases],
        publications=_publications([one for one in (unit, target) if one is not None]),
        notes=notes,
    )


def _with_uses(family: Collection[int], **parts: Any) -> Consequences:
    """A preview with the number of public events, pulses and posts that refer to these units (keys)."""
    subjects = Q(event_units__unit__in=family)
    posts = Q(units__in=family) | Q(persona__entity__in=family)
    return replace(
        Consequences(**parts),
        events=Unit.objects.published().filter(subjects).distinct().count(),
        pulses=Pulse.objects.published().filter(asset__in=family).count(),
        posts=PersonaPost.objects.published().filter(posts).distinct().count(),
    )


def _with(unit: Unit, **changes: Any) -> Unit:
    """The unit as it would be; never saved."""
    later = copy.copy(unit)
    later._state = copy.deepcopy(unit._state)
    for name, value in changes.items():
        setattr(later, name, value)
    return later


def _addresses(pairs: Iterable[tuple[Unit, Unit]]) -> list[Address]:
    return [_address(now, later) for now, later in pairs]


def _address(now: Unit, later: Unit) -> Address:
    after = later.public_status
    target = later.survivor.get_absolute_url() if after == 308 else ""
    return Address(now.get_absolute_url(), now.public_status, after, target)


def _new_address(unit: Unit, form: NewUnit) -> list[Address]:
    path = Unit(type=unit.type, slug=form.slug).get_absolute_url()
    return [Address(path, 404, 200 if form.public else 404, "")]


def _family(unit: Unit) -> set[int]:
    return set(unit.merged_units.values_list("pk", flat=True))


def _names_of(units: Sequence[Unit]) -> list[str]:
    """The labels and active aliases that come or go along."""
    surfaces = Alias.names.active().filter(unit__in=units).order_by("-is_label", "unit", "surface")
    return list(dict.fromkeys(surfaces.values_list("surface", flat=True)))


def _publications(units: Iterable[Unit]) -> list[str]:
    """The public files that show any of these units once one of them changes."""
    scopes = {unit.kind for unit in units}
    made = [one.name for one in registered() if scopes & one.scopes]
    return sorted(made)


def _answers(preview: Any, **what: Any) -> list[str]:
    return [str(line) for _receiver, line in preview.send(Unit, **what) if line]


def _documents_by(unit: Unit, norms: Collection[str]) -> tuple[Counts, Counts]:
    """The documents that call the unit by any of these norms, and those of them that call it by nothing else."""
    surfaces = Mention.objects.filter(unit=unit).values_list("surface", flat=True).distinct()
    moving = [surface for surface in surfaces if normalise_alias(surface) in norms]
    called = Document.objects.published().filter(mentions__unit=unit, mentions__surface__in=moving)
    others = Mention.objects.filter(unit=unit).exclude(surface__in=moving)
    only = called.exclude(pk__in=others.values("document"))
    return _counts(called), _counts(only)


def _counts(documents: Any) -> Counts:
    videos = Count("pk", distinct=True, filter=Q(kind="video"))
    found = documents.aggregate(documents=Count("pk", distinct=True), videos=videos)
    return Counts(found["documents"], found["videos"])


def _less(one: Counts, other: Counts) -> Counts:
    return Counts(max(one.documents - other.documents, 0), max(one.videos - other.videos, 0))


def _more(one: Counts, other: Counts) -> Counts:
    return Counts(one.documents + other.documents, one.videos + other.videos)
