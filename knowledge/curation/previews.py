"""What a decision would change, computed before it is made. Nothing here writes.

Each ``preview_…`` function belongs to the decision of that name; ``blocked_by`` says why it would be refused.
"""

import copy
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from knowledge.counting import Counts, count_of
from knowledge.curation import decisions
from knowledge.models import Alias, Document, Mention, PersonaPost, Pulse, Status, Unit, UnitMerge
from knowledge.normalise import normalise_alias
from knowledge.publications.registry import registered
from knowledge.signals import merge_preview, retract_preview

NOTHING = Counts(0, 0)


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a decision would change."""

    blocked_by: str
    units: Sequence[tuple[Unit, Unit]] = ()  # whose addresses it is about, each as it is now and later
    tallies: Sequence[tuple[Unit, Counts, Counts]] = ()  # a unit, its documents and videos now and later
    aliases: Sequence[str] = ()  # the names that come or go along
    uses: Mapping[str, int] | None = None  # how many public events, pulses and posts refer to the units
    publications: Sequence[str] = ()  # names of the public files to be made anew
    notes: Sequence[str] = ()


def with_changes(unit: Unit, **changes: Any) -> Unit:
    """The unit as it would be; never saved."""
    later = copy.copy(unit)
    for name, value in changes.items():
        setattr(later, name, value)
    return later


def preview_status(unit: Unit, status: Status) -> Consequences:
    """What ``set_status`` would change."""
    later = with_changes(unit, status=status)
    followers = list(unit.merged_units.all())
    changes, notes = unit.is_public != later.is_public, []
    if changes and later.is_public:
        notes = [_("이름이 나오는 문서는 곧 다시 연결되어 문서 수가 바뀝니다.")]
    elif changes:
        named = Document.objects.published().filter(mentions__unit__in=[unit, *followers])
        unlinked = _("이름이 나오는 문서 %(count)d개에서 연결이 곧 풀립니다.")
        notes = [*_answers(retract_preview, unit=unit), unlinked % {"count": named.distinct().count()}]
    return Consequences(
        blocked_by=decisions.status_blocked_by(unit, status),
        units=[(unit, later), *((one, with_changes(one, merged_into=later)) for one in followers)],
        uses=_uses({unit.pk, *(one.pk for one in followers)}),
        publications=_publications([unit] if changes else []),
        notes=notes,
    )


def preview_merge(loser: Unit, survivor: Unit) -> Consequences:
    """What ``merge`` would change."""
    moving = [(one, with_changes(one, merged_into=survivor)) for one in (loser, *loser.merged_units.all())]
    return _preview_move(moving, loser, survivor, decisions.merge_blocked_by(loser, survivor))


def preview_unmerge(record: UnitMerge) -> Consequences:
    """What ``unmerge`` would change."""
    loser, freed = record.loser, with_changes(record.loser, merged_into=None)
    followers = Unit.objects.filter(pk__in=decisions.followers_of(loser)).select_related("merged_into")
    moving = [(loser, freed), *((one, with_changes(one, merged_into=freed)) for one in followers)]
    return _preview_move(
        moving, loser, loser.merged_into or record.survivor, decisions.unmerge_blocked_by(record)
    )


def _preview_move(
    moving: Sequence[tuple[Unit, Unit]], loser: Unit, survivor: Unit, blocked_by: str
) -> Consequences:
    """What changes when units, as they are now and later, come to ``survivor`` or, once they are there, leave it."""
    keys = {now.pk for now, _later in moving}
    others = _family(survivor) - keys
    names = Alias.names.active().filter(unit__in=keys).order_by("-is_label", "unit", "surface")
    tallies = [
        (survivor, count_of(others), count_of(others | keys)),
        (loser, count_of(keys), NOTHING),
    ]
    if loser.merged_into_id is not None:
        tallies = [(unit, after, before) for unit, before, after in tallies]
    return Consequences(
        blocked_by=blocked_by,
        units=moving,
        tallies=tallies,
        aliases=list(dict.fromkeys(names.values_list("surface", flat=True))),
        uses=_uses(keys),
        publications=_publications([loser, survivor]),
        notes=_answers(merge_preview, loser=loser, survivor=survivor),
    )


def preview_split(unit: Unit, aliases: Collection[Alias], into: Unit) -> Consequences:
    """What ``split`` would change. Its counts are of the names that documents are known to use today."""
    norms = {alias.norm for alias in aliases}
    moved, left = _documents_by(unit, norms)
    fresh = into.pk is None
    own, there = count_of(_family(unit)), NOTHING if fresh else count_of(_family(into))
    gained = moved if into.is_public else NOTHING
    notes = []
    if Alias.names.filter(unit=unit, is_label=True, norm__in=norms).exists():
        notes.append(_("이 항목의 이름도 같은 말이라, 이름을 고치기 전에는 계속 이 항목으로도 연결됩니다."))
    if not into.is_public:
        notes.append(_("옮겨 갈 항목이 공개되어야 문서가 그 항목으로 연결됩니다."))
    notes.append(_("문서는 저장한 뒤 작업자가 곧 다시 연결합니다. 수는 지금 기준의 어림입니다."))
    return Consequences(
        blocked_by=decisions.split_blocked_by(unit, aliases, into),
        units=[(with_changes(into, status=Status.DRAFT), into)] if fresh else [],
        tallies=[
            (unit, own, Counts(own.documents - left.documents, own.videos - left.videos)),
            (into, there, Counts(there.documents + gained.documents, there.videos + gained.videos)),
        ],
        aliases=[alias.surface for alias in aliases],
        publications=_publications([unit, into]),
        notes=notes,
    )


def _uses(units: Collection[int]) -> dict[str, int]:
    posts = Q(units__in=units) | Q(persona__entity__in=units)
    return {
        "events": Unit.objects.published().filter(event_units__unit__in=units).distinct().count(),
        "pulses": Pulse.objects.published().filter(asset__in=units).count(),
        "posts": PersonaPost.objects.published().filter(posts).distinct().count(),
    }


def _family(unit: Unit) -> set[int]:
    return set(Unit.objects.family(unit).values_list("pk", flat=True))


def _publications(units: Iterable[Unit]) -> list[str]:
    """The public files that show any of these units once one of them changes."""
    kinds = {unit.kind for unit in units}
    return sorted(one.name for one in registered() if kinds & one.scopes)


def _answers(preview: Any, **what: Any) -> list[str]:
    return [str(line) for _receiver, line in preview.send(Unit, **what) if line]


def _documents_by(unit: Unit, norms: Collection[str]) -> tuple[Counts, Counts]:
    """The documents that call the unit by any of these norms, and those of them that call it by nothing else."""
    surfaces = Mention.objects.filter(unit=unit).values_list("surface", flat=True).distinct()
    moving = [surface for surface in surfaces if normalise_alias(surface) in norms]
    called = Document.objects.published().filter(mentions__unit=unit, mentions__surface__in=moving)
    others = Mention.objects.filter(unit=unit).exclude(surface__in=moving)
    return _counts(called), _counts(called.exclude(pk__in=others.values("document")))


def _counts(documents: QuerySet[Document]) -> Counts:
    videos = Count("pk", distinct=True, filter=Q(kind="video"))
    return Counts(**documents.aggregate(documents=Count("pk", distinct=True), videos=videos))
