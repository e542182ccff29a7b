"""The twelve tools: what they find, what they teach."""

import json
import logging
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db.models import F
from jsonschema import Draft202012Validator

from ask.hashing import question_hash
from ask.models import Answer, AnswerStatus
from knowledge.models import (
    Document,
    Observation,
    PersonaPost,
    Pulse,
    PulseKind,
    Relation,
    Status,
    Unit,
    UnitType,
)
from mcpserver.protocol import STATELESS, SUPPORTED_VERSIONS
from mcpserver.registry import BY_NAME, LISTING
from mcpserver.schemas import TEXT_MAX_LENGTH
from tests.factories.knowledge import make_unit
from tests.mcpserver.conftest import DAY, QUESTION
from tests.mcpserver.wire import NAMES, call, lesson, record, rpc, stateless

pytestmark = [pytest.mark.urls("tests.mcpserver.urls"), pytest.mark.django_db]

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("ask_madang", {"question": QUESTION}),
    ("ask_madang", {"question": "된장찌개 끓이는 법은?"}),
    ("search", {"query": "가온코인"}),
    ("search", {"query": "가온코잉"}),
    ("search", {"query": "존재하지않는낱말"}),
    ("fetch", {"id": "asset:gaoncoin"}),
    ("resolve_entity", {"name": "가온"}),
    ("resolve_entity", {"name": "없는이름이다"}),
    ("get_entity", {"id": "asset:gaoncoin"}),
    ("get_entity", {"id": "asset:gaoncoin", "response_format": "detailed"}),
    ("get_entity", {"id": "creator:jangbu", "response_format": "detailed"}),
    ("list_topics", {}),
    ("list_topics", {"order": "newest", "entity_id": "asset:gaoncoin"}),
    ("list_topics", {"order": "alphabetical", "entity_id": "creator:jangbu"}),
    ("get_topic", {"id": "topic:gaon-premium"}),
    ("get_topic", {"id": "topic:gaon-premium", "response_format": "detailed"}),
    ("list_events", {}),
    ("list_events", {"since": "2030-01-01"}),
    ("get_event", {"id": "event:gaon-2"}),
    ("get_event", {"id": "event:gaon-2", "response_format": "detailed"}),
    ("list_pulses", {}),
    ("list_pulses", {"min_confidence": 0.99}),
    ("search_answers", {"query": "가온코인 누가 만들었나"}),
    ("search_answers", {"query": "날씨 어때"}),
    ("get_city_day", {}),
    ("get_city_day", {"date": "2026-11-18", "response_format": "detailed"}),
]


@pytest.mark.parametrize("version", SUPPORTED_VERSIONS)
def test_there_are_twelve_tools_in_at_most_24_kb_on_the_wire(version: str) -> None:
    post = stateless if version == STATELESS else rpc
    response = post("tools/list", MCP_Protocol_Version=version)
    assert response.headers["MCP-Protocol-Version"] == version
    assert [tool["name"] for tool in response.json()["result"]["tools"]] == NAMES
    spaced = json.dumps({"tools": response.json()["result"]["tools"]}, ensure_ascii=False).encode()
    # A service of a longer name, address and limits than this one's has room to say them.
    assert max(len(response.content), len(spaced)) + 200 <= 24_000


@pytest.mark.parametrize("tool", LISTING, ids=NAMES)
def test_every_tool_says_all_there_is_to_say_of_it(tool: dict[str, Any]) -> None:
    assert tool["title"]
    assert 200 <= len(tool["description"]) <= 600
    assert set(tool["annotations"]) == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
    assert tool["annotations"]["openWorldHint"] == tool["name"].startswith("ask_")
    for schema in (tool["inputSchema"], tool["outputSchema"]):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert_closed(schema)
    assert all(one["description"] for one in tool["inputSchema"]["properties"].values())
    assert not list(BY_NAME[tool["name"]].validator.iter_errors(BY_NAME[tool["name"]].example))


