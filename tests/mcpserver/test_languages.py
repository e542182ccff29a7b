"""One language for each result: Korean unless told, English, or both."""

from typing import Any

import pytest

from knowledge.models import Unit
from tests.mcpserver.wire import lesson, record

pytestmark = [pytest.mark.urls("tests.mcpserver.urls"), pytest.mark.django_db]


@pytest.fixture(autouse=True)
def in_two_languages(world: None) -> None:
    for unit in Unit.objects.published():
        named = unit.slug.replace("-", " ").title()
        unit.label_en, unit.summary_en = named, unit.summary_en or f"{named} is recorded."
        unit.save()


def test_a_look_up_speaks_one_language_unless_both_are_asked_for() -> None:
    korean = record("get_entity", id="asset:gaoncoin")
    assert (korean["title"], korean["summary"][:5]) == ("가온코인", "가온코인은")
    assert "summary_en" not in korean
    english = record("get_entity", id="asset:gaoncoin", lang="en")
    assert (english["title"], english["summary"][:8]) == ("Gaoncoin", "Gaoncoin")
    assert english["related"][0]["title"] in ("Maru Exchange", "Gaon Premium")
    assert english["events"][0]["title"] == "Gaon 3"
    assert english["series"][0]["label"] == "gaon-rate"
    assert "summary_en" not in english
    both = record("get_entity", id="asset:gaoncoin", lang="both")
    assert (both["title"], both["title_en"]) == ("가온코인", "Gaoncoin")
    assert (both["summary"], both["summary_en"]) == (korean["summary"], english["summary"])


@pytest.mark.parametrize(
    ("tool", "arguments", "title"),
    [
        ("get_topic", {"id": "topic:gaon-premium"}, "Gaon Premium"),
        ("get_event", {"id": "event:gaon-2"}, "Gaon 2"),
        ("list_events", {}, "Gaon 3"),
        ("list_topics", {}, "Gaon Premium"),
        ("search", {"query": "가온코인"}, "Gaoncoin"),
        ("resolve_entity", {"name": "가온코인"}, "Gaoncoin"),
        ("fetch", {"id": "asset:gaoncoin"}, "Gaoncoin"),
    ],
)
def test_every_tool_that_names_units_names_them_in_english(
    tool: str, arguments: dict[str, Any], title: str
) -> None:
    found = record(tool, lang="en", **arguments)
    first = (found.get("items") or found.get("candidates") or [found])[0]
    assert first["title"] == title


def test_english_callers_are_told_in_english_what_a_record_is() -> None:
    [candidate] = record("resolve_entity", name="가온코인", lang="en")["candidates"]
    assert candidate["disambiguation"] == (
        "asset · GAON · Gaoncoin is a payment asset made by Han Saebyeok. Its cap is 300 million coins."
    )
    [item] = record("search", query="가온코인", kinds=["asset"], lang="en")["items"]
    assert item["snippet"].startswith("Gaoncoin is a payment asset")


def test_what_has_no_english_text_stands_in_korean() -> None:
    Unit.objects.filter(slug="gaon-premium").update(label_en="", summary_en="")
    found = record("get_topic", id="topic:gaon-premium", lang="en")
    assert (found["title"], found["summary"]) == ("가온 프리미엄", "국내외 가온코인 가격의 차이이다.")


def test_the_full_text_is_in_both_languages_unless_one_is_asked_for() -> None:
    whole = record("fetch", id="asset:gaoncoin")["text"]
    assert "결제용 가상자산이다" in whole
    assert "payment asset" in whole
    assert "결제용 가상자산이다" not in record("fetch", id="asset:gaoncoin", lang="en")["text"]
    assert "payment asset" not in record("fetch", id="asset:gaoncoin", lang="ko")["text"]


def test_another_language_is_refused_with_those_there_are() -> None:
    assert '"ko", "en", "both"' in lesson("get_entity", id="asset:gaoncoin", lang="fr")
