"""What belongs to a unit and those merged into it: names, related units, events, pulses, posts, documents."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Count, F, Model, Q, QuerySet

from knowledge.models import (
    ENTITY_TYPES,
    Alias,
    Document,
    Event,
    EventUnit,
    Mention,
    Persona,
    PersonaPost,
    Pulse,
    Unit,
    UnitQuerySet,
    UnitType,
    survivor_key,
)

Row = TypeVar("Row", bound=Model)
NO_EVENTS = (*ENTITY_TYPES, UnitType.TOPIC)
SEQUELS_LOOKED_AT = (
    60  # the next events on any of its subjects, for those on what an event is about above all
)
DOCUMENTS_LOOKED_AT = 200  # the newest ones, for the units named beside a unit

# One bounded scan of the index for each unit of a family: a whole history is neither read nor sorted.
_NEWEST = """
SELECT pair.document_id
FROM knowledge_unit member CROSS JOIN LATERAL (
    SELECT document_id, published_at FROM knowledge_documentunit WHERE unit_id = member.id
    ORDER BY published_at DESC NULLS LAST, document_id DESC LIMIT %(looked_at)s
) AS pair
WHERE member.id = %(unit)s OR member.merged_into_id = %(unit)s
GROUP BY pair.document_id, pair.published_at
ORDER BY pair.published_at DESC NULLS LAST, pair.document_id DESC
LIMIT %(limit)s OFFSET %(start)s
"""


def english_titles(public_ids: Iterable[str]) -> dict[str, str]:
    """The English titles of those of these public units that have one, by public id."""
    found = Unit.objects.published().with_public_ids(public_ids).exclude(label_en="")
    return {unit.public_id: unit.label_en for unit in found}


def aliases_of(unit: Unit) -> list[str]:
    """The unit's other names, as in its public record."""
    return Alias.names.by_unit([unit.pk]).get(unit.pk, [])


def persona_of(unit: Unit) -> Persona | None:
    """The AI persona that a creator is, if it is one."""
    return getattr(unit, "persona", None) if unit.type == UnitType.CREATOR else None


def companions_of(unit: Unit, limit: int, *, types: Collection[str] = NO_EVENTS) -> list[Unit]:
    """The public units of some types that the newest documents about a unit name most often beside it.

    Where those are too few, units that share the most events with it follow.
    """
    found = Unit.objects.published().filter(type__in=types).exclude(pk=unit.pk)
    family = Unit.objects.family(unit)
    newest = newest_about(unit, DOCUMENTS_LOOKED_AT)
    mentions = Mention.objects.filter(document__in=newest).exclude(unit__in=family)
    units = _in_order(found, _most_often(mentions, "document", limit * 4))
    if len(units) < limit:
        told = EventUnit.objects.filter(unit__in=family).values("event")
        links = EventUnit.objects.filter(event__in=Event.objects.published().filter(pk__in=told))
        units = list(dict.fromkeys([*units, *_in_order(found, _most_often(links, "event", limit * 4))]))
    return units[:limit]


def _in_order(rows: QuerySet[Row], keys: Sequence[int]) -> list[Row]:
    found = rows.in_bulk(list(keys))
    return [found[key] for key in keys if key in found]


def _most_often(links: QuerySet[Any], what: str, limit: int) -> list[int]:
    """The survivors of the units that are linked with the most different ``what``."""
    counted = links.values(survivor=survivor_key("unit")).annotate(times=Count(what, distinct=True))
    ranked = counted.order_by("-times", "survivor").values_list("survivor", flat=True)
    return list(ranked[:limit])


def subjects_of(event: Unit) -> list[Unit]:
    """The public entities and topics that an event speaks of, by type and label."""
    return subjects_by_event([event.pk]).get(event.pk, [])


def subjects_by_event(events: Collection[int] | QuerySet[Any, Any]) -> dict[int, list[Unit]]:
    """The public entities and topics that each event with one of these keys, or one merged into it, speaks of. Two
    queries."""
    links = EventUnit.objects.filter(event__in=Unit.objects.families(events))
    told: defaultdict[int, set[int]] = defaultdict(set)
    for event, unit in links.values_list(survivor_key("event"), survivor_key("unit")):
        told[unit].add(event)
    subjects = Unit.objects.published().filter(type__in=NO_EVENTS, pk__in=list(told))
    found: defaultdict[int, list[Unit]] = defaultdict(list)
    for subject in subjects.order_by("type", "label", "pk"):
        for event in told[subject.pk]:
            found[event].append(subject)
    return found