def assert_closed(schema: Any) -> None:
    """Every object takes no further properties or is a map of capped ones, every free string is capped."""
    if isinstance(schema, list):
        for one in schema:
            assert_closed(one)
    elif isinstance(schema, dict):
        if schema.get("type") == "object":
            assert schema["additionalProperties"] in (False, {"maxLength": TEXT_MAX_LENGTH})
        if schema.get("type") == "string" and "enum" not in schema:
            assert schema["maxLength"] > 0
        for one in schema.values():
            assert_closed(one)


@pytest.mark.parametrize(
    ("tool", "arguments"), CALLS, ids=[f"{tool}-{n}" for n, (tool, _) in enumerate(CALLS)]
)
def test_every_result_fits_its_schema_and_stands_as_text_too(
    world: None, tool: str, arguments: dict[str, Any]
) -> None:
    result = call(tool, **arguments)
    assert result["isError"] is False, result
    structured = result["structuredContent"]
    Draft202012Validator(BY_NAME[tool].output_schema).validate(structured)
    assert json.loads(result["content"][0]["text"]) == structured
    assert structured["cite"].startswith("Cite as: Madang, http")


@pytest.mark.parametrize(("tool", "arguments"), [one for one in CALLS if one[0].startswith("get_")])
def test_a_concise_look_up_stays_short(world: None, tool: str, arguments: dict[str, Any]) -> None:
    long = "가나다라마바사 아자차카타파하. " * 200
    Unit.objects.update(summary=long, summary_en="Long words follow. " * 200)
    text = call(tool, **{**arguments, "response_format": "concise"})["content"][0]["text"]
    assert ('"series":' in text) == (tool in ("get_topic", "get_entity") and "creator" not in arguments["id"])
    korean = sum(not char.isascii() for char in text)
    assert korean + (len(text) - korean) / 3.5 <= 1500


@pytest.mark.parametrize(
    "reference",
    [
        "asset:gaoncoin",
        "ASSET:gaoncoin",
        f"{settings.BASE_URL}/asset/gaoncoin",
        "/asset/gaoncoin",
        "/asset/gaoncoin.md",
        f"{settings.BASE_URL}/asset/gaoncoin/?utm=x#top",
        "가온코인",
        " 가온 코인 ",
        "gaoncoin",
        "GAON",
        "가온",
    ],
)
def test_ids_addresses_and_names_all_lead_to_the_record(world: None, reference: str) -> None:
    for tool in ("get_entity", "fetch"):
        assert record(tool, id=reference)["id"] == "asset:gaoncoin"


@pytest.mark.parametrize("reference", ["asset:gaon-old", "/asset/gaon-old", "OldGaon"])
def test_a_merged_id_answers_with_the_survivor(world: None, reference: str) -> None:
    found = record("get_entity", id=reference)
    assert found["id"] == "asset:gaoncoin"
    if "gaon-old" in reference:
        assert found["merged_from"] == "asset:gaon-old"
        assert record("fetch", id=reference)["metadata"]["merged_from"] == "asset:gaon-old"


def test_a_record_in_detail_names_the_ids_that_were_merged_into_it(world: None) -> None:
    assert record("get_entity", id="asset:gaoncoin", response_format="detailed")["merged_ids"] == [
        "asset:gaon-old"
    ]
    assert "merged_ids" not in record("get_entity", id="asset:gaoncoin")
    assert record("get_topic", id="topic:gaon-premium", response_format="detailed")["merged_ids"] == []


def test_a_move_says_what_moved(world: None) -> None:
    Pulse.objects.filter(direction="down").update(kind=PulseKind.PREMIUM)
    pulses = record("get_entity", id="asset:gaoncoin")["pulses"]
    assert [(one["direction"], one["pulse_kind"]) for one in pulses] == [("up", "price"), ("down", "premium")]


def test_a_series_goes_with_its_holder(world: None) -> None:
    Unit.objects.filter(slug="gaoncoin").update(status=Status.RETRACTED)
    assert "withdrawn" in lesson("fetch", id="series:gaon-rate")
    Unit.objects.filter(slug="gaoncoin").update(status=Status.DRAFT)
    assert "no public record" in lesson("fetch", id="series:gaon-rate")


