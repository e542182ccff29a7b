"""The public relations of units: who founded, runs, owns or issues what, seen from either end."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from knowledge.models import (
    INVERSE_OF,
    EventUnit,
    InverseKind,
    Relation,
    RelationKind,
    Unit,
)
from knowledge.queries.serializers import RelationRecord


class Related(NamedTuple):
    """How a unit stands to ``other``: the kind reads from the unit; a date is a year, a month or a day, or empty."""

    kind: RelationKind | InverseKind
    other: Unit
    started: str
    ended: str
    reference: str


_ORDER = [*RelationKind, *InverseKind]


def relations_of(unit: Unit, kinds: Collection[str] = ()) -> list[Related]:
    """The public relations of a unit and those merged into it, by kind, start and name; with ``kinds`` those alone.

    The other end is whatever stands for it today. What two merged units both said is said once. Three queries.
    """
    rows: list[Any] = list(Relation.objects.published().of(unit))
    found = [
        (RelationKind(row.kind), row.object_now, row)
        if row.subject_now == unit.pk
        else (INVERSE_OF[row.kind], row.subject_now, row)
        for row in rows
    ]
    wanted = [(kind, other, row) for kind, other, row in found if not kinds or kind in kinds]
    units = Unit.objects.in_bulk([other for _kind, other, _row in wanted])
    related = [
        Related(kind, units[other], row.started, row.ended, row.reference) for kind, other, row in wanted
    ]
    related.sort(key=lambda one: (_ORDER.index(one.kind), one.started, one.other.label, one.other.pk))
    return list({(one.kind, one.other.pk, one.started): one for one in related}.values())


def connected(units: Iterable[Unit]) -> dict[int, set[int]]:
    """Of each of these public units which others of them it is connected with: an event with what it speaks of, and the
    two ends of a public relation. By their keys; three queries."""
    survivors = Unit.objects.families([unit.pk for unit in units]).survivor_keys()
    told = EventUnit.objects.filter(event__in=list(survivors), unit__in=list(survivors))
    spoken_of = {(survivors[event], survivors[unit]) for event, unit in told.values_list("event", "unit")}
    found: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in spoken_of | Relation.objects.between(survivors):
        found[one].add(other)
        found[other].add(one)
    return found


def relation_record(related: Related) -> RelationRecord:
    """One of them as JSON and MCP say it."""
    return {
        "kind": related.kind.value,
        "id": related.other.public_id,
        "label": related.other.label,
        "labelEn": related.other.label_en or None,
        "url": related.other.get_absolute_url(),
        "from": related.started or None,
        "to": related.ended or None,
        "reference": related.reference or None,
    }
