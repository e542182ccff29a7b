from dataclasses import replace
from datetime import timedelta
from itertools import accumulate, combinations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.pulses.bars import HOUR, Bar
from knowledge.pulses.detector import Detector, MarketContext, PulseEvent, detect
from tests.factories.candles import bars_of, calm

SMALL = st.integers(-4, 4).map(lambda mille: mille / 1000)
LARGE = st.integers(-300, 450).map(lambda mille: mille / 1000)
MOVES = st.lists(st.one_of(SMALL, SMALL, SMALL, LARGE), min_size=1, max_size=110)
WICKS = st.dictionaries(st.integers(0, 110), st.tuples(st.floats(1, 1.6), st.floats(0.5, 1)), max_size=8)
property_of_markets = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)


@st.composite
def markets(draw: st.DrawFn) -> list[Bar]:
    """Two calm days and then anything."""
    moves = draw(MOVES)
    closes = list(accumulate(moves, lambda price, move: price * (1 + move), initial=100.0))
    bars = bars_of([*calm(), *closes])
    for place, (above, below) in draw(WICKS).items():
        if place < len(closes):
            bar = bars[len(calm()) + place]
            bars[len(calm()) + place] = replace(bar, high=bar.high * above, low=bar.low * below)
    return bars


def found(bars: list[Bar]) -> list[PulseEvent]:
    return detect(bars, asset="ACME", interval=HOUR)


@property_of_markets
@given(markets())
def test_fed_one_by_one_or_all_at_once_or_again_the_pulses_are_the_same(bars: list[Bar]) -> None:
    detector = Detector("ACME", HOUR, MarketContext())
    for bar in bars:
        detector.feed(bar)
    assert detector.pulses == found(bars) == found(bars)


@property_of_markets
@given(markets(), st.data())
def test_what_comes_later_does_not_change_what_was_detected(bars: list[Bar], data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(bars)))
    known_at = bars[cut - 1].at + HOUR.step
    early = [(pulse.id, pulse.detected_at) for pulse in found(bars[:cut])]
    late = [(pulse.id, pulse.detected_at) for pulse in found(bars) if pulse.detected_at <= known_at]
    assert early == late


@property_of_markets
@given(markets(), st.data())
def test_order_and_doubles_do_not_matter(bars: list[Bar], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(bars))
    doubled = [*shuffled, *data.draw(st.lists(st.sampled_from(bars), max_size=20))]
    assert found(doubled) == found(bars)


@property_of_markets
@given(markets(), st.integers(-20, 20))
def test_the_currency_does_not_matter(bars: list[Bar], power: int) -> None:
    # Powers of two scale floats exactly, so that nothing at a threshold falls to the other side.
    factor = 2.0**power
    scaled = [
        Bar(bar.at, bar.open * factor, bar.high * factor, bar.low * factor, bar.close * factor, bar.volume)
        for bar in bars
    ]
    shape = [(p.id, p.magnitude_pct, p.confidence, p.ended_at) for p in found(scaled)]
    assert shape == [(p.id, p.magnitude_pct, p.confidence, p.ended_at) for p in found(bars)]


@property_of_markets
@given(markets())
def test_no_direction_opens_twice_within_a_day_and_none_lives_over_three(bars: list[Bar]) -> None:
    pulses = found(bars)
    for one, other in combinations(pulses, 2):
        if one.direction == other.direction:
            assert other.detected_at - one.detected_at > timedelta(hours=24)
    for pulse in pulses:
        assert pulse.started_at < pulse.detected_at <= pulse.extended_at <= pulse.ends_by
        assert pulse.ends_by - pulse.started_at <= timedelta(hours=72)
        assert pulse.ended_at in (None, pulse.ends_by)


@property_of_markets
@given(markets())
def test_a_pulse_is_as_large_as_its_words_say(bars: list[Bar]) -> None:
    for pulse in found(bars):
        assert (pulse.magnitude_pct > 0) == (pulse.direction == "up")
        assert abs(pulse.magnitude_pct) >= 4
        assert pulse.magnitude_pct >= -100
        assert 0 < pulse.confidence <= 1
        assert pulse.horizon_hours in (1, 4, 24)


@property_of_markets
@given(markets(), st.sets(st.integers(0, 169)))
def test_missing_bars_raise_no_error_and_no_pulse_out_of_nothing(bars: list[Bar], missing: set[int]) -> None:
    left = [bar for place, bar in enumerate(bars) if place not in missing]
    largest = max((bar.high for bar in left), default=1) / min((bar.low for bar in left), default=1)
    if largest < 1.04:
        assert found(left) == []
    else:
        assert all(pulse.started_at in {bar.at for bar in left} for pulse in found(left))


@settings(max_examples=25, deadline=None)
@given(st.floats(1e-6, 1e9), st.integers(0, 400))
def test_a_flat_market_has_no_pulse(price: float, count: int) -> None:
    flat = bars_of([price] * count)
    assert found(flat) == []
    assert detect(flat, asset="ACME", interval=HOUR, context=MarketContext(stablecoin=True)) == []
