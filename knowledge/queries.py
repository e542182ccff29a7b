"""What pages ask of the knowledge base."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet

from knowledge.models import Document, PersonaPost, Unit

DOCUMENTS_SHOWN = 20
POSTS_SHOWN = 10


def documents_about(unit: Unit, limit: int = DOCUMENTS_SHOWN) -> QuerySet[Document]:
    """The newest public documents that mention the unit, or that its own channel published."""
    spoken = Q(mentions__unit=unit) | Q(mentions__unit__merged_into=unit) | Q(source__creator=unit)
    newest = F("published_at").desc(nulls_last=True)
    return (
        Document.objects.published()
        .filter(spoken)
        .select_related("source")
        .distinct()
        .order_by(newest, "-pk")[:limit]
    )


def related_units(unit: Unit) -> QuerySet[Unit]:
    """What an event is about, or which events are about a unit; the newest events first."""
    published = Unit.objects.published()
    events = Q(event_units__unit=unit) | Q(event_units__unit__merged_into=unit)
    subjects = Q(unit_events__event=unit) | Q(merged_units__unit_events__event=unit)
    about = published.filter(events | subjects)
    return about.distinct().order_by(F("occurred_at").desc(nulls_last=True), "label")


def posts_about(unit: Unit, limit: int = POSTS_SHOWN) -> QuerySet[PersonaPost]:
    """Public persona posts about the unit, or by the persona it is."""
    about = Q(units=unit) | Q(units__merged_into=unit) | Q(persona__entity=unit)
    posts = PersonaPost.objects.published().filter(about).select_related("persona__entity")
    return posts.distinct().order_by("-published_at")[:limit]
