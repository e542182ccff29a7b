"""Integer micro-USD, always rounded up, and no price for what the table does not know."""

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ask import prices
from ask.prices import UnknownPriceError, cost, worst_case
from tests.ask.model.conftest import NOON

MODEL = "claude-haiku-5-5"


def test_the_default_model_costs_what_the_vendor_says(now: datetime) -> None:
    usage = {"input_tokens": 10_000, "output_tokens": 1_000}
    assert cost(MODEL, usage, reported_model=MODEL, now=now) == 1_000 + 500
    assert cost(MODEL, usage, reported_model=f"{MODEL}-20261001", now=now) == 1_500


def test_a_long_prompt_costs_five_times_as_much(now: datetime) -> None:
    usage = {"input_tokens": 200_000, "output_tokens": 1_000}
    assert cost(MODEL, usage, reported_model=MODEL, now=now) == 100_000 + 2_500


def test_searches_and_cached_tokens_are_paid(now: datetime) -> None:
    usage = {"input_tokens": 0, "output_tokens": 0, "server_tool_use": {"web_search_requests": 3}}
    assert cost(MODEL, usage, reported_model=MODEL, now=now) == 30_000
    cached = {"input_tokens": 0, "output_tokens": 0, "cache_read_input_tokens": 10_000}
    assert cost(MODEL, cached, reported_model=MODEL, now=now) == 100


def test_the_smallest_call_is_not_free(now: datetime) -> None:
    assert cost(MODEL, {"input_tokens": 1, "output_tokens": 0}, reported_model=MODEL, now=now) == 1


def test_a_model_that_the_table_does_not_know_has_no_price(now: datetime) -> None:
    with pytest.raises(UnknownPriceError):
        worst_case("claude-unheard-of", request_bytes=1, max_tokens=1, now=now)


def test_an_unknown_alias_costs_what_was_asked_for(now: datetime) -> None:
    usage = {"input_tokens": 10_000, "output_tokens": 0}
    assert cost(MODEL, usage, reported_model="renamed", now=now) == 1_000


@pytest.mark.parametrize(
    "usage",
    [
        {},
        {"input_tokens": "1", "output_tokens": 1},
        {"input_tokens": 1, "output_tokens": -1},
    ],
)
def test_a_usage_that_cannot_be_read_has_no_price(now: datetime, usage: dict[str, Any]) -> None:
    with pytest.raises(UnknownPriceError):
        cost(MODEL, usage, reported_model=MODEL, now=now)


@given(size=st.integers(0, 40_000), max_tokens=st.integers(1, 8_000), share=st.floats(0, 1))
def test_no_call_within_its_request_costs_more_than_its_worst_case(
    size: int, max_tokens: int, share: float
) -> None:
    bound = worst_case(MODEL, request_bytes=size, max_tokens=max_tokens, now=NOON)
    usage = {"input_tokens": int(size * share) + 2_000, "output_tokens": int(max_tokens * share)}
    assert cost(MODEL, usage, reported_model=MODEL, now=NOON) <= bound


def test_the_rehearsal_costs_nothing(now: datetime) -> None:
    assert worst_case(prices.REHEARSAL_MODEL, request_bytes=10**6, max_tokens=10**6, now=now) == 0
    assert cost(prices.REHEARSAL_MODEL, {}, reported_model=MODEL, now=now) == 0


def test_the_price_table_does_not_update_itself(now: datetime) -> None:
    from genai_prices.data_snapshot import get_snapshot

    worst_case(MODEL, request_bytes=1, max_tokens=1, now=now)
    assert not get_snapshot().from_auto_update
