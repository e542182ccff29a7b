"""When bars are asked for, of which markets, and what a day costs the exchanges."""

import hashlib
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from knowledge.canon import loader
from knowledge.ingestion import runs
from knowledge.models import Candle, FetchRun, Market, Observation, Premium, SeriesInput, Source, Venue
from knowledge.pulses.bars import DAY as DAYS
from knowledge.pulses.bars import HOUR as HOURS
from knowledge.series import bars, premium
from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import Fetched, HttpClient, Validators
from rehearsal.bodies import binance_tickers, klines, upbit_candles, upbit_markets, upbit_tickers
from tests.factories.candles import bars_of
from tests.factories.knowledge import make_unit
from tests.factories.series import make_series, observe

pytestmark = pytest.mark.django_db

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
MIDNIGHT = datetime(2026, 11, 20, tzinfo=UTC)  # the end of an exchange's day
SYMBOLS = ("AAA", "BBB", "CCC")


class Exchanges(HttpClient):
    """Upbit and Binance in memory, which count what they are asked for by host and path."""

    def __init__(self, *symbols: str) -> None:
        super().__init__(allow_private=False, user_agent="")
        self.symbols, self.moment, self.down = symbols, MIDNIGHT, ""
        self.asked: Counter[str] = Counter()

    def get(self, url: str, *, validators: Validators | None = None, **options: Any) -> Fetched:
        parts = urlsplit(url)
        self.asked[f"{parts.hostname} {parts.path.split('/', 2)[-1]}"] += 1
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if self.down and self.down in parts.query:
            raise SourceError("timeout", "nobody answers")
        body = self._body(parts.path, query)
        kept = Validators(body_sha256=hashlib.sha256(body).hexdigest())
        return Fetched(200, body, {}, url, url, self.moment, kept == validators, validators=kept)

    def _body(self, path: str, query: dict[str, str]) -> bytes:
        if path.endswith("market/all"):
            return upbit_markets(*(f"KRW-{symbol}" for symbol in self.symbols))
        if path.endswith("ticker/all"):
            return upbit_tickers(
                *((f"KRW-{symbol}", 7.0, 9.0, min(self.moment, MIDNIGHT)) for symbol in self.symbols)
            )
        if path.endswith("ticker/24hr"):
            return binance_tickers(
                *((f"{symbol}USDT", 0.005, min(self.moment, MIDNIGHT)) for symbol in self.symbols)
            )
        rules = DAYS if query.get("interval") == "1d" or path.endswith("days") else HOURS
        last_three = MIDNIGHT + ((self.moment - MIDNIGHT) // rules.step - 3) * rules.step
        found = bars_of([7.0, 7.1, 7.2], start=last_three, interval=rules)
        if path.endswith("klines"):
            return klines(found, step=rules.step)
        return upbit_candles(found, market=query["market"], days=rules is DAYS)


def price_sources() -> None:
    """The sources of prices as the starter canon has them."""
    path = next(path for path in loader.starter_paths() if path.stem == "sources")
    rows = [row for row in loader.read(path)["sources"] if row["kind"] == "price"]
    loader.load([{"sources": rows}], now=MIDNIGHT)


def run_due(exchanges: Exchanges, now: datetime) -> None:
    exchanges.moment = now
    for source in Source.objects.due(now).select_related("creator").order_by("-slug"):
        runs.ingest(source, now=now, http=exchanges)


def run_until(exchanges: Exchanges, now: datetime, end: datetime) -> None:
    """As beat does, which looks every minute; minutes in which nothing is due are skipped."""
    while now < end:
        run_due(exchanges, now)
        due = min(Source.objects.values_list("next_fetch_at", flat=True), default=None) or now
        now = max(due, now + MINUTE)


def test_a_day_costs_the_exchanges_what_the_documents_state() -> None:
    price_sources()
    make_unit("aaa", "AAA", symbol="AAA")
    exchanges, markets = Exchanges("AAA"), 1
    run_until(exchanges, MIDNIGHT - HOUR, MIDNIGHT)
    assert not FetchRun.objects.exclude(cause="")
    exchanges.asked.clear()
    run_until(exchanges, MIDNIGHT, MIDNIGHT + DAY)
    assert exchanges.asked == {
        "api.upbit.com ticker/all": 144,
        "api.upbit.com market/all": 24,
        "api.upbit.com candles/days": markets,
        "api.upbit.com candles/minutes/60": 24 * markets,
        "data-api.binance.vision v3/ticker/24hr": 144,
        "data-api.binance.vision v3/klines": markets + 24 * markets,
    }
    assert not FetchRun.objects.exclude(cause="")


def upbit_days(**fields: Any) -> Source:
    given = {"interval": "1d"} | fields
    return Source.objects.create(
        slug="days", kind="price", adapter="upbit_candles", url="https://api.upbit.com/v1", settings=given
    )


def markets(*symbols: str) -> None:
    for symbol in symbols:
        unit = make_unit(symbol.lower(), symbol, symbol=symbol)
        Market.objects.create(venue=Venue.UPBIT, symbol=f"KRW-{symbol}", asset=unit)


def test_more_markets_than_fit_into_a_run_are_asked_for_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "DAYS_AT_ONCE", 2)
    markets(*SYMBOLS)
    source, exchanges = upbit_days(), Exchanges(*SYMBOLS)
    run_due(exchanges, MIDNIGHT + HOUR)
    source.refresh_from_db()
    assert source.next_fetch_at == MIDNIGHT + HOUR + MINUTE
    run_due(exchanges, source.next_fetch_at)
    source.refresh_from_db()
    assert exchanges.asked["api.upbit.com candles/days"] == 3
    assert source.next_fetch_at == MIDNIGHT + DAY + 10 * MINUTE


