"""``manage.py backfill``: years of a series, page by page, politely, and on from where a killed run stood."""

import json
import signal
import time
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from io import StringIO
from typing import Any
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.core.management import CommandError, call_command

from knowledge.management.commands import backfill as command
from knowledge.models import Candle, Interval, Market, Observation, Premium, SeriesInput, Source, Unit, Venue
from knowledge.pulses.bars import Bar
from knowledge.sources import macro, prices
from knowledge.sources.history import HISTORIES
from knowledge.sources.http.client import Fetched, HttpClient
from rehearsal.bodies import klines, upbit_candles
from tests import processes
from tests.factories.knowledge import NOON, make_source, make_unit
from tests.factories.series import make_series, observe
from tests.fakes.replay import Exchange, Replay
from tests.knowledge import backfill_process

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
MIDNIGHT = NOON.replace(hour=0)
SEOUL = ZoneInfo("Asia/Seoul")


class Door(HttpClient):
    """The door itself, which keeps what pauses were asked for."""

    def __init__(self) -> None:
        super().__init__(allow_private=True, user_agent="Madang-Test", now=lambda: NOON)
        self.pauses: list[float | None] = []

    def get(self, url: str, **how: Any) -> Fetched:
        self.pauses.append(how["min_interval"])
        return super().get(url, **how)


