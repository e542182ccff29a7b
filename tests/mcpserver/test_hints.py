"""Hints by cause: every argument of every tool, and the next call that each hint names."""

import json
import re
from collections.abc import Iterator
from datetime import date
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from knowledge.models import UnitType
from mcpserver.registry import BY_NAME
from mcpserver.schemas import LISTED_VALUES_MAX
from mcpserver.tool import Tool
from tests.factories.knowledge import make_unit
from tests.mcpserver.conftest import DAY, QUESTION
from tests.mcpserver.wire import NAMES, call, lesson

pytestmark = [pytest.mark.urls("tests.mcpserver.urls"), pytest.mark.django_db]

NEXT = re.compile(r"Next: call (\w+) with (\{.*\})", re.DOTALL)
# What each tool is called with where another of its arguments is wrong.
GOOD: dict[str, dict[str, Any]] = {
    "ask_madang": {"question": QUESTION},
    "search": {"query": "가온코인"},
    "fetch": {"id": "asset:gaoncoin"},
    "resolve_entity": {"name": "가온코인"},
    "get_entity": {"id": "asset:gaoncoin"},
    "get_topic": {"id": "topic:gaon-premium"},
    "get_event": {"id": "event:gaon-2"},
    "search_answers": {"query": QUESTION},
}
STANDS = {"asset": "asset:gaoncoin", "entity_id": "asset:gaoncoin", "topic_id": "topic:gaon-premium"}
SHAPES: list[Any] = [
    None,
    True,
    5,
    -1,
    1.5,
    10**30,
    "5",
    "",
    "nonsense",
    [],
    {},
    ["nonsense"],
    [7],
    "x" * 2_000,
]
TEXTS = [
    *("asset:gaoncoin", "topic:gaon-premium", "event:gaon-1", "entity:maru-exchange", "creator:jangbu"),
    *("asset:gone", "asset:secret", "asset:gaoncoi", "topic:gaon-premum", "가온코잉", "없는이름이다", "루나"),
    *(
        "series:gaon-rate",
        "series:none",
        "document:999999",
        "post:999999",
        "pulse:none",
        "answer:" + "0" * 32,
    ),
    *("city:2020-01-01", "city:2026-02-30", "city:soon", "2026-02-30", "2026/1/5", "2026-01-05T10:00:00"),
    *("1700-01-01", "yesterday", "9999-12-31", "!!!", "https://other.example/asset/gaoncoin", "/asset/gone"),
]


def wrong_arguments(tool: Tool) -> Iterator[dict[str, Any]]:
    """Calls in which one argument may be wrong, or two contradict each other."""
    good, properties = GOOD.get(tool.name, {}), tool.input_schema["properties"]
    for name, schema in properties.items():
        values = list(SHAPES)
        if "maximum" in schema:
            values += [schema["maximum"] + 1, schema["minimum"] - 1, str(schema["maximum"])]
        if "enum" in schema:
            values += [schema["enum"][0].upper(), schema["enum"][-1][:-1]]
        if schema["type"] == "array":
            known = schema["items"]["enum"]
            values += [known[0], [known[0], "nonsense"], [known[0]] * (len(known) + 1)]
        elif schema["type"] == "string" and "enum" not in schema and tool.name != "ask_madang":
            values += TEXTS
        yield from (good | {name: value} for value in values)
        yield {one: value for one, value in good.items() if one != name}
        yield good | {name[:-1]: good.get(name, STANDS.get(name, tool.example.get(name)))}
    yield good | {"elsewhere": 1}
    for first, last in (("since", "until"), ("from", "to")):
        if first in properties and last in properties:
            yield good | {first: DAY.isoformat(), last: "2026-01-01"}
    if "until" in properties:
        yield good | {"since": "2026-11-19T12:00:00+09:00", "until": "2026-11-19T12:00:00+09:00"}
    lists = [name for name, schema in properties.items() if schema["type"] == "array"]
    for one, other in product(lists, lists):
        if one < other:
            for pair in product(*(_some(properties[name]["items"]["enum"]) for name in (one, other))):
                yield good | {one: [pair[0]], other: [pair[1]]}


