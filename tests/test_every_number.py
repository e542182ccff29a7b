"""Every number of the canon, end to end: sources are read through the outbound door, readers are told what they say.

What is expected was read from the payloads by hand. The first world is invented; the second one, where it is on this
machine, is recorded from real sources, each at a time of its own.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client

from knowledge import publications, tasks
from knowledge.canon import loader
from knowledge.models import FetchRun, Market, Series, SeriesInput, Source
from knowledge.pulses.bars import Bar
from rehearsal.bodies import klines, rates, upbit_candles
from tests.fakes.replay import Replay, replay_server

__all__ = ["replay_server"]

pytestmark = pytest.mark.django_db

RECORDED = Path(__file__).parent / "recorded"
NINE_IN_THE_EVENING = datetime(2026, 9, 1, 12, tzinfo=UTC)  # 21:00 in Seoul
OF_NUMBERS = ("macro", "price", "onchain")
ASSETS = ("btc", "eth", "shib")
BANK, CHAIN, OWN = "한국은행 경제통계시스템", "mempool.space", "Madang"
TVL, SUPPLY = "DefiLlama 총예치금", "DefiLlama 스테이블코인 공급량"


class Number(NamedTuple):
    """What readers are told of a series, the value to the digit."""

    value: str
    unit: str
    at: str
    period: str | None
    decimals: int
    source: str
    stale: bool = False


def now_in_seoul(value: str, unit: str, decimals: int = 0, source: str = CHAIN) -> Number:
    """What is dated by the time at which it was asked for."""
    return Number(value, unit, "2026-09-01T21:00:00+09:00", None, decimals, source)


NUMBERS = {
    "usd-krw": Number("1362.5", "KRW", "2026-09-01T00:00:00+09:00", "2026-09-01", 2, BANK),
    "bok-base-rate": Number("2.75", "%", "2026-09-01T00:00:00+09:00", "2026-09-01", 2, BANK),
    "cpi-korea": Number("118.94", "index", "2026-07-01T00:00:00+09:00", "2026-07", 2, BANK),
    "cpi-korea-yoy": Number("2.1", "%", "2026-07-01T00:00:00+09:00", "2026-07", 1, OWN),
    # Midnight in New York.
    "cpi-us": Number("330.421", "index", "2026-07-01T13:00:00+09:00", "2026-07", 3, "FRED"),
    "cpi-us-yoy": Number("2.6", "%", "2026-07-01T13:00:00+09:00", "2026-07", 1, OWN),
    "fed-funds-target": Number("3.5", "%", "2026-09-01T13:00:00+09:00", "2026-09-01", 2, "FRED"),
    "us-10y": Number("4.25", "%", "2026-09-01T13:00:00+09:00", "2026-09-01", 2, "FRED"),
    "broad-dollar": Number("119.7342", "index", "2026-08-28T13:00:00+09:00", "2026-08-28", 4, "FRED"),
    "bitcoin-hashrate": now_in_seoul("1250000000000000000000", "H/s"),
    "bitcoin-difficulty": now_in_seoul("150000000000000", "1"),
    "bitcoin-retarget-change": now_in_seoul("-3.2", "%", 2),
    "bitcoin-retarget-progress": now_in_seoul("44.5", "%", 2),
    "bitcoin-retarget-remaining-blocks": now_in_seoul("1119", "blocks"),
    "bitcoin-height": now_in_seoul("964545", "blocks"),
    "bitcoin-fee-fast": now_in_seoul("12", "sat/vB", 2),
    "bitcoin-fee-half-hour": now_in_seoul("8", "sat/vB", 2),
    "bitcoin-fee-hour": now_in_seoul("5", "sat/vB", 2),
    "bitcoin-fee-economy": now_in_seoul("2", "sat/vB", 2),
    "bitcoin-fee-minimum": now_in_seoul("1", "sat/vB", 2),
    "bitcoin-mempool-size": now_in_seoul("1500000", "vB"),
    "bitcoin-mempool-count": now_in_seoul("4321", "transactions"),
    "bitcoin-mempool-fees": now_in_seoul("22000000", "sat"),
    # Days begin at midnight UTC; today's is still growing.
    "defi-tvl": Number("102000000000", "USD", "2026-08-31T09:00:00+09:00", "2026-08-31", 0, TVL),
    "stablecoin-supply": Number("310", "USD", "2026-08-31T09:00:00+09:00", "2026-08-31", 0, SUPPLY),
    "fear-greed": Number("41", "index", "2026-09-01T09:00:00+09:00", "2026-09-01", 0, "alternative.me"),
    # 151,000,000 / (110,333.33 x 1,362.5) - 1 and 0.0124 / (0.0000089 x 1,362.5) - 1, of the hour that closed at nine.
    "kimchi-premium": now_in_seoul("0.45", "%", 2, OWN),
    "kimchi-premium-shib": now_in_seoul("2.26", "%", 2, OWN),
    "price-btc": Number("151050000", "KRW", "2026-09-01T20:59:59+09:00", None, 8, "업비트"),
    "price-shib": Number("0.01234", "KRW", "2026-09-01T20:59:50+09:00", None, 8, "업비트"),
    "trading-value-btc": Number("212345678901", "KRW", "2026-09-01T20:59:59+09:00", None, 0, "업비트"),
    "trading-value-shib": Number("1234567890", "KRW", "2026-09-01T20:59:50+09:00", None, 0, "업비트"),
}

NOTHING = b"[]"
ECOS = "/ecos.bok.or.kr/api/StatisticSearch/ecos-key/json/kr/1/10000"
FRED = "/api.stlouisfed.org/fred/series/observations"
FRED_TABLE = "/fred.stlouisfed.org/graph/fredgraph.csv"
UPBIT, BINANCE, MEMPOOL = "/api.upbit.com/v1", "/data-api.binance.vision/api/v3", "/mempool.space/api"
FRED_QUERY = "file_type=json&observation_start=2020-01-01&api_key=fred-key"
# What is answered at each address. Each is asked for once, and no other.
ANSWERS: Mapping[str, str | bytes] = {
    f"{ECOS}/722Y001/D/20200101/21001231/0101000": "ecos/base_rate_days.json",
    f"{ECOS}/731Y001/D/20200101/21001231/0000001": "ecos/usd_krw_days.json",
    f"{ECOS}/901Y009/M/202001/210012/0": "ecos/cpi_months.json",
    f"{FRED}?series_id=DGS10&{FRED_QUERY}": "fred/observations.json",
    f"{FRED}?series_id=DFEDTARU&{FRED_QUERY}": "fred/dfedtaru.json",
    f"{FRED}?series_id=CPIAUCSL&{FRED_QUERY}": "fred/cpiaucsl.json",
    f"{FRED}?series_id=DTWEXBGS&{FRED_QUERY}": "fred/dtwexbgs.json",
    # Four months before what the other interface has told.
    f"{FRED_TABLE}?id=DGS10&cosd=2026-05-03": "fred/fredgraph.csv",
    f"{FRED_TABLE}?id=DFEDTARU&cosd=2026-05-04": "fred/dfedtaru.csv",
    f"{FRED_TABLE}?id=CPIAUCSL&cosd=2026-03-03": "fred/cpiaucsl.csv",
    f"{FRED_TABLE}?id=DTWEXBGS&cosd=2026-04-30": "fred/dtwexbgs.csv",
    "/api.frankfurter.dev/v1/2020-01-01..?base=USD&symbols=KRW": "frankfurter/timeseries.json",
    "/api.alternative.me/fng/?limit=31": "alternative_me/index.json",
    f"{MEMPOOL}/v1/fees/recommended": "mempool_space/fees.json",
    f"{MEMPOOL}/mempool": "mempool_space/mempool.json",
    f"{MEMPOOL}/v1/difficulty-adjustment": "mempool_space/difficulty.json",
    f"{MEMPOOL}/v1/mining/hashrate/1m": "mempool_space/hashrate.json",
    f"{MEMPOOL}/blocks/tip/height": "mempool_space/tip_height.txt",
    "/api.llama.fi/v2/historicalChainTvl": "defillama/tvl.json",
    "/stablecoins.llama.fi/stablecoincharts/all": "defillama/stablecoins.json",
    f"{UPBIT}/market/all?is_details=true": "upbit_markets/markets.json",
    f"{UPBIT}/ticker/all?quote_currencies=KRW": "upbit_tickers/tickers.json",
    f"{UPBIT}/candles/minutes/60?market=KRW-BTC&count=200": "upbit_candles/hours.json",
    f"{UPBIT}/candles/minutes/60?market=KRW-SHIB&count=200": "upbit_candles/hours_of_shib.json",
    f"{UPBIT}/candles/days?market=KRW-BTC&count=200": "upbit_candles/days.json",
    f"{UPBIT}/candles/days?market=KRW-SHIB&count=200": NOTHING,
    f"{BINANCE}/ticker/24hr": "binance_tickers/tickers.json",
    f"{BINANCE}/klines?symbol=BTCUSDT&interval=1h&limit=1000": "binance_klines/hours.json",
    f"{BINANCE}/klines?symbol=SHIBUSDT&interval=1h&limit=1000": "binance_klines/hours_of_shib.json",
    f"{BINANCE}/klines?symbol=BTCUSDT&interval=1d&limit=1000": NOTHING,
    f"{BINANCE}/klines?symbol=SHIBUSDT&interval=1d&limit=1000": NOTHING,
}


def canon(name: str, kind: str = "") -> list[dict[str, Any]]:
    """The records of a file of the starter canon."""
    (path,) = (path for path in loader.starter_paths() if path.stem == name)
    records: list[dict[str, Any]] = loader.read(path)[kind or name]
    return records


@pytest.fixture
def of_the_canon(settings: Any, replay: Replay) -> None:
    """The series of the canon with what holds them, and the sources of numbers, at this machine's own server."""
    settings.FETCH_ALLOW_PRIVATE = True
    settings.ECOS_API_KEY, settings.FRED_API_KEY = "ecos-key", "fred-key"
    series = canon("series")
    holders = {f"asset:{slug}" for slug in ASSETS} | {record["holder"] for record in series}
    units = [unit for unit in canon("assets", "units") if f"asset:{unit['slug']}" in holders]
    units += [unit for unit in canon("topics", "units") if f"topic:{unit['slug']}" in holders]
    sources = [record for record in canon("sources") if record["kind"] in OF_NUMBERS]
    loader.load([{"units": units, "sources": sources, "series": series}], now=NINE_IN_THE_EVENING)
    for source in Source.objects.all():
        source.url = replay.url("/" + source.url.removeprefix("https://"))
        source.save()


