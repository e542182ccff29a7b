"""``/llms.txt`` by the llms.txt convention, and ``/llms-full.txt``, as publications."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from django.conf import settings
from django.db.models import F
from django.db.models.functions import Collate

from ask.models import SeedQuestion
from feeds.texts import link_name, markdown
from knowledge.licence import attribution
from knowledge.models import Entity, Event, Topic, UnitQuerySet, UnitType
from knowledge.publications import Definition, PublicationGroup
from knowledge.publications.registry import Records
from knowledge.queries.records import entities, events, records_of, topics
from knowledge.queries.units import subjects_by_event

# The convention's readers take the whole file into a prompt: under 50 kB, so the rest is in llms-full.txt.
SHOWN = {"seeds": 30, "assets": 50, "topics": 40, "events": 30, "entities": 30}
NOTE_LENGTH = 60
BYTES_MAX = 48_000
# A few megabytes at most, however large the canon grows.
FULL_MAX = 5_000
FIELDS = (
    *("id", "label", "url", "summary", "aliases"),
    *("symbol", "occurredAt", "disclosure", "updatedAt", "glyph"),
)
Row = dict[str, Any]


def short_records(_now: datetime) -> Records:
    """The best documented units of each kind, the newest events, and the questions already answered."""
    about, listed = _times_told(), Entity.objects.published()
    sections = {
        "assets": _best(listed.filter(type=UnitType.ASSET), about),
        "topics": _best(Topic.objects.published(), about),
        "events": _newest_events(),
        "entities": _best(listed.exclude(type=UnitType.ASSET), about),
    }
    shown = {name: public_ids[: SHOWN[name]] for name, public_ids in sections.items()}
    found = records_of([public_id for public_ids in shown.values() for public_id in public_ids])
    rows = {name: [_shown(found[each]) for each in public_ids] for name, public_ids in shown.items()}
    return [{"section": name, "rows": each} for name, each in {"seeds": _seeds(), **rows}.items()]


def full_records(now: datetime) -> Records:
    """Every published unit, entities first by how much is written about them."""
    about = _times_told()
    best = [*_best(Entity.objects.published(), about), *_best(Topic.objects.published(), about)]
    public_ids = [*best, *_newest_events()][:FULL_MAX]
    among = set(public_ids)
    found: dict[str, Row] = {
        record["id"]: _shown(record)
        for record in chain(entities(now), topics(now), events(now))
        if record["id"] in among
    }
    return [found[public_id] for public_id in public_ids]


def _times_told() -> Counter[str]:
    """By public id: how many events speak of a unit."""
    subjects = subjects_by_event(Event.objects.published().values("pk")).values()
    return Counter(subject.public_id for each in subjects for subject in each)


def _best(units: UnitQuerySet, about: Mapping[str, int]) -> list[str]:
    """Public ids, the best documented first, then those that most events are about."""
    counts = {
        f"{prefix}:{slug}": documents
        for prefix, slug, documents in units.values_list("prefix", "slug", "document_count")
    }
    return sorted(counts, key=lambda public_id: (-counts[public_id], -about[public_id], public_id))


def _newest_events() -> list[str]:
    """Public ids; those without a time last."""
    events = Event.objects.published().order_by(F("occurred_at").desc(nulls_last=True), Collate("slug", "C"))
    return [f"{prefix}:{slug}" for prefix, slug in events.values_list("prefix", "slug")]


def _shown(record: Mapping[str, Any]) -> Row:
    """What is shown of a record: without the counts, which move daily."""
    return {name: value for name in FIELDS if (value := record.get(name))}


def _seeds() -> list[Row]:
    seeds = SeedQuestion.objects.answered()[: SHOWN["seeds"]]
    return [{"label": seed.text, "url": seed.get_absolute_url()} for seed in seeds]


def short(records: Records, _built_at: datetime) -> bytes:
    """The file: a title, a summary, prose, then sections of which every line is a link with a note."""
    sections = {record["section"]: list(record["rows"]) for record in records}
    surplus = len(_short(sections)) - BYTES_MAX
    while surplus > 0:
        # Long names in a canon of strangers must not break the promise of the size.
        dropped = max(sections.values(), key=len).pop()
        surplus -= len(_lines([dropped], twin="")[0].encode())
    return _short(sections)


def _short(sections: Mapping[str, Sequence[Row]]) -> bytes:
    parts = [
        f"# {settings.SERVICE_NAME}",
        "> 한국 크립토 지식과 가상 도시의 기록을 출처와 함께 제공하는 무료 공개 데이터. Korean crypto knowledge, "
        "linked to its sources, and the daily archive of a virtual city: free, no key.",
        _prose(),
        _section("API", _api_lines()),
        _section("Answered questions", _lines(sections["seeds"], twin="")),
        _section("Assets", _lines(sections["assets"])),
        _section("Topics", _lines(sections["topics"])),
        _section("Events", _lines(sections["events"])),
        _section("Organisations, people and creators", _lines(sections["entities"])),
        _section("Optional", _optional_lines()),
    ]
    return ("\n\n".join(part for part in parts if part) + "\n").encode()


def _prose() -> str:
    base = settings.BASE_URL
    return (
        "Every fact leads to the page it stands on, and every page lists the original documents. Quote freely with "
        "an inline link to the source URL; suggested attribution: service name, route and licence, such as "
        f"{attribution(f'{base}/asset/btc')}. Posts of AI personas carry a glyph and the words AI persona; quote "
        "them as such. Times are RFC 3339 with offset. Pages are Korean; with /en before its address each is "
        f"English, such as {base}/en/asset/btc. Add .md to the address of a unit's page for Markdown; "
        f"{base}/api/units/ID.json has all that is public of the unit with that id, such as asset:btc. "
        f"Bulk or partnership use: {settings.CONTACT_EMAIL}."
    )


def _api_lines() -> list[str]:
    base = settings.BASE_URL
    return [
        f"- [OpenAPI description]({base}/openapi.json): every endpoint, its parameters and errors",
        f"- [Documentation]({base}/docs): curl, Python, scripts for ten jobs, MCP set-up, compatibility promise",
        f"- [What you may do]({base}/terms): quoting, mirrors, translations, commercial use, attribution, licences",
        f"- [Entities]({base}/api/canonical/entities.json): assets, companies, organisations, people, creators",
        f"- [Topics]({base}/api/canonical/topics.json): what is talked about again and again",
        f"- [Events]({base}/api/canonical/events.json): dated events with the entities and topics they are about",
        f"- [Changes]({base}/api/changes.json?since=0): what changed in these since a number, for mirrors",
        f"- [Numbers]({base}/numbers.md): macro, on-chain and market figures as a page",
        f"- [Series]({base}/api/series.json): the same as JSON: latest values, changes, sources",
        f"- [Pulses]({base}/api/pulse/active.json?hours=72): sudden moves of prices and premiums, 1 to 168 hours",
        f"- [Ask]({base}/ask): POST {base}/api/ask with a question in Korean or English, answered with citations and "
        "pages to go on with",
        f"- [Search]({base}/api/search?q=bitcoin): records by words, best first",
        f"- [Resolve]({base}/api/resolve?q=bitcoin): the ids that a name, ticker or alias may mean, likeliest first",
        f"- [MCP]({base}/docs#mcp): POST {base}/api/mcp, Streamable HTTP, 12 tools, no key",
        f"- [Bulk]({base}/api/bulk): all of this as dated files of JSON Lines, each night, for mirrors",
        f"- [City archive]({settings.CITY_URL}/api/archive): one sealed file a day",
        f"- [Health]({base}/api/health?detail=1): freshness of every subsystem",
    ]


def _optional_lines() -> list[str]:
    base = settings.BASE_URL
    return [
        f"- [All units in one file]({base}/llms-full.txt): label, summary and aliases of every unit",
        f"- [RSS]({base}/rss.xml): what is new; a unit or a list has its own at its address with .xml",
        f"- [Changelog]({base}/changelog.xml): the changes of the API, as Atom",
        f"- [Sitemap]({base}/sitemap.xml): every page",
        f"- [About]({base}/about): what this is, citation policy, contact",
        f"- [Status]({base}/status): freshness and reliability",
    ]


def _lines(rows: Sequence[Row], twin: str = ".md") -> list[str]:
    return [
        f"- [{link_name(row['label'])}]({settings.BASE_URL}{row['url']}{twin}){_note(row)}" for row in rows
    ]


def _note(row: Row) -> str:
    summary = row.get("summary", "")
    short_one = summary if len(summary) <= NOTE_LENGTH else summary[:NOTE_LENGTH].rsplit(" ", 1)[0] + "…"
    parts = [row.get("symbol", ""), (row.get("occurredAt") or "")[:10], row.get("disclosure", ""), short_one]
    note = " · ".join(markdown(part) for part in parts if part)
    return f": {note}" if note else ""


def _section(title: str, lines: Sequence[str]) -> str:
    return f"## {title}\n\n" + "\n".join(lines) if lines else ""


def full(records: Records, _built_at: datetime) -> bytes:
    """Every unit as a short Markdown section."""
    head = f"# {settings.SERVICE_NAME}\n\n> {len(records)} units. The short form is {settings.BASE_URL}/llms.txt."
    return ("\n\n".join([head, *map(_unit, records)]) + "\n").encode()


def _unit(row: Row) -> str:
    lines = [f"## {markdown(row['label'])}", ""]
    if "disclosure" in row:
        lines += [f"{markdown(row.get('glyph', ''))} {markdown(row['disclosure'])}", ""]
    if "summary" in row:
        lines += [markdown(row["summary"]), ""]
    lines.append(f"- id: `{row['id']}`")
    if "occurredAt" in row:
        lines.append(f"- occurredAt: {row['occurredAt']}")
    if "aliases" in row:
        lines.append(f"- aliases: {', '.join(markdown(alias) for alias in row['aliases'])}")
    lines.append(f"- url: <{settings.BASE_URL}{row['url']}>")
    return "\n".join(lines)


UNIT_SCOPES = frozenset({"entity", "topic", "event"})
CONTENT_TYPE = "text/plain; charset=utf-8"
LLMS = Definition(
    name="llms",
    group=PublicationGroup.CRAWLERS,
    scopes=UNIT_SCOPES | {"answer"},
    records=short_records,
    body=short,
    content_type=CONTENT_TYPE,
)
LLMS_FULL = Definition(
    name="llms-full",
    group=PublicationGroup.CRAWLERS,
    scopes=UNIT_SCOPES,
    records=full_records,
    body=full,
    content_type=CONTENT_TYPE,
)