def _some(values: list[str]) -> list[str]:
    """All of a short list; of a long one the ends, whose words are of different kinds."""
    return values if len(values) <= LISTED_VALUES_MAX else [*values[:3], values[-1]]


@pytest.mark.parametrize("name", NAMES)
def test_the_next_call_of_every_hint_of_every_argument_works(world: None, name: str) -> None:
    for slug in ("luna-one", "luna-two"):
        make_unit(slug, f"루나 {slug}", type=UnitType.PRODUCT).aliases.create(surface="루나", ambiguous=True)
    tool, taught, named = BY_NAME[name], set[str](), set[tuple[str, str]]()
    for arguments in wrong_arguments(tool):
        result = call(name, **arguments)
        if not result["isError"]:
            continue
        text = result["content"][0]["text"]
        taught.add(re.match(r'Argument "(.*?)"', text)[1])  # type: ignore[index]
        found = NEXT.search(text)
        assert found is not None, text
        assert text.endswith(found[0]), text
        if found.groups() not in named:
            named.add(found.groups())  # type: ignore[arg-type]
            following = call(found[1], **json.loads(found[2]))
            assert not following["isError"], f"{arguments} -> {text} -> {following['content'][0]['text']}"
    assert taught >= set(tool.input_schema["properties"])


# Tool, arguments, what is said of them, and the next call.
CAUSES: list[tuple[str, dict[str, Any], str, str, dict[str, Any]]] = [
    (
        "search",
        {"query": "x", "limit": "5"},
        'the string "5"; a whole number is wanted',
        "search",
        {"query": "x", "limit": 5},
    ),
    ("search", {"query": "x", "limit": 500}, "the largest is 50", "search", {"query": "x", "limit": 50}),
    ("search", {"query": "x", "limit": 0}, "the least is 1", "search", {"query": "x", "limit": 1}),
    (
        "search",
        {"query": "x", "limit": 1.5},
        "a whole number is wanted",
        "search",
        {"query": "x", "limit": 2},
    ),
    ("search", {"query": "가" * 201}, "201 characters, and at most 200", "search", {"query": "가" * 200}),
    (
        "search",
        {"query": "x", "kinds": "news"},
        "a list of strings is wanted",
        "search",
        {"query": "x", "kinds": ["news"]},
    ),
    (
        "search",
        {"query": "x", "kinds": ["new"]},
        'value 1 of the list: "new" is not in the list. Did you mean "news"?',
        "search",
        {"query": "x", "kinds": ["news"]},
    ),
    ("search", {"query": "x", "limmit": 5}, 'Did you mean "limit"?', "search", {"query": "x", "limit": 5}),
    (
        "list_topics",
        {"order": "Newest", "limit": "3"},
        '"Newest" is not in the list',
        "list_topics",
        {"order": "newest", "limit": 3},
    ),
    (
        "list_events",
        {"since": "2026-11-19", "until": "2026-01-01"},
        "nothing lies between",
        "list_events",
        {"since": "2026-01-01", "until": "2026-11-19"},
    ),
    ("list_events", {"since": "2026/1/5"}, "no day of the calendar", "list_events", {"since": "2026-01-05"}),
    (
        "list_events",
        {"since": "2026-01-05T10:00:00"},
        "no offset",
        "list_events",
        {"since": "2026-01-05T10:00:00+09:00"},
    ),
    ("list_events", {"since": "1700-01-01", "limit": 3}, "out of range", "list_events", {"limit": 3}),
    (
        "list_events",
        {"entity_id": "topic:gaon-premium"},
        "is a topic, not an entity",
        "list_events",
        {"topic_id": "topic:gaon-premium"},
    ),
    (
        "list_events",
        {"topic_id": "asset:gaoncoin"},
        "is an asset, not a topic",
        "list_events",
        {"entity_id": "asset:gaoncoin"},
    ),
    (
        "list_topics",
        {"entity_id": "event:gaon-1"},
        "is an event, not an entity",
        "get_event",
        {"id": "event:gaon-1"},
    ),
    (
        "list_pulses",
        {"asset": "마루거래소"},
        "is a company, not an asset",
        "get_entity",
        {"id": "entity:maru-exchange"},
    ),
    (
        "search",
        {"query": "가온", "kinds": ["topic"], "types": ["asset"]},
        "nothing is of kind topic and also asset",
        "search",
        {"query": "가온", "types": ["asset"]},
    ),
    (
        "search",
        {"query": "가온", "kinds": ["topic", "event"], "categories": ["exchange"]},
        "nothing is of kind topic or event and also exchange",
        "search",
        {"query": "가온", "categories": ["exchange"]},
    ),
    ("list_pulses", {"min_confidence": "0.5"}, "a number is wanted", "list_pulses", {"min_confidence": 0.5}),
    (
        "get_entity",
        {"id": "topic:gaon-premium"},
        "is a topic, not an entity",
        "get_topic",
        {"id": "topic:gaon-premium"},
    ),
    ("get_entity", {"id": "asset:gone"}, "was withdrawn", "search", {"query": "gone"}),
    (
        "get_entity",
        {"id": "asset:gaoncoi"},
        "Closest: asset:gaoncoin",
        "get_entity",
        {"id": "asset:gaoncoin"},
    ),
    ("get_entity", {"id": "없는이름이다"}, "no public record", "search", {"query": "없는이름이다"}),
    ("get_topic", {}, "required and missing", "list_topics", {}),
    ("get_event", {}, "required and missing", "list_events", {}),
    ("fetch", {"id": "city:2020-01-01"}, "no file for 2020-01-01", "fetch", {"id": "city:2026-11-17"}),
    (
        "get_city_day",
        {"date": "2020-01-01"},
        "no file for 2020-01-01",
        "get_city_day",
        {"date": "2026-11-17"},
    ),
    (
        "get_city_day",
        {"date": "2026-11-18", "response_format": "detail"},
        "not in the list",
        "get_city_day",
        {"date": "2026-11-18", "response_format": "detailed"},
    ),
    (
        "ask_madang",
        {"question": "???"},
        "letter or digit",
        "search_answers",
        {"query": "김치 프리미엄이 뭐야?"},
    ),
    ("fetch", {"id": "pulse:none"}, "no public record", "list_pulses", {}),
]


