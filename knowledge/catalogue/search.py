"""Search in pages that go on after the record last shown."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from knowledge.bulkhead import SEARCHES
from knowledge.catalogue.cursors import Page, Place, ranked_page
from knowledge.linking.service import units_named
from knowledge.models import Document, PersonaPost
from knowledge.retrieval import LIMIT_MAX, Hit, search


def record_id(hit: Hit) -> str:
    """The id of the record that a passage belongs to."""
    if hit.unit is not None:
        return hit.unit.public_id
    if hit.document is not None:
        return f"document:{hit.document.pk}"
    assert hit.post is not None
    return f"post:{hit.post.pk}"


def found(
    query: str,
    *,
    now: datetime,
    kinds: Collection[str] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    limit: int = 10,
    cursor: str = "",
) -> Page[Hit]:
    """The records that answer ``query`` best, each by its best passage, at most 100 in all.

    ``kinds`` are PassageKind values; ``since`` and ``until`` bound the time of publication and leave out what has
    none. Raises CursorError, and Busy (503) when this process searches for too many at once.
    """
    place = Place("search", (query, *sorted(kinds or ()), since, until))
    place.key(cursor, str, int)
    with SEARCHES.place():
        hits = search(
            query, now=now, limit=LIMIT_MAX, kinds=kinds, since=since, until=until, linker=units_named
        )
    best: dict[str, Hit] = {}
    for hit in hits:
        best.setdefault(record_id(hit), hit)
    return ranked_page(list(best.values()), limit, place, cursor, record_id)


def document(key: int) -> Document | None:
    """A public document with its source."""
    return Document.objects.published().filter(pk=key).select_related("source__creator").first()


def post(key: int) -> PersonaPost | None:
    """A public post with its persona."""
    return PersonaPost.objects.published().filter(pk=key).select_related("persona__entity").first()
