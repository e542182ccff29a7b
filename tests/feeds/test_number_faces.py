"""One number, one saying: value, time, unit, source and age are the same on every page and in every file and answer."""

import csv
import html
import io
import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple
from urllib.parse import unquote

import pytest
from django.test import Client

from knowledge import curation
from knowledge.models import Series, SeriesInput, Status, Unit, UnitType
from knowledge.search import indexing
from tests.factories.knowledge import NOON, make_source, make_unit
from tests.factories.series import make_series, observe
from tests.feeds.surfaces import rebuild, text_of
from tests.feeds.test_facts import nodes_of
from tests.mcpserver import wire

RATE_NAMES = ["기준금리", "base rate"]
OLD = NOON - timedelta(days=30)
MAY_NOT_BE_PASSED_ON = "price-maru"


class Said(NamedTuple):
    """What a face says of a number, its value to the digit; None of what it has no room for."""

    value: str
    at: str
    unit: str | None = None
    source: str | None = None
    stale: bool | None = None


class Told(NamedTuple):
    """A number of the world below as each face has to say it: to programs, and in words of both languages."""

    slug: str
    holder: str
    said: Said
    value: str
    measured: str
    question: str
    value_en: str
    measured_en: str
    question_en: str
    age: str = ""
    age_en: str = ""


NOON_KST = "2026-11-20T12:00:00+09:00"
TOLD = (
    Told(
        "bok-base-rate",
        "topic:bok-rate",
        Said("2.5", NOON_KST, "%", "한빛은행", False),
        *("2.50%", "2026년 11월", "기준금리는 지금 얼마야?"),
        *("2.50%", "November 2026", "What is the base rate now?"),
    ),
    Told(
        "usd-krw",
        "asset:usd-krw",
        Said("1480.5", NOON_KST, "KRW", "한빛은행", False),
        *("1,480.5원", "2026년 11월 20일", "원/달러 환율 얼마야?"),
        *("1,480.5 won", "20 November 2026", "What is the won-dollar rate today?"),
    ),
    Told(
        MAY_NOT_BE_PASSED_ON,
        "asset:maru",
        Said("0.00000012", "2026-11-20T11:50:00+09:00", "KRW", "한빛은행", False),
        *("0.00000012원", "2026년 11월 20일 11:50 KST", "마루코인 시세"),
        *("0.00000012 won", "20 November 2026 11:50 KST", "What is the price of marucoin?"),
    ),
    Told(
        "kimchi-premium",
        "topic:kimchi-premium",
        Said("-1.27", NOON_KST, "%", "Madang", False),
        *("−1.27%", "2026년 11월 20일 12:00 KST", "김치 프리미엄 지금 얼마?"),
        *("−1.27%", "20 November 2026 12:00 KST", "What is the kimchi premium now?"),
    ),
    Told(
        "cpi",
        "topic:prices",
        Said("118.945", "2026-10-01T00:00:00+09:00", "index", "한빛은행", False),
        *("118.945", "2026년 10월", "소비자물가지수 수치는 얼마?"),
        *("118.945", "October 2026", "What is the latest consumer price index?"),
    ),
    Told(
        "hashrate",
        "topic:mining",
        Said("812000000000000000000", "2026-10-21T12:00:00+09:00", "H/s", "한빛은행", True),
        *("812 EH/s", "2026년 10월 21일 12:00 KST", "채굴력 현재 얼마?"),
        *("812 EH/s", "21 October 2026 12:00 KST", "What is the hash rate now?"),
        *("30일 전 값", "value of 30 days ago"),
    ),
)


def read(text: str) -> Any:
    """JSON with its numbers as they are written."""
    return json.loads(text, parse_float=str, parse_int=str)


def held(slug: str, label: str, holder: Unit, label_en: str, **fields: Any) -> None:
    make_series(slug, holder=holder, label=label, label_en=label_en, **fields)