@pytest.mark.parametrize(("tool", "arguments", "problem", "following", "with_these"), CAUSES)
def test_a_hint_names_the_cause_and_the_call_that_was_meant(
    world: None,
    tool: str,
    arguments: dict[str, Any],
    problem: str,
    following: str,
    with_these: dict[str, Any],
) -> None:
    text = lesson(tool, **arguments)
    assert problem in text
    found = NEXT.search(text)
    assert found is not None, text
    assert (found[1], json.loads(found[2])) == (following, with_these)


def test_a_next_call_leaves_out_the_cursor_and_what_cannot_be_read(world: None) -> None:
    text = lesson("list_events", cursor="nonsense", order="oldest")
    assert text.endswith('Next: call list_events with {"order":"oldest"}')
    text = lesson("search", query="가온\u202e코인", limit=99, since=None)
    assert text.endswith('Next: call search with {"query":"가온 코인","limit":50}')


def test_before_the_first_day_is_sealed_no_call_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = SimpleNamespace(get=lambda: SimpleNamespace(items=[]))
    monkeypatch.setattr("mcpserver.city_days.calendars", empty)
    for arguments in ({}, {"date": date(2026, 11, 18).isoformat()}):
        text = lesson("get_city_day", **arguments)
        assert "no day is sealed yet" in text
        assert NEXT.search(text) is None