@contextmanager
def standing_still(at: datetime) -> Iterator[None]:
    with time_machine.travel(at, tick=False):
        yield


def ingest(*sources: str) -> None:
    """Run these sources, or all that are due; whatever failed of one is shown."""
    known = set(FetchRun.objects.values_list("pk", flat=True))
    out = StringIO()
    try:
        call_command("ingest", *sources, stdout=out)
    finally:
        failed = FetchRun.objects.exclude(pk__in=known).exclude(cause="")
        assert not [(run.source.slug, run.detail) for run in failed.select_related("source")], out.getvalue()


def told(client: Client, now: datetime) -> dict[str, Number]:
    """What readers are told of each series that has a value."""
    publications.build(now=now, names=["series"], force=True)
    publications.publication_cache.clear()
    response = client.get("/api/series.json")
    rows = json.loads(response.content, parse_float=str, parse_int=str)["series"]
    decimals = dict(Series.objects.values_list("slug", "decimals"))
    return {
        slug: Number(
            row["latest"]["value"],
            row["unit"],
            row["latest"]["at"],
            row["latest"]["period"],
            decimals[slug],
            row["source"]["label"],
            row["latest"]["stale"],
        )
        for row in rows
        if row["latest"] and (slug := row["id"].removeprefix("series:"))
    }


