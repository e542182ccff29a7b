"""``fetch``: the full text of any record by its id."""

import re
from collections.abc import Callable

from archive.queries import unheard
from ask import answering
from ask.hashing import HASH_LENGTH
from ask.models import AnswerVersion
from ask.queries import AddressStatus, answer_page
from ask.related import related
from ask.told import told
from knowledge.models import AI_PERSONA, Document, PersonaPost, Pulse, PulseKind, Unit
from knowledge.queries import search, units
from knowledge.queries.names import reference_of
from knowledge.queries.profiles import series_records
from knowledge.queries.records import pulse_sources
from knowledge.times import iso_kst
from mcpserver import city_days
from mcpserver.arguments import unit_of
from mcpserver.figures import figure_line
from mcpserver.languages import BOTH, in_both, lang_argument
from mcpserver.next_calls import EXAMPLE_NAME, Call
from mcpserver.protocol import echo
from mcpserver.records import (
    absolute,
    answer_item,
    citations,
    cite,
    cite_document,
    clipped,
    opinions,
    outlet_of,
    post_text,
    pulse_item,
    sort_of,
    unit_item,
)
from mcpserver.schemas import (
    CITE,
    FACTS,
    ITEM,
    TEXT_MAX_LENGTH,
    TITLE_MAX_LENGTH,
    arguments,
    asked,
    record,
    text,
)
from mcpserver.schemas import result as result_schema
from mcpserver.teaching import Lesson
from mcpserver.tool import Arguments, Caller, Record, Tool

NAMES_MAX = 50
HASH = re.compile(rf"[0-9a-f]{{{HASH_LENGTH}}}")
KEY = re.compile(r"[0-9]{1,18}", re.ASCII)


def run(given: Arguments, caller: Caller) -> Record:
    reference = reference_of(given["id"])
    kind, _colon, rest = reference.partition(":")
    read = READERS.get(kind)
    found = read(rest, caller) if read is not None else unit_record(given, caller)
    found["text"] = clipped(found["text"], TEXT_MAX_LENGTH)
    found["title"] = clipped(found["title"], TITLE_MAX_LENGTH)
    return found


def unit_record(given: Arguments, caller: Caller) -> Record:
    located = unit_of(given, "id")
    unit = located.unit
    assert unit is not None
    metadata: Record = {
        **sort_of(unit),
        "aliases": units.aliases_of(unit)[:NAMES_MAX],
        "related": related_ids(unit),
        "document_count": unit.document_count,
        "video_count": unit.video_count,
    }
    if unit.occurred_at:
        metadata["occurred_at"] = iso_kst(unit.occurred_at)
    if unit.website:
        metadata["original_url"] = unit.website
    if unit.source_urls:
        metadata["source_urls"] = unit.source_urls
    if located.merged_from:
        metadata["merged_from"] = located.merged_from
    series = series_records(unit, now=caller.now, foremost=located.series)
    if series:
        metadata["series"] = [one["id"] for one in series]
    persona = units.persona_of(unit)
    said = [
        unit.shown_summary,
        unit.summary_en if in_both(given) else "",
        f"{persona.byline}: {persona.disclosed}" if persona else "",
        "\n".join(map(figure_line, series)),
    ]
    body = "\n\n".join(part for part in said if part) or unit.shown_label
    return {**unit_item(unit), "text": body, "metadata": metadata, "cite": cite(unit.get_absolute_url())}


def related_ids(unit: Unit) -> list[str]:
    found = units.subjects_of(unit) if unit.type == "event" else units.companions_of(unit, NAMES_MAX)
    return [one.public_id for one in found][:NAMES_MAX]


def document_record(rest: str, caller: Caller) -> Record:
    document = search.document(int(rest)) if KEY.fullmatch(rest) else None
    if document is None:
        raise no_such_record(f"document:{rest}")
    moment = document.published_at or document.fetched_at
    metadata: Record = {
        "source": outlet_of(document),
        "original_url": document.url,
        "related": mentioned_ids(document),
    }
    if document.published_at:
        metadata["published_at"] = iso_kst(document.published_at)
    return {
        "id": f"document:{document.pk}",
        "kind": document.kind,
        "title": document.title,
        "url": document.url,
        "updated_at": iso_kst(moment),
        "text": f"{document.text}\n\n(Title and summary; the full text is at {document.url})",
        "metadata": metadata,
        "cite": cite_document(document),
    }


def mentioned_ids(document: Document) -> list[str]:
    named = document.units.select_related("merged_into").order_by("mentions__start").distinct()
    public = [unit.survivor.public_id for unit in named if unit.survivor.is_public]
    return list(dict.fromkeys(public))[:NAMES_MAX]


def post_record(rest: str, caller: Caller) -> Record:
    post = search.post(int(rest)) if KEY.fullmatch(rest) else None
    if post is None:
        raise no_such_record(f"post:{rest}")
    path = post.get_absolute_url()
    return {
        "id": f"post:{post.pk}",
        "kind": "post",
        "title": post.persona.byline,
        "url": absolute(path),
        "updated_at": iso_kst(post.published_at),
        "text": post_text(post),
        "metadata": {"type": "AI persona opinion", "related": post_subjects(post)},
        "cite": cite(path),
    }


