"""Search as every face asks for it (JSON, the search page, MCP): records, each once, in pages."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from knowledge.languages import ENGLISH, current_language
from knowledge.models import AI_PERSONA, ALL_UNITS, Document, Narrowing, PersonaPost, Unit
from knowledge.models.search import SearchPassage
from knowledge.normalise import normalise_alias
from knowledge.queries.cursors import Page, Pagination, Row, ranked_page
from knowledge.queries.names import nearest_units, units_called
from knowledge.queries.serializers import FoundRecord
from knowledge.queries.stories import Story, stories
from knowledge.search.bulkhead import SEARCHES
from knowledge.search.fitting import fits, words_held
from knowledge.search.ranking import UnderstoodQuestion, search, understand
from knowledge.search.scoring import LIMIT_MAX, Filters
from knowledge.search.typos import Mend
from knowledge.times import iso_kst

SNIPPET_MAX_LENGTH = 240
RAISED_BY = 0.01  # how far the score of a record of exactly the asked name stands above the next one's


@dataclass(frozen=True, slots=True)
class Results(Page[Row]):
    """A page of what was found. ``mended`` are the mistyped names of the query, and for what they were taken; ``meant``
    the units that somebody may have meant where nothing was found; ``held_words`` those of the query by
    each of which something is found, where nothing was found by all."""

    mended: tuple[Mend, ...] = ()
    meant: tuple[Unit, ...] = ()
    held_words: tuple[str, ...] = ()


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
    units: Narrowing = ALL_UNITS,
    since: datetime | None = None,
    until: datetime | None = None,
    limit: int = 10,
    cursor: str = "",
) -> Results[SearchPassage]:
    """The records that answer ``query`` best, each by its best passage, at most 100 in all; scores descend.

    Units whose label, symbol or alias is the query come first, then documents of which it is the title. Nothing, where
    no record holds enough of the query. ``kinds`` are SEARCH_KINDS; ``units`` leaves such units alone; ``since`` and
    ``until`` bound the time of publication and leave out what has none.
    Raises CursorError, and Busy (503) when this process searches for too many at once.
    """
    pagination = Pagination("search", (query, *sorted(set(kinds or ())), units, since, until))
    pagination.key(cursor)  # refused before the search, not after
    ranked, question = _ranked(query, now, Filters(kinds, since, until, units))
    page = ranked_page(ranked, limit, pagination, cursor, record_id)
    if ranked:
        return Results(page.rows, page.next_cursor, question.mended)
    return Results([], "", question.mended, _meant(query, question), words_held(question))


def nearest(query: str, *, now: datetime) -> list[SearchPassage]:
    """The records nearest to ``query``, at most 100, in the order of ``hits``, though none holds enough of it."""
    return _ranked(query, now, Filters(), only_fitting=False)[0]


def _ranked(
    query: str, now: datetime, filters: Filters, *, only_fitting: bool = True
) -> tuple[list[SearchPassage], UnderstoodQuestion]:
    with SEARCHES:
        question = understand(query)
        found = search(question, now=now, filters=filters)
        if only_fitting and not fits(question, found):
            found = []
    return _named_first(query, question.called, found, filters)[:LIMIT_MAX], question


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
    first = [
        hit
        for hit in named.values()
        if hit.unit is not None and filters.admit(hit.kind, hit.published_at, hit.unit)
    ]
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
    rows = [_result(hit) for hit in page.rows]
    return Results(rows, page.next_cursor, page.mended, page.meant, page.held_words)


@dataclass(frozen=True, slots=True)
class FoundStory:
    """A record as the search page shows it: the ``unit`` that it is, or the one ``beside`` a document, and other
    documents that tell the same, with the number of outlets that do. ``lang`` is that of what was found."""

    record: FoundRecord
    lang: str
    unit: Unit | None
    beside: Unit | None
    copies: Sequence[FoundRecord]
    told_by: int

    @property
    def snippet(self) -> str:
        """The best passage; where that is in another language than the page, what the unit is in this one."""
        lang = current_language()
        if self.unit is None or self.lang == lang:
            return self.record["snippet"]
        return snippet(self.unit.summary_en if lang == ENGLISH else self.unit.summary)

    @property
    def address(self) -> str:
        """A document's own, a page here for anything else."""
        return self.record.get("originalUrl") or self.record["url"]


def found_stories(
    query: str, *, now: datetime, kinds: Collection[str] | None = None, limit: int = 10, cursor: str = ""
) -> Results[FoundStory]:
    """What ``results`` finds, with documents that tell one story as one row, and ``meant`` also where something was
    found. Raises CursorError, and Busy (503)."""
    pagination = Pagination("stories", (query, *sorted(set(kinds or ()))))
    pagination.key(cursor)
    ranked, question = _ranked(query, now, Filters(kinds, None, None))
    told = stories(ranked, lambda hit: hit.document)
    page = ranked_page(told, limit, pagination, cursor, lambda story: record_id(story.first))
    rows = [_found_story(story) for story in page.rows]
    held_words = () if ranked else words_held(question)
    return Results(rows, page.next_cursor, question.mended, _meant(query, question), held_words)


def _meant(query: str, question: UnderstoodQuestion) -> tuple[Unit, ...]:
    if question.mended:
        return tuple(dict.fromkeys(unit for mend in question.mended for unit in units_called(mend.taken)))
    return () if question.named else tuple(nearest_units(query))


def _found_story(story: Story[SearchPassage]) -> FoundStory:
    hit = story.first
    beside = hit.landing_unit if hit.document is not None else None
    copies = [_result(copy) for copy in story.copies]
    return FoundStory(_result(hit), hit.lang, hit.unit, beside, copies, story.told_by)


def _result(hit: SearchPassage) -> FoundRecord:
    record = FoundRecord(
        id=record_id(hit),
        kind=hit.kind,
        title=hit.title,
        snippet=snippet(hit.text),
        url=hit.page or (hit.document.url if hit.document else ""),
        publishedAt=iso_kst(hit.published_at) if hit.published_at else None,
        score=round(hit.score, 3),
    )
    if hit.document is not None:
        record["source"] = hit.document.source.name
        record["originalUrl"] = hit.document.url
    if hit.post is not None:
        persona = hit.post.persona
        record["source"] = f"{persona.entity.label} · {AI_PERSONA}"
        record["isAiPersona"], record["glyph"], record["disclosure"] = True, persona.glyph, persona.disclosed
    return record


def snippet(text: str, longest: int = SNIPPET_MAX_LENGTH) -> str:
    """The text as one line of at most ``longest`` characters, cut after a word."""
    flat = " ".join(text.split())
    if len(flat) <= longest:
        return flat
    return flat[: longest - 1].rsplit(" ", 1)[0] + "…"