@pytest.mark.parametrize("tool", ["get_entity", "fetch"])
def test_what_is_not_public_is_not_found_and_what_was_withdrawn_says_so(world: None, tool: str) -> None:
    assert "withdrawn" in lesson(tool, id="asset:gone")
    text = lesson(tool, id="asset:secret")
    assert "no public record" in text
    assert "비밀코인" not in text
    assert "no public record" in lesson(tool, id="https://other.example/asset/gaoncoin")


def test_a_name_of_several_records_is_not_guessed(world: None) -> None:
    for slug in ("luna-one", "luna-two"):
        unit = make_unit(slug, f"루나 {slug}", type=UnitType.PRODUCT)
        unit.aliases.create(surface="루나", ambiguous=True)
    text = lesson("get_entity", id="루나")
    assert "entity:luna-one" in text
    assert "entity:luna-two" in text


def test_a_record_of_another_kind_names_the_tool_for_it(world: None) -> None:
    assert "get_topic" in lesson("get_entity", id="topic:gaon-premium")
    assert "get_entity" in lesson("get_event", id="asset:gaoncoin")
    assert "get_event" in lesson("get_topic", id="event:gaon-1")


def test_a_wrong_id_is_told_what_comes_close(world: None) -> None:
    assert "asset:gaoncoin" in lesson("get_entity", id="asset:gaon")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("fetch", {}, ['"id"', "required", "Example", "Next"]),
        ("search", {}, ['"query"', "types, categories or country", "Next"]),
        ("search", {"query": " ", "limit": 5}, ['"query"', '{"categories": ["exchange"]}']),
        ("search", {"types": ["nonsense"]}, ['"types"', '"asset"', '"organisation"']),
        ("search", {"categories": ["bourse"]}, ['"categories"', '"exchange"', '"memecoin"']),
        ("search", {"country": "Atlantis"}, ['"country"', "ISO 3166-1"]),
        ("search", {"types": ["asset"], "kinds": ["news"]}, ['"kinds"', "none of these kinds"]),
        ("search", {"query": "x", "limit": 51}, ['"limit"', "the number 51", "1 to 50", '{"limit":10}']),
        ("search", {"query": "x", "limit": "10"}, ['"limit"', "a whole number from 1 to 50"]),
        ("search", {"query": "x", "kinds": ["podcast"]}, ['"kinds"', '"podcast"', '"news"']),
        ("search", {"query": "x", "kinds": "news"}, ['"kinds"', "list"]),
        ("search", {"query": "x", "limmit": 5}, ['"limmit"', 'Did you mean "limit"?']),
        ("search", {"query": "!!!"}, ['"query"', "letter or digit"]),
        ("search", {"query": "x", "since": "yesterday-ish"}, ['"since"', "YYYY-MM-DD"]),
        ("search", {"query": "x", "since": "2026-02-30"}, ['"since"', "calendar"]),
        ("search", {"query": "x", "since": "2026-02-03T00:00:00"}, ['"since"', "offset"]),
        ("search", {"query": "x", "cursor": "nonsense"}, ['"cursor"', "leave cursor out"]),
        ("search", {"query": "x", "cursor": "다음"}, ['"cursor"', "leave cursor out"]),
        ("search", {"query": "x", "cursor": "a" * 901}, ['"cursor"', "900", "Next"]),
        ("list_topics", {"order": "best"}, ['"order"', '"trending"']),
        ("list_pulses", {"hours": 169}, ['"hours"', "1 to 168"]),
        ("list_pulses", {"min_confidence": 2}, ['"min_confidence"', "0 to 1"]),
        ("ask_madang", {"question": "???"}, ['"question"', "letter or digit"]),
        ("get_city_day", {"date": "2026-02-30"}, ['"date"', "YYYY-MM-DD"]),
        ("fetch", {"id": "document:999999"}, ['"id"', "search"]),
        ("fetch", {"id": "pulse:none"}, ['"id"', "list_pulses"]),
        ("fetch", {"id": "answer:" + "0" * 32}, ['"id"', "no public record"]),
    ],
)
def test_wrong_arguments_teach_argument_form_example_and_next_step(
    tool: str, arguments: dict[str, Any], said: list[str]
) -> None:
    text = lesson(tool, **arguments)
    assert [part for part in said if part not in text] == [], text