@pytest.fixture(autouse=True)
def door(monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    door = Door()
    monkeypatch.setattr(command, "http_client", lambda: door)
    with time_machine.travel(NOON, tick=False):
        yield door


def backfill(series: str, since: str) -> str:
    out = StringIO()
    call_command("backfill", series, "--from", since, stdout=out)
    return out.getvalue()


def refused(series: str, since: str = "2020-01-01") -> str:
    with pytest.raises(CommandError) as error:
        backfill(series, since)
    return str(error.value)


def asked(replay: Replay) -> list[dict[str, str]]:
    return [{name: values[0] for name, values in parse_qs(one.query).items()} for one in replay.asked]


Broken = Callable[[date], bool]


def fred(replay: Replay, broken: Broken = lambda first: False) -> None:
    """The price index of the United States, a value each month since 1960; ``broken`` requests are answered by 503."""

    def answer(exchange: Exchange) -> None:
        query = {name: values[0] for name, values in parse_qs(exchange.asked.query).items()}
        first, last = (date.fromisoformat(query[name]) for name in ("cosd", "coed"))
        months = (date(year, month, 1) for year in range(1960, 2027) for month in range(1, 13))
        lines = [f"{month},{100 + month.year}" for month in months if first <= month <= last]
        body = "\n".join(["observation_date,CPIAUCSL", *lines]).encode()
        exchange.answer(b"" if broken(first) else body, status=503 if broken(first) else 200)

    make_series("cpi-us", "CPIAUCSL", unit="index", cadence="monthly")
    make_source(
        "fred-csv",
        kind="macro",
        adapter="fred",
        url=replay.handle("/fredgraph.csv", answer),
        settings={"series": ["DGS10", "CPIAUCSL"]},
        next_fetch_at=NOON,
    )


def test_a_history_comes_in_pages_the_newest_first_and_one_at_a_time(replay: Replay) -> None:
    fred(replay)
    said = backfill("cpi-us", "1980-01-01")
    assert [page["cosd"] for page in asked(replay)] == ["2006-11-24", "1986-11-29", "1979-12-31"]
    assert {page["id"] for page in asked(replay)} == {"CPIAUCSL"}
    assert Observation.objects.count() == 46 * 12 + 11
    assert [line.split("]")[1].split()[:2] for line in said.splitlines() if "]" in line] == [
        ["43%", "2006-11-25"],
        ["85%", "1986-11-30"],
        ["100%", "1980-01-01"],
    ]
    assert "563 values new" in said
    assert Source.objects.get().next_fetch_at == NOON


def test_a_run_that_broke_off_goes_on_where_it_stood(replay: Replay) -> None:
    state = {"broken": True}
    fred(replay, broken=lambda first: state["broken"] and first < date(1986, 1, 1))
    with pytest.raises(CommandError, match="not all of it came"):
        backfill("cpi-us", "1980-01-01")
    assert Observation.objects.count() == 12 * 40
    state["broken"] = False
    backfill("cpi-us", "1980-01-01")
    assert [page["cosd"] for page in asked(replay)][3:] == ["1979-12-31"]
    assert Observation.objects.count() == 46 * 12 + 11
    assert "is stored since 1980-01-01 already" in backfill("cpi-us", "1980-01-02")
    assert len(replay.asked) == 4


@pytest.mark.django_db(transaction=True)
def test_a_killed_run_goes_on_where_it_stood_and_stores_nothing_twice(replay: Replay) -> None:
    state = {"silent": True}

    def silent(first: date) -> bool:
        while state["silent"] and len(replay.asked) > 1 and not replay.stopping.wait(0.01):
            pass
        return False

    fred(replay, broken=silent)
    process = processes.start(backfill_process.backfill, "cpi-us", "1980-01-01")
    while len(replay.asked) < 2:  # the second page is asked for once the first is stored
        assert process.wait(0) is None
        time.sleep(0.01)
    process.kill()
    assert process.wait(0) == -signal.SIGKILL
    state["silent"] = False
    stored = list(Observation.objects.order_by("at").values_list("at", "value", "revision"))
    assert 200 < len(stored) < 260  # twenty years of months
    assert Source.objects.get().next_fetch_at > NOON, "the dead one's claim lapses by itself"
    del replay.asked[:]
    backfill("cpi-us", "1980-01-01")
    oldest = stored[0][0].astimezone(ZoneInfo("America/New_York"))
    assert next(page["coed"] for page in asked(replay)) == f"{oldest:%Y-%m-%d}"
    assert Observation.objects.filter(revision=1, newest=True).count() == Observation.objects.count()
    periods = list(Observation.objects.order_by("at").values_list("period", flat=True))
    last = date.fromisoformat(f"{periods[-1]}-01")
    months = (f"{year}-{month:02}" for year in range(1980, 2027) for month in range(1, 13))
    assert periods == [month for month in months if month <= f"{last:%Y-%m}"]
    assert (
        list(Observation.objects.order_by("at").values_list("at", "value", "revision"))[-len(stored) :]
        == stored
    )


def test_values_that_are_there_stay_and_the_change_over_the_year_follows(replay: Replay) -> None:
    fred(replay)
    make_series("cpi-us-yoy", "year:cpi-us", cadence="monthly")
    backfill("cpi-us", "2020-01-01")
    assert Observation.objects.filter(input__key="year:cpi-us").count() == 83 - 12
    assert Observation.objects.filter(revision__gt=1).count() == 0


def market(asset: Unit, venue: Venue, replay: Replay, answer: Callable[[Exchange], None]) -> Market:
    symbol, adapter, path = {
        Venue.UPBIT: ("KRW-BTC", "upbit_candles", "/candles/days"),
        Venue.BINANCE: ("BTCUSDT", "binance_klines", "/klines"),
    }[venue]
    replay.handle(path, answer)
    for interval in ("1h", "1d"):
        url = replay.url("")
        make_source(
            f"{adapter}-{interval}".replace("_", "-"),
            adapter=adapter,
            url=url,
            settings={"interval": interval},
        )
    return Market.objects.create(venue=venue, symbol=symbol, asset=asset)


def days(first: datetime, until: datetime, price: float) -> list[Bar]:
    count = max(0, (until - first) // DAY)
    return [Bar(first + n * DAY, price, price, price, price, 1.0) for n in range(count)]


def test_a_price_gets_its_day_bars_at_both_venues_back_to_its_listing(replay: Replay, door: Door) -> None:
    bitcoin = make_unit("btc", "비트코인", symbol="BTC")
    make_series("price-btc", "upbit:KRW-BTC", holder=bitcoin, unit="KRW", redistributable=False)
    listed = MIDNIGHT - 250 * DAY

    def upbit(exchange: Exchange) -> None:
        before = datetime.fromisoformat(parse_qs(exchange.asked.query)["to"][0])
        bars = [bar for bar in days(listed, MIDNIGHT, 143_000_000.0) if bar.at < before]
        exchange.answer(upbit_candles(bars[-200:], days=True))

    def binance(exchange: Exchange) -> None:
        start = datetime.fromtimestamp(
            int(parse_qs(exchange.asked.query)["startTime"][0]) / 1000, NOON.tzinfo
        )
        exchange.answer(klines(days(max(start, listed), MIDNIGHT, 100_000.0), step=DAY))

    market(bitcoin, Venue.UPBIT, replay, upbit)
    market(bitcoin, Venue.BINANCE, replay, binance)
    said = backfill("price-btc", "2020-01-01")
    assert said.count("250 values new") == 2
    assert Candle.objects.filter(interval=Interval.DAY).count() == 500
    assert replay.count("/candles/days") == 3  # the third is of days before it was listed
    assert replay.count("/klines") == 2
    assert set(door.pauses) == {prices.MIN_INTERVAL}


def test_premiums_come_from_stored_bars_and_rates_dated_by_the_bars_close() -> None:
    bitcoin = make_unit("btc", "비트코인", symbol="BTC")
    make_series("kimchi-premium", "premium:btc")
    make_series("usd-krw", "731Y001/0000001", "USDKRW", unit="KRW")
    for venue, price in ((Venue.UPBIT, 143_000_000.0), (Venue.BINANCE, 100_000.0)):
        where = Market.objects.create(venue=venue, symbol=venue, asset=bitcoin)
        bars = days(MIDNIGHT - 400 * DAY, MIDNIGHT - (2 * DAY if venue == Venue.BINANCE else 0 * DAY), price)
        Candle.objects.bulk_create(
            Candle(
                market=where,
                interval="1d",
                at=bar.at,
                open=price,
                high=price,
                low=price,
                close=price,
                volume=1,
            )
            for bar in bars
        )
    for back in (398, 397, 396, 300):
        observe("731Y001/0000001", (NOON - back * DAY).astimezone(SEOUL).replace(hour=0), 1_400.0)
    said = backfill("kimchi-premium", "2025-01-01")
    # Each rate counts for four days after it; the one before the weekend of 396 for those that have none.
    assert Premium.objects.count() == 3 + 3 + 4
    first = Premium.objects.order_by("at")[0]
    assert first.at == MIDNIGHT - 398 * DAY == first.upbit_at == first.binance_at
    assert first.value == pytest.approx(143_000_000 / (100_000 * 1_400) - 1)
    assert Observation.objects.filter(input__key="premium:btc").count() == Premium.objects.count()
    assert "10 premiums new" in said
    assert "0 premiums new" in backfill("kimchi-premium", "2025-01-01")


def test_a_market_that_was_closed_has_its_part_in_the_history_of_the_premium() -> None:
    bitcoin = make_unit("btc", "비트코인", symbol="BTC")
    make_series("kimchi-premium", "premium:btc")
    make_series("usd-krw", "USDKRW", unit="KRW")
    observe("USDKRW", MIDNIGHT - 4 * DAY, 1_400.0)
    # It was listed again under the same ticker three days ago, with a bar of the day on which it had gone.
    spans = {None: range(1, 4), NOON - 3 * DAY: range(3, 6)}
    for venue, price in ((Venue.UPBIT, 143_000_000.0), (Venue.BINANCE, 100_000.0)):
        for delisted_at, ages in spans.items():
            where = Market.objects.create(venue=venue, symbol=venue, asset=bitcoin, delisted_at=delisted_at)
            numbers = dict.fromkeys(("open", "high", "low", "close"), price)
            Candle.objects.bulk_create(
                Candle(market=where, interval="1d", at=MIDNIGHT - age * DAY, volume=1, **numbers)
                for age in ages
            )
    assert "5 premiums new" in backfill("kimchi-premium", "2026-01-01")


def test_what_cannot_be_filled_in_is_said_in_a_sentence() -> None:
    make_series("bitcoin-fee-fast", "bitcoin.fee.fastest")
    make_series("cpi-us-yoy", "year:cpi-us")
    assert "has no history to fill in" in refused("bitcoin-fee-fast")
    assert "is calculated from cpi-us: run `manage.py backfill cpi-us" in refused("cpi-us-yoy")
    nearest = refused("bitcoin-fees")
    assert nearest.startswith("no series bitcoin-fees. The nearest are bitcoin-fee-fast, ")
    assert "that is no date" in refused("cpi-us-yoy", "gestern")
    assert "must lie between 1900-01-01 and today" in refused("cpi-us-yoy", "2027-01-01")
    assert "must lie between" in refused("cpi-us-yoy", "1066-10-14")


def test_a_key_that_is_missing_is_named(settings: Any) -> None:
    settings.ECOS_API_KEY = ""
    make_series("bok-base-rate", "722Y001/0101000")
    series = [{"stat": "722Y001", "item": "0101000", "cycle": "D"}]
    make_source("ecos", kind="macro", adapter="ecos", url="https://bank.example", settings={"series": series})
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("backfill", "bok-base-rate", "--from", "2020-01-01", stdout=out)
    assert "needs a key: set ECOS_API_KEY" in out.getvalue()


def test_where_each_source_is_asked_for_its_past() -> None:
    first, last = datetime(2019, 3, 1, tzinfo=SEOUL), datetime(2020, 3, 1, tzinfo=SEOUL)
    source = Source(url="https://source.example/api", settings={"interval": "1d"})
    wanted = {"stat": "901Y009", "item": "0", "cycle": "M"}
    assert macro.ecos_history(source, wanted, first, last).endswith("/1/10000/901Y009/M/201903/202003/0")
    pair = {"base": "USD", "quote": "KRW"}
    assert macro.frankfurter_history(source, pair, first, last).split("/")[-1] == (
        "2019-02-28..2020-02-29?base=USD&symbols=KRW"
    )
    assert "api_key={key}" in macro.fred_history(source, "DGS10", first, last)
    assert urlsplit(prices.upbit_history(source, "KRW-BTC", first, last)).query == (
        "market=KRW-BTC&count=200&to=2020-02-29T15%3A00%3A00Z"
    )
    hashrates = HISTORIES["mempool_space"].address(source, "v1/mining/hashrate/all", first, last)
    assert hashrates == "https://source.example/api/v1/mining/hashrate/all"


def test_the_chain_s_history_is_one_answer_of_which_the_asked_series_is_kept(replay: Replay) -> None:
    for slug, key in (("bitcoin-hashrate", "bitcoin.hashrate"), ("bitcoin-difficulty", "bitcoin.difficulty")):
        make_series(slug, key, unit="H/s")
    day = int((NOON - 900 * DAY).timestamp())
    body = {
        "hashrates": [{"timestamp": day + n * 86_400, "avgHashrate": 6e20} for n in range(800)],
        "difficulty": [{"time": day, "difficulty": 9e13}],
        "currentHashrate": 7e20,
        "currentDifficulty": 1e14,
    }
    replay.serve("/v1/mining/hashrate/all", json.dumps(body).encode())
    paths = ["v1/fees/recommended"]
    make_source("mempool", adapter="mempool_space", url=replay.url(""), settings={"paths": paths})
    assert "799 values new" in backfill("bitcoin-hashrate", "2024-06-04")
    assert list(SeriesInput.objects.exclude(observations=None).values_list("key", flat=True).distinct()) == [
        "bitcoin.hashrate"
    ]


def test_the_history_of_fear_and_greed_is_one_answer_too(replay: Replay) -> None:
    make_series("fear-greed", unit="index", least=0, most=100)
    make_series("other", "other")
    midnight = int(MIDNIGHT.timestamp())
    rows = [{"value": str(n % 100), "timestamp": str(midnight - n * 86_400)} for n in range(900)]

    def answer(exchange: Exchange) -> None:
        limit = int(parse_qs(exchange.asked.query)["limit"][0])
        body = {"name": "index", "data": rows[:limit] if limit else rows, "metadata": {"error": None}}
        exchange.answer(json.dumps(body).encode())

    url = replay.handle("/fng/", answer)
    source = make_source("fng", kind="macro", adapter="alternative_me", url=f"{url}?limit=31")
    observe("fear-greed", MIDNIGHT, 0.0, period=f"{MIDNIGHT:%Y-%m-%d}")
    SeriesInput.objects.update(source=source)
    assert "799 values new" in backfill("fear-greed", f"{MIDNIGHT - 799 * DAY:%Y-%m-%d}")
    assert asked(replay) == [{"limit": "0"}]
    assert "has no history to fill in" in refused("other")
