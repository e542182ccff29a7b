"""``search``: words to records, or without words the units of a kind in order."""

from datetime import datetime

from django.conf import settings

from knowledge.models import (
    AI_PERSONA,
    CATEGORIES_OF,
    COUNTRIES,
    SEARCH_KINDS,
    Category,
    Narrowing,
    PassageKind,
    Unit,
    UnitType,
)
from knowledge.models.search import SearchPassage
from knowledge.queries.holdings import DOCUMENT_KINDS
from knowledge.queries.listings import units_changed, units_narrowed
from knowledge.queries.search import Results, hits, record_id
from knowledge.times import iso_kst
from mcpserver.arguments import paged, span_of
from mcpserver.holdings import stored
from mcpserver.languages import LANG, english_title, in_english, spoken
from mcpserver.next_calls import EXAMPLE_NAME, closest
from mcpserver.protocol import echo
from mcpserver.records import absolute, clipped, listing, outlet_of, sort_of, unit_item
from mcpserver.schemas import (
    CURSOR,
    INTEGER,
    ITEM,
    LIMIT,
    QUERY_MAX_LENGTH,
    SINCE,
    TITLE,
    UNTIL,
    arguments,
    asked,
    leaf,
    record,
    rows,
    some_of,
    text,
)
from mcpserver.schemas import listing as listing_schema
from mcpserver.schemas import result as result_schema
from mcpserver.teaching import Lesson
from mcpserver.tool import Arguments, Caller, Record, Tool

SNIPPET_MAX_LENGTH = 240
LISTED_SNIPPET_MAX_LENGTH = 100
COUNTRY_MAX_LENGTH = 60
UNIT_KINDS = frozenset(SEARCH_KINDS) - frozenset(DOCUMENT_KINDS) - {PassageKind.POST}
UNDATED = "since and until leave out entities and topics, which have no date; call without them to see those that fit."


def run(given: Arguments, caller: Caller) -> Record:
    query = " ".join(given.get("query", "").split())
    to = narrowing_of(given)
    if not query:
        return changed(to, given) if given.keys() & {"since", "until"} else listed(to, given)
    if not any(map(str.isalnum, query)):
        raise Lesson(
            "query",
            "it holds no letter or digit.",
            expected="words in Korean or English.",
            changes={"query": EXAMPLE_NAME},
        )
    since, until = span_of(given)
    page = paged(
        lambda: hits(
            query,
            now=caller.now,
            kinds=given.get("kinds"),
            units=to,
            since=since,
            until=until,
            limit=given["limit"],
            cursor=given.get("cursor", ""),
        )
    )
    found = listing(page, lambda hit: item_of(hit, given), path="/search", hint=_nothing(given, page))
    if page.rows and (given.keys() & {"since", "until"}):
        found["hint"] = UNDATED
    return found | {"mended": [one._asdict() for one in page.mended]}


def _nothing(given: Arguments, page: Results[SearchPassage]) -> str:
    said = ["Nothing fits."]
    if page.meant:
        said.append(f"Did you mean {' or '.join(f'{unit.label} ({unit.public_id})' for unit in page.meant)}?")
    if page.held_words:
        said.append(f"Something is found by one word alone: {echo(', '.join(page.held_words))}.")
    said.append("Try fewer or other words, Korean as well as English, or leave the other arguments out.")
    if given.keys() & {"since", "until"}:
        said.append(UNDATED)
    return " ".join((*said, stored(given.get("kinds", DOCUMENT_KINDS))))


def narrowing_of(given: Arguments) -> Narrowing:
    """The units that types, categories and country ask for. Raises Lesson for what there is none of."""
    country = country_of(given["country"]) if "country" in given else ""
    to = Narrowing(tuple(given.get("types", ())), tuple(given.get("categories", ())), country)
    kinds = given.get("kinds", UNIT_KINDS)
    if any(to) and not UNIT_KINDS.intersection(kinds):
        raise Lesson(
            "kinds",
            "types, categories and country ask for units, and none of these kinds is one.",
            expected=f"some of {', '.join(one for one in SEARCH_KINDS if one in UNIT_KINDS)}.",
        )
    asked_for = to.types or (tuple(CATEGORIES_OF) if to.categories else ())
    if asked_for and not any(_is_of(kind, unit_type) for kind in kinds for unit_type in asked_for):
        raise Lesson(
            "kinds",
            f"nothing is of kind {' or '.join(kinds)} and also {' or '.join(to.types or to.categories)}.",
            expected="kinds and types that can meet: an asset is of kind asset and of kind entity.",
        )
    return to


def _is_of(kind: str, unit_type: str) -> bool:
    """Whether units of a type are of a kind by which searches ask."""
    if kind == PassageKind.ENTITY:
        return unit_type not in (UnitType.TOPIC, UnitType.EVENT)
    return kind == unit_type


def country_of(written: str) -> str:
    """The code of a country by its two letters or its name in either language. Raises Lesson with those there are."""
    asked_for = written.strip().casefold()
    for code, country in COUNTRIES.items():
        if asked_for in (code.casefold(), country.en.casefold(), country.ko):
            return code
    units = Unit.objects.published().exclude(country="").order_by("country")
    held = units.values_list("country", flat=True).distinct()
    raise Lesson(
        "country",
        f'"{echo(written)}" is no country of ISO 3166-1.',
        expected=f"two letters, of {', '.join(f'{code} ({COUNTRIES[code].en})' for code in held)}.",
        changes={"country": _country_near(asked_for)},
    )


def _country_near(written: str) -> str:
    """The code of the country whose English name comes closest; that of the service's own where none does."""
    codes = {country.en.casefold(): code for code, country in COUNTRIES.items()}
    near = closest(written, list(codes))
    return codes[near] if near else "KR"