def test_what_is_echoed_is_short_and_printable() -> None:
    text = lesson("get_entity", id="\x07\u202e<script>" + "가" * 250)
    assert "\x07" not in text
    assert "가" * 61 not in text


def test_a_day_without_a_file_names_the_nearest(world: None) -> None:
    text = lesson("get_city_day", date="2026-11-01")
    assert "city:2026-11-17" in text
    assert record("get_city_day")["id"] == f"city:{DAY.isoformat()}"
    assert (
        record("fetch", id=f"city:{DAY}")["metadata"]["sha256"]
        == record("get_city_day", date=f"city:{DAY}")["sha256"]
    )


def test_fetch_reads_every_kind_of_record(world: None) -> None:
    document = Document.objects.get(external_id="1")
    found = record("fetch", id=f"document:{document.pk}")
    assert document.url in found["text"]
    assert "asset:gaoncoin" in found["metadata"]["related"]
    assert record("fetch", id=f"pulse:{2:032d}")["kind"] == "pulse"
    answer = record("fetch", id=f"{settings.BASE_URL}/ask/q/{question_hash(QUESTION)}")
    assert answer["id"] == f"answer:{question_hash(QUESTION)}"
    assert "한새벽" in answer["text"]


def test_opinions_of_an_ai_persona_are_never_without_what_they_are(world: None) -> None:
    post = PersonaPost.objects.get()
    text = record("fetch", id=f"post:{post.pk}")["text"]
    assert "◆" in text
    assert "AI persona" in text
    [told] = record("get_entity", id="asset:gaoncoin", response_format="detailed")["posts"]
    assert (told["id"], told["persona"], told["glyph"]) == (f"post:{post.pk}", "creator:jangbu", "◆")
    assert told["disclosure"].startswith("AI persona")
    assert told["url"].endswith(f"/creator/jangbu#post-{post.slug}")
    assert told["published_at"].endswith("+09:00")
    assert record("get_entity", id="creator:jangbu")["ai_persona"]["glyph"] == "◆"
    items = record("search", query="장부는 고요하다", kinds=["post"])["items"]
    assert "AI persona" in items[0]["title"]
    own = f"{settings.BASE_URL}/creator/jangbu#post-{post.slug}"
    assert items[0]["url"] == own == record("fetch", id=f"post:{post.pk}")["url"]


def test_hidden_answers_withdrawn_documents_posts_and_pulses_are_gone(world: None) -> None:
    key = question_hash(QUESTION)
    Answer.objects.filter(pk=key).update(status=AnswerStatus.HIDDEN, hidden_reason="요청")
    Document.objects.update(withdrawn=True)
    PersonaPost.objects.update(status=Status.RETRACTED)
    Pulse.objects.update(status=Status.RETRACTED)
    assert "taken down" in lesson("fetch", id=f"answer:{key}")
    assert "taken down" in lesson("ask_madang", question=QUESTION)
    assert record("search_answers", query=QUESTION)["items"] == []
    assert record("list_pulses")["items"] == []
    for reference in (
        f"document:{Document.objects.first().pk}",
        f"post:{PersonaPost.objects.get().pk}",
        f"pulse:{2:032d}",
    ):  # type: ignore[union-attr]
        assert "no public record" in lesson("fetch", id=reference)


def test_names_resolve_with_a_confidence_and_what_they_matched(world: None) -> None:
    found = record("resolve_entity", name="Gaoncoin")["candidates"]
    assert (found[0]["id"], found[0]["matched_on"]) == ("asset:gaoncoin", "alias")
    assert found[0]["confidence"] >= 0.9
    assert record("resolve_entity", name="마루")["candidates"][0]["id"] == "entity:maru-exchange"
    assert record("resolve_entity", name="가온코인", type="company")["candidates"] == []


