"""``search`` for units of a kind: all of them in order without words, and words among them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from knowledge.models import UnitType
from tests.factories.knowledge import make_unit
from tests.mcpserver.wire import lesson, record

pytestmark = [pytest.mark.urls("tests.mcpserver.urls"), pytest.mark.django_db]


@pytest.fixture(autouse=True)
def exchanges() -> None:
    for slug, label, english, country in (
        ("naru", "나루거래소", "Naru", "KR"),
        ("garam", "가람거래소", "Garam", "KR"),
        ("coast", "코스트거래소", "Coast", "US"),
    ):
        make_unit(
            slug,
            label,
            type=UnitType.COMPANY,
            category="exchange",
            country=country,
            label_en=english,
            summary=f"{label}는 거래소이다.",
            summary_en=f"{english} is an exchange.",
        )
    make_unit("bank", "나라은행", type=UnitType.COMPANY, category="bank", country="KR")
    make_unit("draft", "비밀거래소", type=UnitType.COMPANY, category="exchange", country="KR", status="draft")


def test_all_of_a_category_and_country_stand_in_one_call_by_title() -> None:
    found = record("search", categories=["exchange"], country="KR")
    assert [item["title"] for item in found["items"]] == ["가람거래소", "나루거래소"]
    assert (found["total"], found["has_more"]) == (2, False)
    first = found["items"][0]
    assert (first["type"], first["category"], first["country"]) == ("company", "exchange", "KR")
    assert first["snippet"] == "가람거래소는 거래소이다."


def test_a_country_may_be_written_by_its_name() -> None:
    for written in ("kr", "South Korea", "한국"):
        assert record("search", query="", categories=["exchange"], country=written)["total"] == 2
    taught = lesson("search", country="Atlantis")
    assert "KR (South Korea)" in taught
    assert "US (United States)" in taught


def test_the_list_goes_on_by_a_cursor_and_its_total_is_that_of_all_pages() -> None:
    first = record("search", types=["company"], limit=2)
    second = record("search", types=["company"], limit=2, cursor=first["next_cursor"])
    assert [item["id"] for page in (first, second) for item in page["items"]] == [
        "entity:garam",
        "entity:bank",
        "entity:naru",
        "entity:coast",
    ]
    assert (first["total"], first["has_more"], second["has_more"]) == (4, True, False)
    assert "cursor" in lesson("search", types=["asset"], limit=2, cursor=first["next_cursor"])


def test_english_callers_get_english_titles_in_their_order() -> None:
    items = record("search", categories=["exchange"], lang="en")["items"]
    assert [(item["title"], item["snippet"]) for item in items] == [
        ("Coast", "Coast is an exchange."),
        ("Garam", "Garam is an exchange."),
        ("Naru", "Naru is an exchange."),
    ]
    both = record("search", categories=["exchange"], lang="both")["items"]
    assert {(item["title"], item["title_en"]) for item in both} >= {("나루거래소", "Naru")}


def test_words_are_looked_for_among_the_units_of_a_kind_alone() -> None:
    assert [item["id"] for item in record("search", query="나루거래소", country="KR")["items"]] == [
        "entity:naru"
    ]
    assert record("search", query="나루거래소", country="US")["items"] == []
    assert record("search", query="나루거래소", categories=["bank"])["items"] == []
    assert record("search", query="나루거래소", types=["asset"])["items"] == []


def test_a_kind_that_has_no_such_units_is_told_which_categories_there_are() -> None:
    hint = record("search", types=["person"], categories=["exchange"])["hint"]
    assert "founder" in hint
    assert "stablecoin" not in hint


def test_without_words_but_with_since_it_lists_what_changed() -> None:
    now = timezone.now()
    week_ago = (timezone.localdate(now) - timedelta(days=7)).isoformat()
    found = record("search", since=week_ago, limit=3)
    assert (found["total"], len(found["items"]), found["has_more"]) == (4, 3, True)
    further = record("search", since=week_ago, limit=3, cursor=found["next_cursor"])
    listed = [item["id"] for item in (*found["items"], *further["items"])]
    assert sorted(listed) == ["entity:bank", "entity:coast", "entity:garam", "entity:naru"]
    assert "/api/changes.json" in found["hint"]
    assert record("search", since=week_ago, country="US")["total"] == 1
    assert record("search", until=week_ago)["total"] == 0
    tomorrow = (timezone.localdate(now) + timedelta(days=1)).isoformat()
    assert record("search", since=tomorrow)["items"] == []


def test_lists_without_words_are_of_units_alone_and_the_next_call_says_how() -> None:
    assert 'Next: call search with {"categories":["exchange"]' in lesson("search", kinds=["news"])
    taught = lesson("search", kinds=["news"], since="2026-01-01")
    assert "types instead" in taught
    assert 'Next: call search with {"since":"2026-01-01"' in taught