@pytest.mark.usefixtures("of_the_canon")
def test_every_series_of_the_canon_says_what_its_source_says(client: Client, replay: Replay) -> None:
    declared = {record["slug"].replace("<asset>", "shib") for record in canon("series")}
    assert declared <= NUMBERS.keys(), "what is added to the canon is added here, with a payload"
    for address, answer in ANSWERS.items():
        replay.serve(address, answer if isinstance(answer, bytes) else (RECORDED / answer).read_bytes())

    with standing_still(NINE_IN_THE_EVENING):
        # As the first minutes go: the markets, which of them are the largest, and then everything else.
        for first in ("upbit-markets", "binance-tickers", "upbit-tickers"):
            ingest(first)
        ingest()
        tasks.record_premiums()
        assert told(client, NINE_IN_THE_EVENING) == NUMBERS

    assert sorted(asked.target for asked in replay.asked) == sorted(ANSWERS)
    nameless = SeriesInput.objects.filter(series=None).values_list("key", flat=True)
    assert {key.partition(":")[0] for key in nameless} == {"binance"}, (
        "the dollar prices are legs of the premium"
    )


# Recorded from real sources


class Moment(NamedTuple):
    """What sources answered about one time, which of them are asked then, and what readers are told of it."""

    at: datetime
    answers: dict[str, bytes]
    sources: tuple[str, ...]
    told: dict[str, Number]


