"""Candles and documents in the database become pulses: once, whatever is run again, and as editors left them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from knowledge import curation
from knowledge.linking.store import link_documents
from knowledge.models import (
    Candle,
    ClusterDocument,
    ClusterStatus,
    DetectorRun,
    EventCluster,
    Interval,
    Market,
    Pulse,
    PulseKind,
    Status,
    Unit,
    Venue,
)
from knowledge.pulses.bars import DAY, HOUR, Bar
from knowledge.pulses.burst_recording import record_bursts
from knowledge.pulses.detector import PulseEvent, detect
from knowledge.pulses.recording import deduplicate, record_price_pulses
from tests.factories.candles import after_calm, bars_of, calm
from tests.factories.knowledge import make_document, make_source, make_unit

pytestmark = pytest.mark.django_db

ONE_HOUR = timedelta(hours=1)
FALL = (100.0, 88.0, 88.0)
NOW = datetime(2026, 11, 20, 3, tzinfo=UTC)
VOLUME = 1_000_000.0  # well above half a billion won a day


@pytest.fixture
def bitcoin() -> Unit:
    return make_unit("btc", "비트코인", symbol="BTC")


def market(asset: Unit, venue: Venue = Venue.UPBIT) -> Market:
    symbol = "KRW-BTC" if venue == Venue.UPBIT else "BTCUSDT"
    return Market.objects.create(venue=venue, symbol=symbol, asset=asset)


def store(where: Market, bars: Iterable[Bar], interval: Interval = Interval.HOUR) -> None:
    Candle.objects.bulk_create(
        Candle(
            market=where,
            interval=interval,
            at=bar.at,
            open=bar.open,
            high=bar.high,
            low=bar.low,
            close=bar.close,
            volume=bar.volume,
        )
        for bar in bars
    )


def hours(*closes: float, until: datetime = NOW) -> list[Bar]:
    """A calm market, then these closes, the last of them at ``until``."""
    every = [*calm(), *closes]
    return bars_of(every, start=until - len(every) * ONE_HOUR, volume=VOLUME)


def rows() -> list[dict[str, object]]:
    return [dict(row) for row in Pulse.objects.order_by("pk").values()]


def test_a_fall_becomes_a_published_pulse_with_its_sources(bitcoin: Unit) -> None:
    store(market(bitcoin), hours(*FALL))
    assert record_price_pulses(now=NOW) == 1
    pulse = Pulse.objects.published().get()
    assert (pulse.asset, pulse.direction, pulse.kind, pulse.magnitude_pct) == (
        bitcoin,
        "down",
        PulseKind.PRICE,
        -12.0,
    )
    assert (pulse.started_at, pulse.detected_at) == (NOW - 2 * ONE_HOUR, NOW - ONE_HOUR)
    assert pulse.summary.startswith("비트코인")
    assert pulse.summary_en.startswith("BTC")
    (source,) = pulse.sources
    assert source["url"].startswith("https://api.upbit.com/v1/candles/minutes/60?market=KRW-BTC&to=")


def test_a_rerun_changes_nothing(bitcoin: Unit) -> None:
    store(market(bitcoin), hours(*FALL))
    record_price_pulses(now=NOW)
    before = rows()
    assert record_price_pulses(now=NOW) == 0
    assert record_price_pulses(now=NOW + timedelta(minutes=30)) == 0
    assert rows() == before


def test_bars_one_by_one_end_as_all_at_once(bitcoin: Unit) -> None:
    bars = hours(100.0, 88.0, 87.0, 80.0, 95.0, 96.0, 96.0, 110.0, 111.0)
    where = market(bitcoin)
    for bar in bars:
        store(where, [bar])
        record_price_pulses(now=bar.at + ONE_HOUR)
    step_by_step = [{**row, "id": 0} for row in rows()]
    Pulse.objects.all().delete()
    record_price_pulses(now=bars[-1].at + ONE_HOUR)
    assert [{**row, "id": 0} for row in rows()] == step_by_step
    assert len(step_by_step) >= 2


def test_a_bar_that_is_still_open_says_nothing(bitcoin: Unit) -> None:
    store(market(bitcoin), hours(100.0, 88.0))
    assert record_price_pulses(now=NOW - timedelta(minutes=1)) == 0


def test_an_editors_retraction_survives_every_rerun(bitcoin: Unit) -> None:
    where = market(bitcoin)
    store(where, hours(*FALL))
    record_price_pulses(now=NOW)
    Pulse.objects.update(status=Status.RETRACTED)
    store(where, bars_of([70.0, 70.0], start=NOW, volume=VOLUME))
    assert record_price_pulses(now=NOW + 2 * ONE_HOUR) == 1, (
        "the move went on, so its row is brought up to date"
    )
    pulse = Pulse.objects.get()
    assert (pulse.status, pulse.magnitude_pct < -20) == (Status.RETRACTED, True)
    assert not Pulse.objects.published().exists()


def test_hour_and_day_bars_do_not_tell_one_move_twice(bitcoin: Unit) -> None:
    where = market(bitcoin)
    midnight = NOW.replace(hour=0)
    store(where, hours(*FALL, until=midnight))
    every = [*calm(120), 88.0]
    days = bars_of(every, start=midnight - len(every) * timedelta(days=1), interval=DAY, volume=24 * VOLUME)
    store(where, days, Interval.DAY)
    record_price_pulses(now=NOW)
    assert [row["horizon_hours"] for row in rows()] == [1]


def test_day_bars_alone_tell_of_a_move(bitcoin: Unit) -> None:
    midnight = NOW.replace(hour=0)
    every = [*calm(120), 88.0]
    days = bars_of(every, start=midnight - len(every) * timedelta(days=1), interval=DAY, volume=24 * VOLUME)
    store(market(bitcoin), days, Interval.DAY)
    record_price_pulses(now=NOW)
    (row,) = rows()
    assert (row["direction"], row["horizon_hours"]) == ("down", 24)
    assert "candles/days" in row["sources"][0]["url"]  # type: ignore[index]


def event(bars: Sequence[Bar], interval: str, **fields: object) -> PulseEvent:
    (found,) = detect(bars, asset="asset:btc", interval=HOUR, now=bars[-1].at + ONE_HOUR)
    return replace(found, interval=interval, **fields)  # type: ignore[arg-type]


def test_what_is_detected_first_tells_and_a_half_larger_move_extends_it() -> None:
    daily = event(after_calm(90.0), DAY.name, id="day", magnitude_pct=-10.0)
    later = daily.detected_at + 5 * ONE_HOUR
    shift = {"id": "hour", "detected_at": later, "started_at": later - ONE_HOUR, "extended_at": later}
    small = replace(daily, interval=HOUR.name, magnitude_pct=-14.0, **shift)  # type: ignore[arg-type]
    large = replace(small, magnitude_pct=-15.0)
    upward = replace(small, direction="up", magnitude_pct=14.0)
    assert deduplicate([small, daily]) == [daily]
    (extended,) = deduplicate([large, daily])
    assert (extended.id, extended.detected_at, extended.magnitude_pct) == ("day", daily.detected_at, -15.0)
    assert deduplicate([upward, daily]) == [daily, upward]


def test_the_korean_market_leads_and_the_other_confirms(bitcoin: Unit) -> None:
    store(market(bitcoin, Venue.BINANCE), hours(*FALL))
    record_price_pulses(now=NOW)
    assert "binance" in Pulse.objects.get().sources[0]["url"]
    Pulse.objects.all().delete()
    store(market(bitcoin), hours(*FALL))
    record_price_pulses(now=NOW)
    confirmed = Pulse.objects.get()
    assert ("upbit" in confirmed.sources[0]["url"], confirmed.scope) == (True, "global")


def test_a_renamed_assets_market_pulses_for_the_one_that_stands(bitcoin: Unit) -> None:
    old = make_unit("xbt", "옛 비트코인")
    store(market(old), hours(*FALL))
    curation.merge(old, bitcoin, now=NOW)
    record_price_pulses(now=NOW)
    assert Pulse.objects.published().get().asset == bitcoin


def test_an_absurd_bar_of_one_market_silences_no_other(bitcoin: Unit) -> None:
    ether = make_unit("eth", "이더리움")
    theirs = Market.objects.create(venue=Venue.UPBIT, symbol="KRW-ETH", asset=ether)
    store(theirs, hours(*FALL))
    Candle.objects.filter(at=NOW - 9 * ONE_HOUR).update(high=1e300)
    store(market(bitcoin), hours(*FALL))
    record_price_pulses(now=NOW)
    assert {pulse.asset for pulse in Pulse.objects.all()} == {bitcoin, ether}


def test_delisted_markets_are_history(bitcoin: Unit) -> None:
    where = market(bitcoin)
    store(where, hours(*FALL))
    Market.objects.update(delisted_at=NOW)
    assert record_price_pulses(now=NOW) == 0


def test_documents_around_the_move_are_linked_and_withdrawn_ones_are_not(bitcoin: Unit) -> None:
    store(market(bitcoin), hours(*FALL))
    paper = make_source()
    near = [
        make_document(paper, str(n), title=f"비트코인 급락 {n}", published_at=NOW - ONE_HOUR)
        for n in range(7)
    ]
    make_document(paper, "hidden", title="비트코인 급락", published_at=NOW - 3 * ONE_HOUR, withdrawn=True)
    link_documents([*near])
    record_price_pulses(now=NOW)
    urls = [source["url"] for source in Pulse.objects.get().sources]
    assert urls[1:] == [document.url for document in near[:5]]


# Bursts


def report(place: int, title: str = "비트코인 급락, 하락 폭 커져", at: datetime = NOW - ONE_HOUR) -> None:
    source = make_source(f"outlet-{place}", name=f"매체 {place}")
    document = make_document(
        source,
        title=f"{title} {place}보",
        published_at=at + timedelta(minutes=place),
        url=f"https://x.example/{place}",
    )
    link_documents([document])
    cluster = EventCluster.objects.create(
        label=document.title, first_document_at=at, last_document_at=at, status=ClusterStatus.GATHERING
    )
    ClusterDocument.objects.create(cluster=cluster, document=document)


def history() -> None:
    """Somebody has listened for weeks."""
    make_document(
        make_source("old"),
        "old",
        title="오래된 글",
        published_at=NOW - timedelta(days=40),
        fetched_at=NOW - timedelta(days=40),
    )


def test_a_burst_makes_candidates_of_its_clusters_even_without_a_price(bitcoin: Unit) -> None:
    history()
    for place in range(6):
        report(place)
    assert record_bursts(now=NOW) == 0
    assert set(EventCluster.objects.values_list("status", flat=True)) == {ClusterStatus.OPEN}
    assert not Pulse.objects.exists()


def burst_with_price(bitcoin: Unit, *closes: float) -> Market:
    history()
    where = market(bitcoin)
    store(where, hours(*closes, until=NOW))
    for place in range(6):
        report(place)
    return where


def test_a_burst_is_a_pulse_when_price_and_headlines_agree(bitcoin: Unit) -> None:
    burst_with_price(bitcoin, 100.0, 100.0, 97.5)
    assert record_bursts(now=NOW + ONE_HOUR) == 1
    pulse = Pulse.objects.get()
    assert (pulse.kind, pulse.direction, pulse.magnitude_pct < 0) == (PulseKind.BURST, "down", True)
    assert len(pulse.sources) == 5
    before = rows()
    assert record_bursts(now=NOW + ONE_HOUR) == 0
    assert rows() == before


@pytest.mark.parametrize("closes", [(100.0, 100.0, 103.0), (100.0, 100.0, 100.0)], ids=["rises", "stands"])
def test_a_burst_that_the_price_does_not_follow_is_no_pulse(closes: tuple[float, ...], bitcoin: Unit) -> None:
    burst_with_price(bitcoin, *closes)
    assert record_bursts(now=NOW + ONE_HOUR) == 0


def test_the_price_extends_a_bursts_pulse_and_opens_no_second_one(bitcoin: Unit) -> None:
    where = burst_with_price(bitcoin, 100.0, 100.0, 97.5)
    record_bursts(now=NOW + ONE_HOUR)
    burst = Pulse.objects.get()
    store(where, bars_of([97.5, 84.0], start=NOW, volume=VOLUME))
    for _run in range(2):
        record_price_pulses(now=NOW + 2 * ONE_HOUR)
        record_bursts(now=NOW + 2 * ONE_HOUR)
    pulse = Pulse.objects.get()
    assert (pulse.key, pulse.detected_at) == (burst.key, burst.detected_at)
    assert (pulse.kind, pulse.magnitude_pct < -10) == (PulseKind.PRICE, True)
    assert record_price_pulses(now=NOW + 2 * ONE_HOUR) == 0


def test_a_price_pulse_says_more_than_the_burst_about_it(bitcoin: Unit) -> None:
    burst_with_price(bitcoin, *FALL)
    record_price_pulses(now=NOW)
    record_bursts(now=NOW + ONE_HOUR)
    assert [row["kind"] for row in rows()] == [PulseKind.PRICE]


def test_reading_many_markets_takes_a_fixed_number_of_queries_each(
    bitcoin: Unit, django_assert_max_num_queries: object
) -> None:
    store(market(bitcoin), hours(*FALL))
    record_price_pulses(now=NOW)
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        record_price_pulses(now=NOW)


def test_each_run_is_noted_with_its_markets(bitcoin: Unit) -> None:
    record_price_pulses(now=NOW - timedelta(minutes=5))
    store(market(bitcoin), hours(*FALL))
    record_price_pulses(now=NOW)
    run = DetectorRun.objects.get()
    assert (run.ran_at, run.markets) == (NOW, 1)