def test_a_market_that_did_not_answer_is_asked_again_before_the_next_day() -> None:
    markets(*SYMBOLS)
    source, exchanges = upbit_days(), Exchanges(*SYMBOLS)
    exchanges.down = "KRW-BBB"
    run_due(exchanges, MIDNIGHT + HOUR)
    source.refresh_from_db()
    assert source.next_fetch_at == MIDNIGHT + HOUR + timedelta(minutes=source.interval_minutes)
    exchanges.down = ""
    run_due(exchanges, source.next_fetch_at)
    assert exchanges.asked["api.upbit.com candles/days"] == 4
    assert set(Candle.objects.values_list("market__symbol", flat=True)) == {
        f"KRW-{symbol}" for symbol in SYMBOLS
    }


def test_without_a_market_bars_are_looked_for_again_soon() -> None:
    source, exchanges = upbit_days(), Exchanges()
    run_due(exchanges, MIDNIGHT)
    source.refresh_from_db()
    assert source.next_fetch_at == MIDNIGHT + 10 * MINUTE
    assert FetchRun.objects.get().detail == "no market waits for bars"
    assert not exchanges.asked


def test_the_close_of_a_day_is_a_price_of_the_moment_at_which_the_day_ends() -> None:
    markets("AAA")
    tickers = Source.objects.create(slug="t", kind="price", adapter="upbit_tickers", url="https://x.example")
    former = Market.objects.get()
    numbers = dict.fromkeys(("open", "high", "low", "close"), 5.0)
    Candle.objects.create(market=former, interval="1d", at=MIDNIGHT - 90 * DAY, volume=1, **numbers)
    observe("upbit:KRW-AAA", MIDNIGHT + HOUR, 8.0)
    SeriesInput.objects.update(source=tickers)
    upbit_days()
    run_due(Exchanges("AAA"), MIDNIGHT + HOUR)
    points = Observation.objects.order_by("at").values_list("at", "value")
    assert [(at, float(value)) for at, value in points] == [
        (MIDNIGHT - 89 * DAY, 5.0),
        (MIDNIGHT - 2 * DAY, 7.0),
        (MIDNIGHT - DAY, 7.1),
        (MIDNIGHT, 7.2),
        (MIDNIGHT + HOUR, 8.0),
    ]
    assert Observation.objects.latest("at").input.source == tickers  # readers are told of the tickers


def test_a_source_that_names_its_markets_goes_on_asking_for_these() -> None:
    make_unit("aaa", "AAA", symbol="AAA")
    source = upbit_days(markets=[{"symbol": "KRW-AAA", "asset": "asset:aaa"}])
    exchanges = Exchanges("AAA")
    run_due(exchanges, MIDNIGHT + HOUR)
    source.refresh_from_db()
    assert exchanges.asked["api.upbit.com candles/days"] == 1
    assert Market.objects.get().symbol == "KRW-AAA"
    assert source.next_fetch_at == MIDNIGHT + HOUR + timedelta(minutes=source.interval_minutes)


def test_an_asset_of_which_only_days_are_asked_for_has_a_premium_of_each_day() -> None:
    make_series("usd-krw", "USDKRW", unit="KRW")
    observe("USDKRW", MIDNIGHT - DAY, 1_400.0)
    unit = make_unit("aaa", "AAA", symbol="AAA")
    for venue, price in ((Venue.UPBIT, 7.7), (Venue.BINANCE, 0.005)):
        numbers = dict.fromkeys(("open", "high", "low", "close"), price)
        market = Market.objects.create(venue=venue, symbol=f"{venue}-AAA", asset=unit)
        Candle.objects.create(market=market, interval="1d", at=MIDNIGHT - DAY, volume=1, **numbers)
    assert premium.record_all(now=MIDNIGHT + HOUR) == 1
    assert (Premium.objects.get().at, Premium.objects.get().value) == (MIDNIGHT, pytest.approx(0.1))
    assert premium.record_all(now=MIDNIGHT + 7 * HOUR) == 0  # it closed too long ago