def events_about(unit: Unit) -> UnitQuerySet:
    """The public events that speak of a unit, the newest first."""
    return _events_linked_to(Unit.objects.family(unit)).newest_first()


def _events_linked_to(units: UnitQuerySet) -> UnitQuerySet:
    """The public events that are linked to any of these units, themselves or by one merged into them."""
    links = EventUnit.objects.filter(unit__in=units)
    return Event.objects.published().filter(pk__in=links.values_list(survivor_key("event")))


def adjacent_events(event: Unit) -> tuple[Unit | None, Unit | None]:
    """The public events about the same subjects just before and just after this one."""
    if event.occurred_at is None:
        return None, None
    earlier = _on_the_same(event).filter(occurred_at__lt=event.occurred_at)
    return earlier.order_by("-occurred_at", "pk").first(), _later(event, _on_the_same(event)).first()


def sequels_of(event: Unit, subjects: Sequence[Unit], limit: int) -> list[Unit]:
    """The next public events whose names name what this event's name names first of its ``subjects``, in their order.

    None for a unit that is no event, and for an event whose name names none of them.
    """
    if event.occurred_at is None or not subjects:
        return []
    names = _all_names(subjects)
    main = next(iter(_named_in(event.label, names)), None)
    if main is None:
        return []
    later = _later(event, _events_linked_to(Unit.objects.family(main)))[:SEQUELS_LOOKED_AT]
    maybe = [each for each in later if any(name in each.label for name in names[main])]
    told = subjects_by_event([each.pk for each in maybe]) if maybe else {}
    known = _all_names({one for each in told.values() for one in each}) if told else {}
    named = (
        each for each in maybe if main in _named_in(each.label, {one: known[one] for one in told[each.pk]})
    )
    return list(islice(named, limit))


def _all_names(units: Collection[Unit]) -> dict[Unit, tuple[str, ...]]:
    others = Alias.names.by_unit([each.pk for each in units])
    return {each: (each.label, *others.get(each.pk, ())) for each in units}


def _named_in(text: str, names: Mapping[Unit, Sequence[str]]) -> list[Unit]:
    """The units that a text names, in its order. A name that is part of a longer one that is named, as 비트코인 is of
    비트코인캐시, names nothing."""
    said = {
        unit: max((name for name in each if len(name) > 1 and name in text), key=len, default="")
        for unit, each in names.items()
    }
    whole = [
        unit
        for unit, name in said.items()
        if name and not any(name != other and name in other for other in said.values())
    ]
    return sorted(whole, key=lambda unit: text.index(said[unit]))


def _later(event: Unit, events: UnitQuerySet) -> UnitQuerySet:
    return events.filter(occurred_at__gt=event.occurred_at).order_by("occurred_at", "pk")


def _on_the_same(event: Unit) -> UnitQuerySet:
    """The other public events that share a subject with this one."""
    links = EventUnit.objects.filter(event__in=Unit.objects.family(event))
    subjects = Unit.objects.families(links.values_list(survivor_key("unit")))
    return _events_linked_to(subjects).exclude(pk=event.pk)


def documents_of_event(event: Unit, limit: int) -> list[Document]:
    """The public documents that tell of an event, oldest first: the order in which it became known."""
    told = Document.objects.filter(document_units__unit__in=Unit.objects.family(event))
    rows = told.select_related("source").distinct()
    return list(rows.order_by(F("published_at").asc(nulls_last=True), "pk")[:limit])


def documents_about(unit: Unit, limit: int, *, start: int = 0) -> list[Document]:
    """Public documents that speak of the unit, as its count counts them; the newest first."""
    return _in_order(Document.objects.select_related("source"), newest_about(unit, limit, start=start))


def newest_about(unit: Unit, limit: int, *, start: int = 0) -> list[int]:
    """The keys of the newest public documents that speak of the unit; those without a time come last."""
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST, {"unit": unit.pk, "limit": limit, "start": start, "looked_at": start + limit})
        return [document for (document,) in cursor.fetchall()]


def posts_about(unit: Unit) -> QuerySet[PersonaPost]:
    """Public persona posts about the unit, or by the persona it is; the newest first."""
    about = Q(units__in=Unit.objects.family(unit)) | Q(persona__entity=unit)
    posts = PersonaPost.objects.published().filter(about).select_related("persona__entity")
    return posts.distinct().order_by("-published_at", "pk")


def pulses_of(asset: Unit) -> QuerySet[Pulse]:
    """The public pulses of an asset, the newest first."""
    return Pulse.objects.published().filter(asset=asset).order_by("-detected_at", "key")
