"""Cursors: refused unless the list that handed them out asks again."""

import base64
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.models.units import NAME_MAX_LENGTH
from knowledge.queries.cursors import CURSOR_MAX_LENGTH, CursorError, Pagination, ranked_page
from tests.factories.knowledge import NOON


@given(st.text(max_size=100))
def test_a_cursor_is_refused_unless_this_list_handed_it_out(forged: str) -> None:
    pagination = Pagination("list", ("a",))
    if forged:
        with pytest.raises(CursorError):
            pagination.key(forged)


@given(st.lists(st.one_of(st.none(), st.integers(), st.text(max_size=5), st.booleans()), max_size=5))
def test_a_cursor_with_forged_contents_is_refused(contents: list[object]) -> None:
    cursor = base64.urlsafe_b64encode(orjson.dumps([str(one) for one in contents])).decode()
    with pytest.raises(CursorError):
        Pagination("list").key(cursor)


def test_a_cursor_gives_back_its_key_to_the_same_list_with_the_same_filters_only() -> None:
    pagination = Pagination("list", ("btc", 7))
    cursor = pagination.after(NOON, 5, "가")
    assert pagination.key(cursor) == [NOON.isoformat(), 5, "가"]
    for other in (Pagination("list", ("eth", 7)), Pagination("other", ("btc", 7))):
        with pytest.raises(CursorError):
            other.key(cursor)


@pytest.mark.parametrize("letter", ["a", "가", '"'])
def test_the_longest_key_makes_no_longer_cursor_than_agents_may_send(letter: str) -> None:
    pagination = Pagination("topics")
    label, pk = letter * NAME_MAX_LENGTH, 2**63 - 1
    cursor = pagination.after(label, pk)
    assert len(cursor) <= CURSOR_MAX_LENGTH
    assert pagination.key(cursor) == [label, pk]


@pytest.mark.parametrize(
    "forged", ["\0", "가" * 50, "\ud800", "a" * 100_000, ".", ":", "bm9uc2Vuc2U.c2lnbmF0dXJl"]
)
def test_what_no_signature_can_be_is_refused(forged: str) -> None:
    with pytest.raises(CursorError):
        Pagination("list").key(forged)


def test_a_cursor_outlives_the_process_but_not_its_secret(settings: Any) -> None:
    cursor = Pagination("list").after(5)
    assert Pagination("list").key(cursor) == [5]
    settings.SECRET_KEY = "another" * 10
    with pytest.raises(CursorError):
        Pagination("list").key(cursor)


@given(st.integers(min_value=0), st.characters(codec="utf-8"))
def test_a_cursor_with_one_other_character_is_refused(place: int, other: str) -> None:
    pagination = Pagination("list")
    cursor = pagination.after(5, "가")
    at = place % len(cursor)
    changed = cursor[:at] + other + cursor[at + 1 :]
    if changed != cursor:
        with pytest.raises(CursorError):
            pagination.key(changed)


def test_a_ranking_goes_on_after_the_last_record_wherever_it_stands_now() -> None:
    pagination = Pagination("ranking")
    first = ranked_page(["a", "b", "c", "d"], 2, pagination, "", str)
    assert first.rows == ["a", "b"]
    assert ranked_page(["new", "a", "b", "c", "d"], 2, pagination, first.next_cursor, str).rows == ["c", "d"]
    assert ranked_page(["a", "c", "d"], 2, pagination, first.next_cursor, str).rows == ["d"]
