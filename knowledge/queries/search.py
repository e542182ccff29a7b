"""Search as every face asks for it (JSON, the search page, MCP): records, each once, in pages."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from knowledge.models import AI_PERSONA, Document, PersonaPost, Unit
from knowledge.models.search import SearchPassage
from knowledge.normalise import normalise_alias
from knowledge.queries.cursors import Page, Pagination, Row, ranked_page
from knowledge.queries.serializers import FoundRecord
from knowledge.search.bulkhead import SEARCHES
from knowledge.search.ranking import search, understand
from knowledge.search.scoring import LIMIT_MAX, Filters
from knowledge.search.typos import Mend
from knowledge.times import iso_kst

SNIPPET_MAX_LENGTH = 240
RAISED_BY = 0.01  # how far the score of a record of exactly the asked name stands above the next one's


@dataclass(frozen=True, slots=True)
class Results(Page[Row]):
    """A page of what was found. ``mended`` are the mistyped names of the query, and for what they were taken."""

    mended: tuple[Mend, ...] = ()


def record_id(hit: SearchPassage) -> str:
    """The id of the record that a passage belongs to."""
    if hit.unit is not None:
        return hit.unit.public_id
    if hit.document is not None:
        return f"document:{hit.document.pk}"
    assert hit.post is not None
    return f"post:{hit.post.pk}"


def hits(
    query: str,
    *,
    now: datetime,
    kinds: Collection[str] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    limit: int = 10,
    cursor: str = "",
) -> Results[SearchPassage]:
    """The records that answer ``query`` best, each by its best passage, at most 100 in all; scores descend.

    Units whose label, symbol or alias is the query come first, then documents of which it is the title. ``kinds``
    are PassageKind values; ``since`` and ``until`` bound the time of publication and leave out what has none.
    Raises CursorError, and Busy (503) when this process searches for too many at once.
    """
    pagination = Pagination("search", (query, *sorted(set(kinds or ())), since, until))
    pagination.key(cursor)  # refused before the search, not after
    filters = Filters(kinds, since, until)
    with SEARCHES:
        question = understand(query)
        found = search(question, now=now, filters=filters)
    ranked = _named_first(query, question.called, found, filters)
    page = ranked_page(ranked[:LIMIT_MAX], limit, pagination, cursor, record_id)
    return Results(page.rows, page.next_cursor, question.mended)


def _named_first(
    query: str, units: Iterable[Unit], hits: Iterable[SearchPassage], filters: Filters
) -> list[SearchPassage]:
    """Each record's best passage, those of this very name first; ``units`` join that no passage brought."""
    best: dict[str, SearchPassage] = {}
    for hit in hits:
        best.setdefault(record_id(hit), hit)
    named = {unit.public_id: best.pop(unit.public_id, _hit_of(unit)) for unit in units}
    title = normalise_alias(query)
    titled = [
        hit for hit in best.values() if hit.document is not None and normalise_alias(hit.title) == title
    ]
    others = [hit for hit in best.values() if hit not in titled]
    first = [hit for hit in named.values() if filters.admit(hit.kind, hit.published_at)]
    leading = sorted(first, key=lambda hit: -hit.score) + titled
    # Their scores are raised so that they descend and the last stands above the others.
    over = others[0].score if others else 0.0
    for hit in reversed(leading):
        hit.score = over = max(hit.score, over + RAISED_BY)
    return leading + others


def _hit_of(unit: Unit) -> SearchPassage:
    """A public unit as a hit that no passage brought: its summary, without a score."""
    hit = SearchPassage(
        kind=unit.kind,
        title=unit.label,
        text=unit.summary or unit.summary_en,
        lang="ko" if unit.summary else "en",
        published_at=unit.occurred_at,
        unit=unit,
    )
    hit.landing_unit = unit
    return hit


def document(key: int) -> Document | None:
    return Document.objects.published().filter(pk=key).select_related("source__creator").first()


def post(key: int) -> PersonaPost | None:
    return PersonaPost.objects.published().filter(pk=key).select_related("persona__entity").first()


def results(
    query: str, *, now: datetime, kinds: Collection[str] | None = None, limit: int = 10, cursor: str = ""
) -> Results[FoundRecord]:
    """A page of the records that ``hits`` finds. Raises CursorError, and Busy (503)."""
    page = hits(query, now=now, kinds=kinds, limit=limit, cursor=cursor)
    return Results([_result(hit) for hit in page.rows], page.next_cursor, page.mended)


def _result(hit: SearchPassage) -> FoundRecord:
    page = hit.landing_unit.get_absolute_url() if hit.landing_unit is not None else ""
    record = FoundRecord(
        id=record_id(hit),
        kind=hit.kind,
        title=hit.title,
        snippet=_snippet(hit.text),
        url=page or (hit.document.url if hit.document else ""),
        publishedAt=iso_kst(hit.published_at) if hit.published_at else None,
        score=round(hit.score, 3),
    )
    if hit.document is not None:
        record["source"] = hit.document.source.name
        record["originalUrl"] = hit.document.url
    if hit.post is not None:
        persona = hit.post.persona
        record["source"] = f"{persona.entity.label} · {AI_PERSONA}"
        record["isAiPersona"], record["glyph"], record["disclosure"] = True, persona.glyph, persona.disclosure
    return record


def _snippet(text: str) -> str:
    flat = " ".join(text.split())
    if len(flat) <= SNIPPET_MAX_LENGTH:
        return flat
    return flat[:SNIPPET_MAX_LENGTH].rsplit(" ", 1)[0] + "…"