def bars(rows: Iterable[dict[str, str]]) -> list[Bar]:
    """Day bars of a table; the exchange's day begins at nine in Seoul."""
    parts = ("open", "high", "low", "close", "volume")
    return [
        Bar(
            datetime.fromisoformat(f"{row['timestamp_kst']}+09:00").astimezone(UTC),
            *(float(row[name]) for name in parts),
        )
        for row in rows
    ]


def one_hour(until: datetime, price: float) -> list[Bar]:
    """The bar that closed then at this price."""
    return [Bar(until - timedelta(hours=1), price, price, price, price, 1.0)]


def of_a_winter(samples: Path) -> Moment:
    """Both prices and the rate of a day in 2022: 20,900,000 / (16,633.47 x 1,260.92) - 1.

    The premium in the table itself was made with another rate.
    """
    at = datetime(2022, 12, 30, tzinfo=UTC)
    (row,) = last_rows(samples / "candles/kimchi_premium_daily_2019_2022.csv", 1)
    assert list(row.values())[:4] == ["2022-12-30", "20900000", "16633.47", "1,260.92"]
    answers = {
        f"{UPBIT}/candles/minutes/60": upbit_candles(one_hour(at, 20_900_000)),
        f"{BINANCE}/klines?symbol=BTCUSDT&interval=1h&limit=1000": klines(one_hour(at, 16_633.47)),
        "/api.frankfurter.dev/v1/2020-01-01..": rates(("2022-12-30", 1_260.92)),
    }
    numbers = {
        "usd-krw": Number("1260.92", "KRW", "2022-12-30T08:00:00+09:00", "2022-12-30", 2, "Frankfurter 환율"),
        "kimchi-premium": Number("-0.35", "%", "2022-12-30T09:00:00+09:00", None, 2, OWN),
    }
    return Moment(at, answers, ("frankfurter", "upbit-candles-1h", "binance-klines-1h"), numbers)


def of_new_year(samples: Path) -> Moment:
    """The day bars of bitcoin in won."""
    rows = last_rows(samples / "candles/upbit_KRW-BTC_1d_2020-01_2024-12.csv", 200)
    days = f"{UPBIT}/candles/days"
    answers = {f"{days}?market=KRW-BTC&count=200": upbit_candles(bars(rows), days=True), days: NOTHING}
    close = Number("139257000", "KRW", "2025-01-01T09:00:00+09:00", None, 8, "업비트 캔들 1d")
    at = datetime(2025, 1, 1, 0, 15, tzinfo=UTC)
    return Moment(at, answers, ("upbit-candles-1d",), {"price-btc": close})


def of_july(samples: Path) -> Moment:
    """Tickers."""
    at = "2025-07-04T14:14:00+09:00"
    numbers = {
        "price-btc": Number("148601000", "KRW", at, None, 8, "업비트"),
        "price-eth": Number("3510000", "KRW", at, None, 8, "업비트"),
        "trading-value-btc": Number("178448329315", "KRW", at, None, 0, "업비트"),
        "trading-value-eth": Number("111690309852", "KRW", at, None, 0, "업비트"),
    }
    answers = {f"{UPBIT}/ticker/all": (samples / "upbit/GetTickers.json").read_bytes()}
    return Moment(datetime(2025, 7, 4, 5, 15, tzinfo=UTC), answers, ("upbit-tickers",), numbers)