def listed(to: Narrowing, given: Arguments) -> Record:
    """All units of a kind, by title. Raises Lesson where no kind is asked for."""
    if not any(to):
        raise Lesson(
            "query",
            "without words it lists units of a kind or what changed, and neither is asked for.",
            expected='words, or types, categories or country, such as {"categories": ["exchange"]}, or since.',
            changes={"categories": ["exchange"], "kinds": None},
        )
    _without_kinds(given)
    page = paged(
        lambda: units_narrowed(to, english=in_english(), limit=given["limit"], cursor=given.get("cursor", ""))
    )
    hint = f"No unit is all of this. {_fitting(to)}"
    found = listing(page, lambda unit: listed_item(unit, given), path="/search", hint=hint)
    return found | {"total": page.total, "mended": []}


def changed(to: Narrowing, given: Arguments) -> Record:
    """The units whose records changed in a stretch of time, the newest change first."""
    _without_kinds(given)
    since, until = span_of(given)
    page = paged(
        lambda: units_changed(
            to, since=since, until=until, limit=given["limit"], cursor=given.get("cursor", "")
        )
    )
    found = listing(page, lambda unit: listed_item(unit, given), path="/search", hint="")
    every_change = (
        f"Units by their last change. Every change, retractions too: {settings.BASE_URL}/api/changes.json."
    )
    return found | {"total": page.total, "mended": [], "hint": every_change}


def _without_kinds(given: Arguments) -> None:
    """Raises Lesson where kinds are asked for without words."""
    if "kinds" in given:
        raise Lesson(
            "kinds",
            "without words search lists units, and knows them by types.",
            expected="query beside it, or types instead of it.",
            changes={"kinds": None},
        )


def _fitting(to: Narrowing) -> str:
    """Which categories the types have, where these two leave nothing by themselves."""
    kinds = [kind for kind in to.types if kind in CATEGORIES_OF]
    can = {category.value for kind in kinds for category in CATEGORIES_OF[UnitType(kind)]}
    if to.categories and kinds and not can.intersection(to.categories):
        return f"Categories of {', '.join(kinds)}: {', '.join(one for one in Category if one in can)}."
    return "Leave country, categories or types out, one at a time."


def listed_item(unit: Unit, given: Arguments) -> Record:
    summary = " ".join(unit.shown_summary.split())
    return {
        **unit_item(unit),
        **english_title(unit, given),
        **sort_of(unit),
        "snippet": clipped(summary, LISTED_SNIPPET_MAX_LENGTH),
    }


def item_of(hit: SearchPassage, given: Arguments) -> Record:
    item = {
        "id": record_id(hit),
        "kind": hit.kind,
        "title": hit.title or clipped(hit.text, 80),
        "url": absolute(hit.page) or (hit.document.url if hit.document else ""),
        "updated_at": iso_kst(_updated_at(hit)),
        "snippet": clipped(" ".join(_said(hit).split()), SNIPPET_MAX_LENGTH),
    }
    if hit.unit is not None:
        item |= {"title": hit.unit.shown_label, **english_title(hit.unit, given), **sort_of(hit.unit)}
    if hit.document is not None:
        item["source"], item["original_url"] = outlet_of(hit.document), hit.document.url
    if hit.post is not None:
        item["title"] = hit.post.persona.byline
        item["source"] = f"{AI_PERSONA}: opinion, not fact"
    return item


def _said(hit: SearchPassage) -> str:
    """The passage; where that is in another language than the result, what the unit is in this one."""
    if hit.unit is None or hit.lang == spoken():
        return hit.text
    return hit.unit.shown_summary or hit.text


def _updated_at(hit: SearchPassage) -> datetime:
    if hit.unit is not None:
        return hit.unit.updated_at
    if hit.document is not None:
        return hit.document.published_at or hit.document.fetched_at
    assert hit.post is not None
    return hit.post.published_at


TOOL = Tool(
    name="search",
    title="Search or list records",
    description=(
        "With query: records by words in Korean or English, best first, those of exactly that name foremost: entities, "
        "topics, events, news, videos, notices, AI persona posts; mended says what mistyped names were taken for. "
        "Without query: all units of types, categories and country by title, with total; with since those that "
        "changed. Pulses and city days are not found."
    ),
    input_schema=arguments(
        {},
        query=asked("Words, e.g. 비트코인 반감기.", QUERY_MAX_LENGTH),
        kinds=some_of("Only records of these kinds.", SEARCH_KINDS),
        types=some_of("Only units of these types.", UnitType.values),
        categories=some_of(
            "Only units of these: exchange, issuer, bank, regulator, stablecoin …", Category.values
        ),
        country=asked("Only units of it, as KR.", COUNTRY_MAX_LENGTH),
        since=SINCE,
        until=UNTIL,
        lang=LANG,
        limit=LIMIT,
        cursor=CURSOR,
    ),
    output_schema=result_schema(
        listing_schema(
            record(
                {**ITEM, "snippet": text(SNIPPET_MAX_LENGTH)},
                title_en=TITLE,
                type=text(16),
                category=text(16),
                country=text(2),
                source=text(200),
                original_url=text(1000),
            ),
            {"total": INTEGER},
            mended=rows(leaf(written=TITLE, taken=TITLE)),
        )
    ),
    needs=frozenset({"query", "types", "categories", "country", "since", "until"}),
    run=run,
    example={
        "query": "비트코인 반감기",
        "kinds": ["event"],
        "types": ["event"],
        "since": "2026-01-01",
        "until": "2026-12-31",
        "lang": "en",
        "limit": 10,
    },
)
