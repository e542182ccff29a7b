"""What belongs to one unit: its names, its company, its events, pulses and documents."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.db import connection
from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Coalesce

from knowledge.models import (
    Alias,
    Document,
    Event,
    EventUnit,
    Mention,
    Persona,
    PersonaPost,
    Pulse,
    Status,
    Unit,
    UnitType,
)

DOCUMENTS_LOOKED_AT = 200  # the newest ones say who keeps whom company

# One scan of the index for each of a family, cut at what is looked at: nobody's whole history is read or sorted.
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


def family(unit: Unit) -> QuerySet[Unit]:
    """The unit and those merged into it: mentions and links stay with the unit they were made for."""
    return Unit.objects.get_queryset().filter(Q(pk=unit.pk) | Q(merged_into=unit.pk))


def find_unit(prefix: str, slug: str) -> Unit | None:
    """Whatever stands at an address, public or not, with the unit it was merged into."""
    return Unit.objects.get_queryset().filter(prefix=prefix, slug=slug).select_related("merged_into").first()


def aliases_of(unit: Unit) -> list[str]:
    """Other names, its own first, then label and aliases of each unit merged into it; never the label itself.

    A retracted one lends its names to nobody.
    """
    lent = Q(unit__merged_into=unit) & ~Q(unit__status=Status.RETRACTED)
    names = Alias.names.active().filter(Q(unit=unit) | lent)
    own_first = F("unit__merged_into").asc(nulls_first=True)
    surfaces = names.order_by(own_first, "unit", "-is_label", "pk").values_list("surface", flat=True)
    return [name for name in dict.fromkeys(surfaces) if name != unit.label]


def persona_of(unit: Unit) -> Persona | None:
    """The AI persona that a creator is, if it is one."""
    if unit.type != UnitType.CREATOR:
        return None
    return Persona.objects.filter(entity_id=unit.pk).first()


def companions_of(unit: Unit, limit: int, *, types: Collection[str] | None = None) -> list[Unit]:
    """The public units, events aside, that the newest documents about a unit name most often beside it.

    Where those are too few, units that share the most events with it follow.
    """
    found = Unit.objects.published().exclude(type=UnitType.EVENT).exclude(pk=unit.pk)
    if types is not None:
        found = found.filter(type__in=types)
    ranked = _beside_in_documents(unit, limit * 4)
    units = _in_order(found, ranked)
    if len(units) < limit:
        ranked = list(dict.fromkeys([*ranked, *_beside_in_events(unit, limit * 4)]))
        units = _in_order(found, ranked)
    return units[:limit]


def _in_order(units: QuerySet[Unit], ranked: Sequence[int]) -> list[Unit]:
    found = units.in_bulk(list(ranked))
    return [found[key] for key in ranked if key in found]


def _beside_in_events(unit: Unit, limit: int) -> list[int]:
    told = EventUnit.objects.filter(unit__in=family(unit)).values("event")
    shared = (
        EventUnit.objects.filter(event__in=Event.objects.published().filter(pk__in=told))
        .annotate(survivor=Coalesce("unit__merged_into", "unit"))
        .values("survivor")
        .annotate(events=Count("event", distinct=True))
        .order_by("-events", "survivor")
    )
    return list(shared.values_list("survivor", flat=True)[:limit])


def _beside_in_documents(unit: Unit, limit: int) -> list[int]:
    counted = (
        Mention.objects.filter(document__in=newest_about(unit, DOCUMENTS_LOOKED_AT))
        .annotate(survivor=Coalesce("unit__merged_into", "unit"))
        .exclude(survivor=unit.pk)
        .values("survivor")
        .annotate(documents=Count("document", distinct=True))
        .order_by("-documents", "survivor")
        .values_list("survivor", flat=True)[:limit]
    )
    return list(counted)


def subjects_of(event: Unit) -> list[Unit]:
    """The public entities and topics that an event speaks of."""
    found = Unit.objects.published().filter(pk__in=_linked_to(event)).exclude(type=UnitType.EVENT)
    return list(found.order_by("type", "label"))


def _linked_to(event: Unit) -> QuerySet[EventUnit, Any]:
    """Keys of the units, each by its survivor, that an event or one merged into it is linked to."""
    links = EventUnit.objects.filter(event__in=family(event))
    return links.annotate(survivor=Coalesce("unit__merged_into", "unit")).values("survivor")


def events_about(unit: Unit) -> QuerySet[Unit]:
    """The public events that speak of a unit, the newest first."""
    return _events_linked_to(family(unit)).order_by(F("occurred_at").desc(nulls_last=True), "label")


def _events_linked_to(units: QuerySet[Unit]) -> QuerySet[Unit]:
    """The public events that are linked to any of these units, themselves or by one merged into them."""
    links = EventUnit.objects.filter(unit__in=units)
    survivors = links.annotate(survivor=Coalesce("event__merged_into", "event")).values("survivor")
    return Event.objects.published().filter(pk__in=survivors)


def documents_of_event(event: Unit, limit: int) -> list[Document]:
    """The public documents that tell of an event, oldest first: the order in which it became known."""
    rows = Document.objects.filter(document_units__unit__in=family(event)).select_related("source").distinct()
    return list(rows.order_by(F("published_at").asc(nulls_last=True), "pk")[:limit])


def documents_about(unit: Unit, limit: int, *, start: int = 0) -> list[Document]:
    """Public documents that speak of the unit, as its count counts them; the newest first."""
    keys = newest_about(unit, limit, start=start)
    found = Document.objects.select_related("source").in_bulk(keys)
    return [found[key] for key in keys if key in found]


def newest_about(unit: Unit, limit: int, *, start: int = 0) -> list[int]:
    """The keys of the newest public documents that speak of the unit; those without a time come last."""
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST, {"unit": unit.pk, "limit": limit, "start": start, "looked_at": start + limit})
        return [document for (document,) in cursor.fetchall()]


def posts_about(unit: Unit) -> QuerySet[PersonaPost]:
    """Public persona posts about the unit, or by the persona it is."""
    about = Q(units=unit) | Q(units__merged_into=unit) | Q(persona__entity=unit)
    posts = PersonaPost.objects.published().filter(about).select_related("persona__entity")
    return posts.distinct().order_by("-published_at")


def pulses_of(asset: Unit) -> QuerySet[Pulse]:
    """The public pulses of an asset, the newest first."""
    return Pulse.objects.published().filter(asset=asset).order_by("-detected_at", "key")


def neighbours(event: Unit) -> tuple[Unit | None, Unit | None]:
    """The public events about the same subjects just before and just after this one."""
    if event.occurred_at is None:
        return None, None
    earlier = _on_the_same(event).filter(occurred_at__lt=event.occurred_at)
    return earlier.order_by("-occurred_at", "pk").first(), next(iter(events_after(event, 1)), None)


def events_after(event: Unit, limit: int) -> list[Unit]:
    """The next public events about the same subjects, in their order; none for a unit that is no event."""
    if event.occurred_at is None:
        return []
    later = _on_the_same(event).filter(occurred_at__gt=event.occurred_at)
    return list(later.order_by("occurred_at", "pk")[:limit])


def _on_the_same(event: Unit) -> QuerySet[Unit]:
    """The other public events that share a subject with this one."""
    subjects = _linked_to(event)
    members = Unit.objects.get_queryset().filter(Q(pk__in=subjects) | Q(merged_into__in=subjects))
    return _events_linked_to(members).exclude(pk=event.pk)