def post_subjects(post: PersonaPost) -> list[str]:
    subjects = post.units.select_related("merged_into").order_by("pk")
    return [unit.survivor.public_id for unit in subjects if unit.survivor.is_public][:NAMES_MAX]


def pulse_record(rest: str, caller: Caller) -> Record:
    pulse = Pulse.objects.published().filter(key=rest).select_related("asset").first()
    if pulse is None:
        raise no_such_record(f"pulse:{rest}")
    item = pulse_item(pulse)
    lines = [pulse.summary, pulse.summary_en, *(source["url"] for source in pulse_sources(pulse.sources))]
    figures = (
        f"{pulse.asset.public_id} {pulse.direction} {pulse.magnitude_pct:+.2f}{_measure(pulse)}, "
        f"confidence {pulse.confidence:.2f}, detected {item['updated_at']}"
    )
    return {
        **{name: item[name] for name in ("id", "kind", "title", "url", "updated_at")},
        "text": "\n".join(line for line in (*lines[:2], figures, *lines[2:]) if line),
        "metadata": {"type": pulse.kind, "related": [pulse.asset.public_id]},
        "cite": cite(pulse.asset.get_absolute_url()),
    }


def _measure(pulse: Pulse) -> str:
    if pulse.kind == PulseKind.PREMIUM:
        return " percentage points against the 30-day median of its kimchi premium"
    return f"% over {pulse.horizon_hours} h"


def answer_record(rest: str, caller: Caller) -> Record:
    page = None
    if HASH.fullmatch(rest):
        answering.bring_up_to_date(rest, now=caller.now)
        page = answer_page(rest, now=caller.now)
    if page is not None and page.standing is AddressStatus.GONE:
        raise Lesson("id", "this answer was taken down.", call=ELSEWHERE["answer"], outcome="gone")
    if page is None or page.answer is None or page.version is None:
        raise no_such_record(f"answer:{rest}")
    item = answer_item(page.answer, iso_kst(page.version.generated_at))
    return {
        **item,
        "text": answer_text(page.version),
        "metadata": {
            "type": page.version.mode,
            "related": [absolute(one["url"]) for one in related(page.version)],
        },
        "cite": cite(page.answer.get_absolute_url()),
    }


def answer_text(version: AnswerVersion) -> str:
    """The answer, its sources, and behind them what AI personas say."""
    parts = told(version, len(version.citations))
    sources = [
        f"[{one['n']}] {one['label']} {one['url']}" for one in citations(version.citations, parts.numbers)
    ]
    said = [
        f"{one['glyph']} {one['persona']}, {one['disclosure']}: {one['text']}"
        for one in opinions(parts.opinions, version.citations)
    ]
    beside = ["", f"{AI_PERSONA} opinions, not facts:", *said] if said else []
    return "\n".join([parts.text, "", *sources, *beside]).rstrip()


def city_record(rest: str, caller: Caller) -> Record:
    item = city_days.item_of(rest, "id", now=caller.now)
    content = city_days.content_of(item)
    state = city_days.state_of(content["city"])
    lines = [content["reflection"]["text"], "", *(f"{name}: {value}" for name, value in state.items())]
    lines += ["", *(one["text"] for one in content["notable"])]
    return {
        **city_days.head_of(item),
        "text": "\n".join(lines).rstrip(),
        "metadata": {"type": item.status, **city_days.file_of(item, unheard([item.day]).get(item.day, ()))},
        "cite": cite(city_days.page_of(item)),
    }


def no_such_record(written: str) -> Lesson:
    return Lesson(
        "id",
        f'there is no public record "{echo(written)}".',
        expected="an id that another tool returned, or the URL of a page here.",
        call=ELSEWHERE[written.partition(":")[0]],
        outcome="unknown",
    )


# Where records of each kind are found: their ids tell nothing that could be looked for.
ELSEWHERE = {
    "document": Call("search", {"query": EXAMPLE_NAME, "kinds": ["news", "video", "notice"]}),
    "post": Call("search", {"query": EXAMPLE_NAME, "kinds": ["post"]}),
    "pulse": Call("list_pulses", {}),
    "answer": Call("search_answers", {"query": EXAMPLE_NAME}),
}
READERS: dict[str, Callable[[str, Caller], Record]] = {
    "document": document_record,
    "post": post_record,
    "pulse": pulse_record,
    "answer": answer_record,
    "city": city_record,
}
TOOL = Tool(
    name="fetch",
    title="Fetch a record",
    description=(
        "Full text and metadata of any record by id or page URL: units with the latest values of their series, "
        "documents, AI persona posts, pulses, answers, city days. News, videos: title, summary and link, never "
        "full articles."
    ),
    input_schema=arguments(
        {"id": asked("Id such as asset:btc, document:12, city:2026-11-19, or a page URL.")},
        # Both: who fetches reads the whole, and callers of this tool alone cannot ask.
        lang=lang_argument(BOTH),
    ),
    output_schema=result_schema(
        record(
            {
                **ITEM,
                "text": text(TEXT_MAX_LENGTH),
                "metadata": FACTS,
                "cite": CITE,
            }
        )
    ),
    run=run,
    example={"id": "asset:btc"},
)