@pytest.fixture
def numbers(db: None, stopped_at_noon: None, settings: Any) -> None:
    """A rate, an exchange rate that was corrected, a tiny price, a premium below 0, a monthly index, and a hash rate of
    21 digits that is a month old: of six holders, one of them merged into another."""
    settings.ASK_LIMITS, settings.ANTHROPIC_API_KEY = ["100/m"], ""
    topic = {"type": UnitType.TOPIC}
    rate = make_unit("bok-rate", "통화정책", summary="통화정책은 금리로 한다.", **topic)
    held("bok-base-rate", "한국 기준금리", rate, "Korean base rate", aliases=RATE_NAMES, cadence="monthly")
    observe("bok-base-rate", NOON - timedelta(days=40), 2.75, period="2026-10")
    observe("bok-base-rate", NOON, 2.5, period="2026-11")
    former, dollar = make_unit("won", "원화"), make_unit("usd-krw", "원/달러", aliases=["won-dollar rate"])
    held("usd-krw", "달러 환율", former, "US dollar in won", unit="KRW", aliases=["won-dollar rate"])
    observe("usd-krw", NOON - timedelta(days=1), 1470.1)
    observe("usd-krw", NOON, 1480.4, newest=False)
    observe("usd-krw", NOON, 1480.5, revision=2, period="2026-11-20")
    curation.merge(former, dollar, now=NOON)
    coin = make_unit("maru", "마루코인", aliases=["marucoin"])
    price = {"unit": "KRW", "cadence": "live", "decimals": 8, "redistributable": False}
    held(
        "price-maru",
        "마루코인 원화 가격",
        coin,
        label_en="MARU price in won",
        aliases=["마루코인 시세"],
        **price,
    )
    observe("price-maru", NOON - timedelta(minutes=10), 0.00000012)
    above = make_unit("kimchi-premium", "김치 프리미엄", aliases=["kimchi premium"], **topic)
    make_series("kimchi-premium", "premium:maru", holder=above, label="김치 프리미엄", cadence="hourly")
    observe("premium:maru", NOON, -1.2718)
    prices = make_unit("prices", "소비자물가지수", aliases=["consumer price index"], **topic)
    held(
        "cpi",
        "소비자물가지수",
        prices,
        label_en="Consumer prices",
        unit="index",
        cadence="monthly",
        decimals=3,
    )
    observe("cpi", NOON.replace(month=9, day=30, hour=15, minute=0), 118.945, period="2026-10")
    mining = make_unit("mining", "해시레이트", aliases=["hash rate"], **topic)
    held(
        "hashrate",
        "비트코인 해시레이트",
        mining,
        label_en="Bitcoin hash rate",
        aliases=["채굴력"],
        unit="H/s",
        decimals=0,
        position=1,
    )
    observe("hashrate", OLD, 812e18)
    SeriesInput.objects.exclude(key="premium:maru").update(source=make_source("bank", name="한빛은행"))
    indexing.refresh()
    rebuild()


# To programs


def of_record(row: dict[str, Any]) -> Said:
    latest = row["latest"]
    return Said(latest["value"], latest["at"], row["unit"], row["source"]["label"], latest["stale"])


def in_the_index(client: Client, told: Told) -> Said:
    rows = {row["id"]: row for row in read(text_of(client, "/api/series.json"))["series"]}
    row = rows[f"series:{told.slug}"]
    assert row["holder"] == told.holder
    return of_record(row)


def as_points(client: Client, told: Told) -> Said:
    body = read(text_of(client, f"/api/series/{told.slug}.json"))
    return Said(body["points"][-1]["value"], body["points"][-1]["at"], body["unit"], body["source"]["label"])


def as_table(client: Client, told: Told) -> Said:
    answer = client.get(f"/api/series/{told.slug}.csv")
    if told.slug == MAY_NOT_BE_PASSED_ON:
        assert answer.status_code == 404
        return told.said
    last = list(csv.DictReader(io.StringIO(answer.content.decode())))[-1]
    assert f"- {told.said.source} -" in unquote(answer.headers["Content-Disposition"])
    found = re.search(r"rel=\"via\"; title\*=UTF-8''(\S+)", answer.headers["Link"])
    return Said(last["value"], last["at"], source=unquote(found[1]) if found else "")


def of_the_unit(client: Client, told: Told) -> Said:
    held = read(text_of(client, f"/api/units/{told.holder}.json"))["series"]
    return of_record(next(row for row in held if row["id"] == f"series:{told.slug}"))


def tool_of(told: Told) -> str:
    return "get_topic" if told.holder.startswith("topic:") else "get_entity"


def by_tool(client: Client, told: Told) -> Said:
    content = read(wire.call(tool_of(told), id=f"series:{told.slug}")["content"][0]["text"])
    row = content["series"][0]
    assert (row["id"], content["id"]) == (f"series:{told.slug}", told.holder)
    return Said(row["value"], row["at"], row["unit"], stale=row.get("stale", False))


def in_detail(client: Client, told: Told) -> Said:
    result = wire.call(tool_of(told), id=f"series:{told.slug}", response_format="detailed")
    row = read(result["content"][0]["text"])["series"][0]
    return Said(row["value"], row["at"], row["unit"], row["source"], row["stale"])


def as_text(client: Client, told: Told) -> Said:
    label = Series.objects.get(slug=told.slug).label
    lines = wire.record("fetch", id=told.holder)["text"].splitlines()
    line = next(line for line in lines if line.startswith(f"{label} ("))
    value, unit = line.partition("): ")[2].partition(";")[0].split()
    parts = line.split("; ")
    source = next(part.removeprefix("source: ") for part in parts if part.startswith("source: "))
    return Said(value, parts[1], unit, source, parts[-1].startswith("overdue"))


def as_linked_data(client: Client, told: Told) -> Said:
    nodes = nodes_of(text_of(client, "/" + told.holder.replace(":", "/")))
    sets = next(one for one in nodes if one.get("identifier") == told.holder)["subjectOf"]
    data_set = next(one for one in sets if one["identifier"] == f"series:{told.slug}")
    measured = data_set["variableMeasured"]
    at = data_set["temporalCoverage"].removeprefix("../")
    return Said(measured["value"], at, measured["unitText"], data_set["creditText"])


