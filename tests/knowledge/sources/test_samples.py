"""Every recorded payload of a day-one source gives the right number of items or is refused, through the http.

The payloads stand beside the project; without them these tests are skipped.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import HttpClient
from tests.fakes.replay import Replay
from tests.knowledge.sources.reading import read, unsaved

REFUSED = "parse"

# (adapter, folder) -> file -> items, or the cause of the refusal.
EXPECTED: dict[tuple[str, str], dict[str, int | str]] = {
    ("youtube_rss", "youtube_rss"): {
        "google_2015_user_feed.xml": 15,
        "kurzgesagt_2022-03.headers.json": REFUSED,
        "kurzgesagt_2022-03.xml": 15,
        "kurzgesagt_2025.headers.json": REFUSED,
        "kurzgesagt_2025.xml": 15,
        "notavailable_404.html": REFUSED,
    },
    ("rss", "news_rss"): {
        "blockmedia_2026-08-21_public.xml": 6,
        "chardet_euckr.xml": 1,
        "euc-kr.xml": 0,  # a channel without items
        "ko_2022-08-01_donga.xml": 40,
        "ko_2022-08-01_economy_macro_crypto.xml": 44,
        "ko_2022-08-01_newsis.xml": 40,
        "korean_feed_specs.csv": REFUSED,  # a list of addresses
    },
    ("upbit_notices", "upbit_notices"): {"announcements_2026-08-21.json": 18},
    ("bithumb_notices", "bithumb_notices"): {"notices_2026-08-21.json": 3},
    ("ecos", "ecos"): {"base_rate_722Y001_M_2021-08_2026-06.json": 59},
    ("fred", "fred"): {
        "fredapi_xml_0.xml": REFUSED,  # JSON is what is asked for
        "fredapi_xml_2.xml": REFUSED,  # what a series is, not its values
        "fredapi_xml_4.xml": REFUSED,  # an error, and not XML
        "fredgraph_SP500.csv": 6,  # 7 rows, one missing
        "ft_fred_dgs10.json": 2,  # 3 rows, one missing
        "multi_series_with_missing_dot.json": REFUSED,  # somebody's digest of several answers
        "observations_DFEDTARU_tail.json": 400,
        "observations_WPU1017.json": 59,
    },
    ("frankfurter", "frankfurter"): {"usd_timeseries_2026-07.json": 18},
    ("upbit_candles", "upbit"): {
        "GetKlines.json": 1,
        "GetOrderBook.json": REFUSED,
        "GetSymbols.json": REFUSED,  # markets are no prices
        "GetTickers.json": 2,
        "GetTradeHistory.json": REFUSED,
        "market_event_flags_2026-08-22.json": REFUSED,  # somebody's digest
    },
    ("binance_klines", "binance"): {
        "GetExchangeInfo.json": REFUSED,
        "GetKlines.json": 1,
        "GetPrice.json": REFUSED,  # a price without a time
        "GetRollingWindowTicker.json": 1,
        "GetServerTime.json": REFUSED,
        "GetTicker.json": 1,
    },
    ("upbit_tickers", "upbit"): {
        "GetKlines.json": REFUSED,
        "GetOrderBook.json": REFUSED,
        "GetSymbols.json": REFUSED,
        "GetTickers.json": 4,  # a price and what was traded, of each of two
        "GetTradeHistory.json": REFUSED,
        "market_event_flags_2026-08-22.json": REFUSED,
    },
    ("upbit_markets", "upbit"): {
        "GetKlines.json": 1,  # it names a market as well
        "GetOrderBook.json": 1,
        "GetSymbols.json": 2,
        "GetTickers.json": 2,
        "GetTradeHistory.json": 1,
        "market_event_flags_2026-08-22.json": REFUSED,
    },
    ("binance_tickers", "binance"): {
        "GetExchangeInfo.json": REFUSED,
        "GetKlines.json": REFUSED,
        "GetPrice.json": REFUSED,
        "GetRollingWindowTicker.json": 1,
        "GetServerTime.json": REFUSED,
        "GetTicker.json": 1,
    },
    ("alternative_me", "alternative_me_fng"): {"fng_limit3.json": 3},
    ("mempool_space", "mempool_space"): {
        "blocks_tip_height.json": 1,
        "mempool.json": 3,
        "v1_blocks.json": REFUSED,
        "v1_difficulty-adjustment.json": 3,
        "v1_fees_mempool-blocks.json": REFUSED,
        "v1_fees_precise.json": 5,
        "v1_fees_recommended.json": 5,
        "v1_historical-price.json": REFUSED,  # prices come from exchanges
        "v1_lightning_statistics.json": REFUSED,
        "v1_mining_difficulty-adjustments.json": 3,
        "v1_mining_hashrate.json": 6,
        "v1_prices.json": REFUSED,
    },
    ("defillama", "defillama"): {
        "ft_defillama_stablecoins.json": 2,
        "ft_defillama_tvl.json": 2,
        "openapi_free_excerpt.json": REFUSED,
        "stablecoin_supply_daily_derived.json": REFUSED,  # somebody's digest
    },
}
CASES = [
    (adapter, folder, name, expected)
    for (adapter, folder), files in EXPECTED.items()
    for name, expected in files.items()
]


@pytest.mark.parametrize(
    ("adapter", "folder", "name", "expected"), CASES, ids=["-".join((case[0], case[2])) for case in CASES]
)
def test_a_recorded_payload_gives_its_items_or_its_refusal(
    adapter: str,
    folder: str,
    name: str,
    expected: int | str,
    samples: Path,
    replay: Replay,
    make_http: Callable[..., HttpClient],
) -> None:
    url = replay.serve_file(f"/{name}", samples / folder / name)
    result: int | str
    try:
        items = read(unsaved(adapter, url), make_http())
        result = len(items)
    except SourceError as error:
        result = error.cause
    assert result == expected


def test_no_recorded_payload_is_left_out(samples: Path) -> None:
    for (_adapter, folder), files in EXPECTED.items():
        found = {path.name for path in (samples / folder).iterdir()} - {"PROVENANCE.md"}
        assert found == set(files)