def test_an_entity_knows_its_company_events_and_pulses(world: None) -> None:
    found = record("get_entity", id="asset:gaoncoin")
    assert {one["id"] for one in found["related"]} == {"entity:maru-exchange", "topic:gaon-premium"}
    assert [one["id"] for one in found["events"]] == ["event:gaon-3", "event:gaon-2", "event:gaon-1"]
    assert [one["direction"] for one in found["pulses"]] == ["up", "down"]
    assert "옛가온" in found["aliases"]


def test_a_look_up_carries_what_the_series_of_the_unit_say(world: None) -> None:
    [rate] = record("get_entity", id="asset:gaoncoin")["series"]
    assert (rate["id"], rate["label"], rate["value"], rate["unit"]) == (
        "series:gaon-rate",
        "가온 기준율",
        3.25,
        "%",
    )
    assert rate["period"] == "2026-10"
    assert rate["at"].endswith("+09:00")
    assert rate["change"].startswith("-0.25 points since ")
    assert "stale" not in rate
    whole, empty = record("get_entity", id="asset:gaoncoin", response_format="detailed")["series"]
    assert whole["changes"]["previous"]["points"] == -0.25
    assert (whole["label_en"], whole["cadence"], whole["redistributable"]) == ("gaon-rate", "monthly", True)
    assert whole["points_url"] == f"{settings.BASE_URL}/api/series/gaon-rate.json"
    assert (empty["id"], "value" in empty) == ("series:gaon-empty", False)
    found = record("fetch", id="asset:gaoncoin")
    assert "가온 기준율 (gaon-rate): 3.25 %; " in found["text"]
    assert found["metadata"]["series"] == ["series:gaon-rate", "series:gaon-empty"]


def test_values_are_in_plain_digits_and_stale_ones_say_so(world: None) -> None:
    Observation.objects.filter(input__key="gaon-fee-0").update(at=F("at") - timedelta(days=30))
    text = call("get_topic", id="topic:gaon-premium")["content"][0]["text"]
    assert '"value":0.00000018,' in text
    assert "+0.00000006 (+50.00%) since" in text
    fees = record("get_topic", id="topic:gaon-premium")["series"]
    assert [one.get("stale") for one in fees] == [True, None, None, None, None]
    assert len(record("get_topic", id="topic:gaon-premium", response_format="detailed")["series"]) == 8


@pytest.mark.parametrize("reference", ["series:gaon-fee-7", f"{settings.BASE_URL}/number/gaon-fee-7"])
def test_the_id_of_a_series_leads_to_its_holder_and_it_stands_first(world: None, reference: str) -> None:
    found = record("get_topic", id=reference)
    assert (found["id"], found["series"][0]["id"]) == ("topic:gaon-premium", "series:gaon-fee-7")
    assert record("fetch", id=reference)["metadata"]["series"][0] == "series:gaon-fee-7"
    taught = lesson("get_entity", id=reference)
    assert 'get_topic with {"id":"topic:gaon-premium"}' in taught
    assert "no public record" in lesson("fetch", id="series:none")


@pytest.mark.parametrize("tool", ["search", "resolve_entity", "get_entity"])
def test_the_name_of_a_series_finds_the_unit_that_holds_it(world: None, tool: str) -> None:
    argument = {"search": "query", "resolve_entity": "name"}.get(tool, "id")
    found = record(tool, **{argument: "Gaon base rate"})
    first = next(iter(found.get("items") or found.get("candidates") or [found]))
    assert first["id"] == "asset:gaoncoin"