TO_PROGRAMS: list[Callable[[Client, Told], Said]] = [
    in_the_index,
    as_points,
    as_table,
    of_the_unit,
    by_tool,
    in_detail,
    as_text,
    as_linked_data,
]


@pytest.mark.usefixtures("numbers")
def test_programs_are_told_one_value_of_one_time_unit_and_source(client: Client) -> None:
    for told in TOLD:
        for face in TO_PROGRAMS:
            said = face(client, told)
            room = Said(
                *(None if part is None else whole for part, whole in zip(said, told.said, strict=True))
            )
            assert said == room, (told.slug, face.__name__)
        index = "topics" if told.holder.startswith("topic:") else "entities"
        records = read(text_of(client, f"/api/canonical/{index}.json"))[index]
        assert next(one for one in records if one["id"] == told.holder)["series"][0] == f"series:{told.slug}"


# To readers


def plain(page: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", re.sub(r"</?small>", "", page))))


@pytest.mark.usefixtures("numbers")
def test_readers_are_told_the_same_in_words_of_both_languages(client: Client) -> None:
    listed = text_of(client, "/numbers.md")
    for told in TOLD:
        unit, number = "/" + told.holder.replace(":", "/"), f"/number/{told.slug}"
        korean = {told.value, told.measured, told.said.source, told.age}
        # Pages say a day of this year without it.
        shown = {word.removeprefix("2026년 ") for word in korean if word}
        english = {told.value_en, told.measured_en.replace(" 2026", ""), told.said.source, told.age_en}
        pages = {number: shown, unit: shown, f"/embed{number}": shown}
        pages |= {f"/en{number}": english, f"/embed{number}?lang=en": english}
        for path, words in pages.items():
            page = text_of(client, path)
            missing = {word for word in words if word not in plain(page)}
            assert not missing, path
            assert f'datetime="{told.said.at}"' in page, path
            assert ('class="stale"' in page) == told.said.stale, path
        for text in (listed, text_of(client, f"{number}.md"), text_of(client, f"{unit}.md")):
            line = next(line for line in text.splitlines() if told.value in line)
            assert {word for word in korean - {told.said.source} if word not in line} == set()
            assert str(told.said.source) in text


@pytest.mark.usefixtures("numbers")
def test_an_answer_says_the_same_and_is_cited_by_the_page_of_the_unit(client: Client) -> None:
    for told in TOLD:
        english = (told.question_en, told.value_en, told.measured_en, told.age_en)
        for question, value, measured, age in ((told.question, told.value, told.measured, told.age), english):
            answer = client.post("/api/ask", {"question": question}, content_type="application/json").json()
            source = ", ".join(filter(None, (measured, told.said.source, age)))
            assert f": {value} ({source})" in answer["answer"], (question, answer)
            assert "/" + told.holder.replace(":", "/") in {one["url"] for one in answer["citations"]}


@pytest.mark.usefixtures("numbers")
def test_every_face_names_the_premium_of_an_asset_that_a_topic_holds(client: Client) -> None:
    wanted = ["series:price-maru", "series:kimchi-premium"]
    records = read(text_of(client, "/api/canonical/entities.json"))["entities"]
    assert next(one for one in records if one["id"] == "asset:maru")["series"] == wanted
    topics = read(text_of(client, "/api/canonical/topics.json"))["topics"]
    assert next(one for one in topics if one["id"] == "topic:kimchi-premium")["series"] == wanted[1:]
    assert [one["id"] for one in read(text_of(client, "/api/units/asset:maru.json"))["series"]] == wanted
    for depth in ("concise", "detailed"):
        told = wire.record("get_entity", id="asset:maru", response_format=depth)["series"]
        assert [one["id"] for one in told] == wanted
    assert wire.record("fetch", id="asset:maru")["metadata"]["series"] == wanted
    page, twin = text_of(client, "/asset/maru"), text_of(client, "/asset/maru.md")
    for each in wanted:
        assert f'href="/number/{each.partition(":")[2]}"' in page
        assert f"`{each}`" in twin
    curation.set_status(Unit.objects.get(slug="kimchi-premium"), Status.RETRACTED)
    rebuild()
    records = read(text_of(client, "/api/canonical/entities.json"))["entities"]
    assert next(one for one in records if one["id"] == "asset:maru")["series"] == wanted[:1]


@pytest.mark.usefixtures("numbers")
def test_a_number_is_found_by_its_name_on_every_face(client: Client) -> None:
    items = json.loads(text_of(client, "/api/search?q=won-dollar rate"))["items"]
    told = wire.record("search", query="won-dollar rate")["items"]
    assert [one["id"] for one in told] == [one["id"] for one in items]
    assert items[0]["id"] == "asset:usd-krw"
    assert '<li><a class="name" href="/asset/usd-krw">' in text_of(client, "/search?q=won-dollar rate")
