"""One number, one saying: value, time and unit are the same in every index, record, table and tool."""

import csv
import io
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from django.test import Client
from django.utils import timezone

from knowledge import curation
from knowledge.models import UnitType
from knowledge.search import indexing
from tests.factories.knowledge import NOON, make_unit
from tests.factories.series import make_series, observe
from tests.feeds.surfaces import rebuild, text_of
from tests.feeds.test_facts import nodes_of
from tests.mcpserver import wire


class Said(NamedTuple):
    """What a face says of a number, its value to the digit."""

    value: str
    at: str
    unit: str


def read(text: str) -> Any:
    """JSON with its numbers as they are written."""
    return json.loads(text, parse_float=str, parse_int=str)


@pytest.fixture
def numbers(db: None) -> None:
    """A rate, an exchange rate that was corrected, a tiny price and a hash rate of 21 digits: of four holders."""
    now = timezone.now().replace(microsecond=0)
    rate = make_unit("bok-rate", "기준금리", type=UnitType.TOPIC, summary="정책 금리이다.")
    make_series("bok-base-rate", holder=rate, cadence="monthly")
    observe("bok-base-rate", now - timedelta(days=40), 2.75, period="2026-10")
    observe("bok-base-rate", now - timedelta(days=10), 2.5, period="2026-11")
    former, dollar = make_unit("won", "원화"), make_unit("usd-krw", "원/달러", type=UnitType.ASSET)
    make_series("usd-krw", holder=former, unit="KRW", aliases=["won-dollar rate"])
    observe("usd-krw", now - timedelta(days=1), 1470.1)
    observe("usd-krw", now, 1480.4, newest=False)
    observe("usd-krw", now, 1480.5, revision=2)
    curation.merge(former, dollar, now=NOON)
    coin = make_unit("maru", "마루코인")
    make_series("price-maru", holder=coin, unit="KRW", cadence="live", decimals=8, redistributable=False)
    observe("price-maru", now, 0.00000012)
    mining = make_unit("mining", "채굴", type=UnitType.TOPIC)
    make_series("hashrate", holder=mining, unit="H/s", decimals=0, position=1)
    observe("hashrate", now - timedelta(days=30), 812e18)
    indexing.refresh()
    rebuild()


def in_the_index(client: Client, slug: str) -> tuple[str, Said]:
    rows = read(text_of(client, "/api/series.json"))["series"]
    row = next(one for one in rows if one["id"] == f"series:{slug}")
    return row["holder"], Said(row["latest"]["value"], row["latest"]["at"], row["unit"])


def as_points(client: Client, slug: str, holder: str) -> Said:
    body = read(text_of(client, f"/api/series/{slug}.json"))
    return Said(body["points"][-1]["value"], body["points"][-1]["at"], body["unit"])


def as_table(client: Client, slug: str, holder: str) -> Said | None:
    answer = client.get(f"/api/series/{slug}.csv")
    if answer.status_code == 404:
        return None
    last = list(csv.DictReader(io.StringIO(answer.content.decode())))[-1]
    return Said(last["value"], last["at"], "")


def of_the_unit(client: Client, slug: str, holder: str) -> Said:
    held = read(text_of(client, f"/api/units/{holder}.json"))["series"]
    row = next(one for one in held if one["id"] == f"series:{slug}")
    return Said(row["latest"]["value"], row["latest"]["at"], row["unit"])


def by_tool(client: Client, slug: str, holder: str, depth: str = "concise") -> Said:
    tool = "get_topic" if holder.startswith("topic:") else "get_entity"
    content = wire.call(tool, id=f"series:{slug}", response_format=depth)["content"][0]["text"]
    row = read(content)["series"][0]
    assert (row["id"], read(content)["id"]) == (f"series:{slug}", holder)
    return Said(row["value"], row["at"], row["unit"])


def in_detail(client: Client, slug: str, holder: str) -> Said:
    return by_tool(client, slug, holder, "detailed")


def as_text(client: Client, slug: str, holder: str) -> Said:
    line = wire.record("fetch", id=holder)["text"].splitlines()[-1]
    value, unit = line.partition(": ")[2].partition(";")[0].split()
    return Said(value, line.split("; ")[1], unit)


FACES: list[Callable[[Client, str, str], Said | None]] = [
    as_points,
    as_table,
    of_the_unit,
    by_tool,
    in_detail,
    as_text,
]


@pytest.mark.parametrize(
    ("slug", "holder", "value", "words"),
    [
        ("bok-base-rate", "topic:bok-rate", "2.5", "2.5%"),
        ("usd-krw", "asset:usd-krw", "1480.5", "1,480.5원"),
        ("price-maru", "asset:maru", "0.00000012", "0.00000012원"),
        ("hashrate", "topic:mining", "812000000000000000000", "812 EH/s"),
    ],
)
def test_every_face_says_one_value_of_one_time_in_one_unit(
    client: Client, numbers: None, slug: str, holder: str, value: str, words: str
) -> None:
    found, said = in_the_index(client, slug)
    assert (found, said.value) == (holder, value)
    for face in FACES:
        told = face(client, slug, holder)
        if told is None:
            assert slug == "price-maru"
        else:
            assert told == (said._replace(unit="") if face is as_table else said), face.__name__
    for path in (f"/number/{slug}", "/" + holder.replace(":", "/")):
        assert words in text_of(client, path), path
        assert words in text_of(client, f"{path}.md"), path
        assert said.at in text_of(client, path), path
    nodes = nodes_of(text_of(client, "/" + holder.replace(":", "/")))
    [data_set] = next(one for one in nodes if one.get("identifier") == holder)["subjectOf"]
    measured = data_set["variableMeasured"]
    assert (measured["value"], measured["unitText"]) == (value, said.unit)
    index = "topics" if holder.startswith("topic:") else "entities"
    records = read(text_of(client, f"/api/canonical/{index}.json"))[index]
    assert next(one for one in records if one["id"] == holder)["series"] == [f"series:{slug}"]


def test_a_number_is_found_by_its_name_on_every_face(client: Client, numbers: None) -> None:
    items = json.loads(text_of(client, "/api/search?q=won-dollar rate"))["items"]
    told = wire.record("search", query="won-dollar rate")["items"]
    assert [one["id"] for one in told] == [one["id"] for one in items]
    assert items[0]["id"] == "asset:usd-krw"
    assert '<li><a class="name" href="/asset/usd-krw">' in text_of(client, "/search?q=won-dollar rate")