def of_september(samples: Path) -> Moment:
    """Everything else, some of which was old by then."""
    at = "2026-09-10T21:00:00+09:00"
    files = {
        f"{ECOS}/722Y001/M/202001/210012/0101000": "ecos/base_rate_722Y001_M_2021-08_2026-06.json",
        f"{FRED}?series_id=DGS10&{FRED_QUERY}": "fred/ft_fred_dgs10.json",
        f"{FRED}?series_id=DFEDTARU&{FRED_QUERY}": "fred/observations_DFEDTARU_tail.json",
        "/api.alternative.me/fng/": "alternative_me_fng/fng_limit3.json",
        # Of the same form as the recommended fees, which are all 1 in their sample.
        f"{MEMPOOL}/v1/fees/recommended": "mempool_space/v1_fees_precise.json",
        f"{MEMPOOL}/mempool": "mempool_space/mempool.json",
        f"{MEMPOOL}/v1/difficulty-adjustment": "mempool_space/v1_difficulty-adjustment.json",
        f"{MEMPOOL}/v1/mining/hashrate/1m": "mempool_space/v1_mining_hashrate.json",
        f"{MEMPOOL}/blocks/tip/height": "mempool_space/blocks_tip_height.json",
        "/api.llama.fi/v2/historicalChainTvl": "defillama/ft_defillama_tvl.json",
        "/stablecoins.llama.fi/stablecoincharts/all": "defillama/ft_defillama_stablecoins.json",
    }
    old = True
    numbers = {
        "bok-base-rate": Number("2.5", "%", "2026-06-01T00:00:00+09:00", "2026-06", 2, BANK, old),
        "us-10y": Number("4.28", "%", "2026-07-22T13:00:00+09:00", "2026-07-22", 2, "FRED", old),
        "fed-funds-target": Number("3.75", "%", "2026-07-31T13:00:00+09:00", "2026-07-31", 2, "FRED", old),
        "defi-tvl": Number("1200", "USD", "2026-07-21T09:00:00+09:00", "2026-07-21", 0, TVL, old),
        "stablecoin-supply": Number("2400", "USD", "2026-07-21T09:00:00+09:00", "2026-07-21", 0, SUPPLY, old),
        "fear-greed": Number("25", "index", "2026-09-10T09:00:00+09:00", "2026-09-10", 0, "alternative.me"),
        "bitcoin-hashrate": Number("252033247355212300000", "H/s", at, None, 0, CHAIN),
        "bitcoin-difficulty": Number("31251101365711", "1", at, None, 0, CHAIN),
        "bitcoin-retarget-change": Number("98.46", "%", at, None, 2, CHAIN),
        "bitcoin-retarget-progress": Number("44.4", "%", at, None, 2, CHAIN),
        "bitcoin-retarget-remaining-blocks": Number("1121", "blocks", at, None, 0, CHAIN),
        "bitcoin-height": Number("698767", "blocks", at, None, 0, CHAIN),
        "bitcoin-fee-fast": Number("2.02", "sat/vB", at, None, 2, CHAIN),
        "bitcoin-fee-half-hour": Number("1.09", "sat/vB", at, None, 2, CHAIN),
        "bitcoin-fee-hour": Number("0.5", "sat/vB", at, None, 2, CHAIN),
        "bitcoin-fee-economy": Number("0.2", "sat/vB", at, None, 2, CHAIN),
        "bitcoin-fee-minimum": Number("0.1", "sat/vB", at, None, 2, CHAIN),
        "bitcoin-mempool-size": Number("1891542", "vB", at, None, 0, CHAIN),
        "bitcoin-mempool-count": Number("3169", "transactions", at, None, 0, CHAIN),
        "bitcoin-mempool-fees": Number("20317481", "sat", at, None, 0, CHAIN),
    }
    answers = {path: (samples / file).read_bytes() for path, file in files.items()}
    sources = ("ecos", "fred", "alternative-me", "mempool-space", "defillama-tvl", "defillama-stablecoins")
    return Moment(datetime(2026, 9, 10, 12, tzinfo=UTC), answers, sources, numbers)


@pytest.mark.usefixtures("of_the_canon")
def test_recorded_payloads_are_told_as_they_were_recorded(
    client: Client, replay: Replay, samples: Path
) -> None:
    wanted = ("KRW-BTC", "BTCUSDT", "KRW-ETH")
    markets = [record for record in canon("markets") if record["symbol"] in wanted]
    loader.load([{"markets": markets}], now=NINE_IN_THE_EVENING)
    Market.objects.filter(asset__slug="btc").update(hourly=True)
    only_what_is_recorded("ecos", {"stat": "722Y001", "item": "0101000", "cycle": "M"})
    only_what_is_recorded("fred", "DGS10", "DFEDTARU")
    for step in (of_a_winter(samples), of_new_year(samples), of_july(samples), of_september(samples)):
        for address, body in step.answers.items():
            replay.serve(address, body)
        with standing_still(step.at):
            ingest(*step.sources)
            tasks.record_premiums()
            now_told = told(client, step.at)
        assert {slug: now_told[slug] for slug in step.told} == step.told


def only_what_is_recorded(source: str, *series: object) -> None:
    Source.objects.filter(slug=source).update(settings={"series": list(series)})


def last_rows(file: Path, count: int) -> list[dict[str, str]]:
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))[-count:]