def test_a_record_in_detail_says_how_it_stands_to_others(world: None) -> None:
    asset, company = (Unit.objects.get(slug=slug) for slug in ("gaoncoin", "maru-exchange"))
    Relation.objects.create(
        subject=company, object=asset, kind="issues", started="2021", reference="https://maru.example/gaon"
    )
    short = {"kind": "issued_by", "id": "entity:maru-exchange", "title": "마루거래소", "from": "2021"}
    assert record("get_entity", id="asset:gaoncoin")["relations"] == [short]
    [whole] = record("get_entity", id="asset:gaoncoin", response_format="detailed")["relations"]
    assert whole == short | {
        "reference": "https://maru.example/gaon",
        "url": f"{settings.BASE_URL}/entity/maru-exchange",
    }
    assert record("get_entity", id="entity:maru-exchange")["relations"][0]["kind"] == "issues"


@pytest.mark.parametrize(
    ("tool", "reference"),
    [("get_entity", "asset:gaoncoin"), ("get_topic", "topic:gaon-premium"), ("get_event", "event:gaon-2")],
)
def test_a_record_in_detail_says_more(world: None, tool: str, reference: str) -> None:
    concise = record(tool, id=reference)
    detailed = record(tool, id=reference, response_format="detailed")
    assert detailed.keys() >= concise.keys() | {"posts", "merged_ids"}
    assert len(json.dumps(detailed)) > len(json.dumps(concise))


def test_a_timeline_is_short_unless_its_summaries_are_asked_for(world: None) -> None:
    concise = record("list_events")["items"]
    assert not any("summary" in item for item in concise)
    detailed = record("list_events", response_format="detailed")["items"]
    assert detailed[0]["summary"] == "가온코인 재상장 사건이다."
    assert detailed[0]["occurred_at"] == concise[0]["occurred_at"]


def test_an_event_knows_who_sources_and_what_came_before_and_after(world: None) -> None:
    found = record("get_event", id="event:gaon-2")
    assert found["before"]["id"] == "event:gaon-1"
    assert found["after"]["id"] == "event:gaon-3"
    assert [one["id"] for one in found["topics"]] == ["topic:gaon-premium"]
    assert {one["id"] for one in found["entities"]} == {"asset:gaoncoin", "entity:maru-exchange"}


def test_pages_of_a_list_meet_without_gap_or_repeat(world: None) -> None:
    first = record("list_events", limit=2, entity_id="asset:gaoncoin")
    second = record("list_events", limit=2, entity_id="asset:gaoncoin", cursor=first["next_cursor"])
    ids = [item["id"] for item in first["items"] + second["items"]]
    assert ids == ["event:gaon-3", "event:gaon-2", "event:gaon-1"]
    assert (first["has_more"], second["has_more"]) == (True, False)
    assert "next_cursor" not in second
    assert "cursor" in lesson("list_events", limit=2, order="oldest", cursor=first["next_cursor"])


def test_pages_of_topics_with_the_longest_labels_meet(world: None) -> None:
    for number in range(3):
        make_unit(f"long-{number}", f"{number}" + "가" * 199, type=UnitType.TOPIC)
    first = record("list_topics", order="alphabetical", limit=1)
    second = record("list_topics", order="alphabetical", limit=1, cursor=first["next_cursor"])
    assert [page["items"][0]["id"] for page in (first, second)] == ["topic:long-0", "topic:long-1"]


def test_an_answered_question_is_found_by_its_words(world: None) -> None:
    item = record("search_answers", query="가온코인 만든 사람은 누구?")["items"][0]
    assert item["title"] == QUESTION
    assert item["citations"][0]["url"].startswith(settings.BASE_URL)


def test_a_call_leaves_one_line_without_the_question(world: None, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "mcpserver.calls"):
        record("search", query="가온코인")
        lesson("search", query="가온코인", limit=0)
    lines = [one.getMessage() for one in caplog.records if one.name == "mcpserver.calls"]
    assert [line.split()[:2] for line in lines] == [
        ["tool=search", "outcome=ok"],
        ["tool=search", "outcome=invalid"],
    ]
    assert not any("가온" in one.getMessage() for one in caplog.records)


def test_a_defect_of_ours_is_told_neutrally_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("private detail")

    monkeypatch.setattr("mcpserver.tools.pulses.pulses", broken)
    text = lesson("list_pulses")
    assert "our side" in text
    assert "private detail" not in text
    assert any(one.exc_info for one in caplog.records)
