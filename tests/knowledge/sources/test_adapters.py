"""The list of adapters, and what is true of all of them."""

import contextlib
import dataclasses
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from knowledge.invisible import visible
from knowledge.sources.adapters import ADAPTERS
from knowledge.sources.base import CandleItem, DocumentItem, ObservationItem, SourceItem
from knowledge.sources.errors import Cause, SourceError
from knowledge.sources.http import redaction
from knowledge.sources.http.client import Fetched, HttpClient, http_client
from tests.fakes.replay import Replay
from tests.knowledge.sources.reading import read, unsaved

EACH = pytest.mark.parametrize("adapter", ADAPTERS)


class OneBody(HttpClient):
    """A client for which every address has the same body."""

    def __init__(self, fetched: Fetched) -> None:
        super().__init__(allow_private=False, user_agent="")
        self._fetched = fetched

    def get(self, url: str, **options: object) -> Fetched:
        return self._fetched


def test_the_adapters_have_their_names() -> None:
    assert " ".join(ADAPTERS) == (
        "youtube_rss rss upbit_notices bithumb_notices ecos fred frankfurter upbit_candles binance_klines "
        "upbit_tickers binance_tickers upbit_markets mempool_space defillama alternative_me"
    )


@EACH
def test_an_adapter_that_has_parts_can_read_one(adapter: str) -> None:
    assert bool(ADAPTERS[adapter].parts) == (ADAPTERS[adapter].address is not None)


@EACH
@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE html><html><body>Just a moment</body></html>",
        b"Internal Server Error",
        b"{}",
        b"null",
        b"\x00\xff" * 9,
    ],
)
def test_no_adapter_takes_another_page_for_no_news(
    adapter: str, body: bytes, replay: Replay, make_http: Callable[..., HttpClient]
) -> None:
    url = replay.serve("/anything", body, content_type="text/html")
    with pytest.raises(SourceError) as caught:
        read(unsaved(adapter, url), make_http())
    assert caught.value.cause in get_args(Cause)


@EACH
def test_not_modified_gives_no_items_and_no_error(adapter: str, make_fetched: Callable[..., Fetched]) -> None:
    http = OneBody(make_fetched(b"", status=304, not_modified=True))
    assert read(unsaved(adapter, "https://x.example/"), http) == []


NAMES = [
    *(
        "date",
        "value",
        "rates",
        "base",
        "observations",
        "row",
        "StatisticSearch",
        "notices",
        "data",
        "success",
    ),
    *("id", "title", "market", "hashrates", "difficulty", "tvl", "totalCirculatingUSD"),
]
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=12,
)
BODIES = st.binary(max_size=200) | JSON_VALUES.map(lambda value: json.dumps(value).encode())


@EACH
@hypothesis_settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(body=BODIES)
def test_any_body_gives_items_or_a_source_error(
    adapter: str, body: bytes, make_fetched: Callable[..., Fetched]
) -> None:
    http = OneBody(make_fetched(body))
    with contextlib.suppress(SourceError):
        items = read(unsaved(adapter, "https://x.example/a"), http)
        json.dumps([item.as_json() for item in items], allow_nan=False)


@pytest.mark.parametrize(
    "item",
    [
        DocumentItem(
            "1\0", "https://x.example/\0", "제목\u202e", "요약\0", lang="k\0o", published_raw="\0today"
        ),
        ObservationItem("DGS\00010", datetime(2026, 9, 1, tzinfo=UTC), 1.0, "%\0"),
        CandleItem("BTC\0USDT", "1h", datetime(2026, 9, 1, tzinfo=UTC), 1.0, 1.0, 1.0, 1.0, 1.0),
    ],
    ids=lambda item: type(item).__name__,
)
def test_no_item_holds_a_character_that_draws_nothing(item: SourceItem) -> None:
    texts = [value for value in dataclasses.asdict(item).values() if isinstance(value, str)]
    assert texts == list(map(visible, texts))
    assert all(texts[:2])


def test_every_key_that_an_adapter_sends_is_masked() -> None:
    assert {adapter.key_setting for adapter in ADAPTERS.values()} - {""} <= set(redaction.SETTINGS)


def test_the_process_has_one_door_with_the_settings_of_the_service(settings: Any, replay: Replay) -> None:
    settings.SERVICE_NAME, settings.CONTACT_EMAIL = "Tester", "hello@madang.example"
    settings.BASE_URL = "https://madang.example"
    settings.FETCH_ALLOW_PRIVATE = False
    url = replay.serve("/feed", b"<rss/>")
    with pytest.raises(SourceError, match="forbidden_address"):
        http_client().get(url)
    settings.FETCH_ALLOW_PRIVATE = True
    assert http_client() is http_client()
    assert http_client().get(url).body == b"<rss/>"
    agent = "Tester/1.0 (+https://madang.example/about; hello@madang.example)"
    assert replay.last("/feed").headers["user-agent"] == agent
