"""An answer without records says why: how much of its kind is stored, and whether anybody looked."""

import pytest
from django.utils import timezone

from knowledge.models import DetectorRun, Document, Mention, Pulse, Unit
from tests.mcpserver.wire import lesson, record

pytestmark = [
    pytest.mark.urls("tests.mcpserver.urls"),
    pytest.mark.django_db,
    pytest.mark.usefixtures("world"),
]


def test_a_search_that_finds_nothing_says_how_much_there_is_to_find() -> None:
    hint = record("search", query="존재하지않는낱말", kinds=["news", "video", "event"])["hint"]
    assert "3 news (last came in 20" in hint
    assert "0 video, 3 event (" in hint


def test_what_a_bound_in_time_leaves_out_is_said() -> None:
    assert "have no date" in record("search", query="가온코인", since="2026-01-01")["hint"]
    assert "hint" not in record("search", query="가온코인")


def test_a_list_of_events_says_how_many_there_are() -> None:
    assert "Stored: 3 event (last came in" in record("list_events", since="2030-01-01")["hint"]


def test_quiet_is_told_from_a_detector_that_stands_still() -> None:
    found = record("list_pulses", min_confidence=0.99)
    assert "Stored: 2 pulse" in found["hint"]
    assert (found["markets_watched"], "detector_ran_at" in found) == (0, False)
    assert "has not run" in found["detector_note"]
    DetectorRun.objects.create(pk=1, ran_at=timezone.now(), markets=42)
    found = record("list_pulses")
    assert (found["markets_watched"], "detector_note" in found) == (42, False)
    assert found["detector_ran_at"].endswith("+09:00")


def test_only_assets_have_pulses() -> None:
    taught = lesson("list_pulses", asset="마루거래소")
    assert "entity:maru-exchange (마루거래소) is a company, not an asset" in taught
    assert record("list_pulses", asset="가온코인")["items"]


def test_an_order_by_trend_says_when_there_is_no_trend() -> None:
    hint = record("list_topics", window="24h")["hint"]
    assert "No document of the last 24h" in hint
    assert "3 news" in hint
    assert "hint" not in record("list_topics", order="newest")
    named = Document.objects.get(external_id="1")
    Mention.objects.create(
        document=named, unit=Unit.objects.get(slug="gaon-premium"), start=0, end=2, surface="가온"
    )
    assert "hint" not in record("list_topics", window="24h")


def test_a_record_without_documents_says_how_many_are_stored() -> None:
    found = record("get_event", id="event:gaon-1")
    assert found["sources"] == []
    assert "3 news" in found["hint"]
    asset = record("get_entity", id="asset:gaoncoin", response_format="detailed")
    assert (len(asset["documents"]), "hint" in asset) == (3, False)


def test_no_answered_question_is_given_that_is_on_another_thing() -> None:
    assert record("search_answers", query="가온코인은 누가 만들었어?")["items"]
    for other in ("마루거래소는 누가 만들었어?", "셀시우스는 누가 만들었어?", "Who made Celsius?"):
        found = record("search_answers", query=other)
        assert found["items"] == []
        assert "ask_madang" in found["hint"]
        assert "Stored: 1 answered" in found["hint"]


def test_nothing_is_stored_of_what_never_came() -> None:
    Pulse.objects.all().delete()
    assert "Stored: 0 pulse." in record("list_pulses")["hint"]
