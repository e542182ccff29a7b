from dataclasses import replace
from datetime import timedelta

import pytest

from knowledge.pulses.bars import DAY, HOUR, Bar
from knowledge.pulses.detector import MarketContext, PulseEvent, detect
from knowledge.pulses.headlines import Headline
from tests.factories.candles import CALM_HOURS, MONDAY, after_calm, bars_of, calm, changed

FIRST = MONDAY + CALM_HOURS * HOUR.step  # the opening of the first bar after the calm


def pulses_of(bars: list[Bar], **context: object) -> list[PulseEvent]:
    return detect(bars, asset="ACME", interval=HOUR, context=MarketContext(**context))  # type: ignore[arg-type]


def test_a_five_percent_hour_in_a_calm_market_is_a_pulse() -> None:
    [pulse] = pulses_of(after_calm(105, 105))
    assert (pulse.direction, pulse.magnitude_pct, pulse.horizon_hours, pulse.extremum) == (
        "up",
        5.0,
        1,
        "close",
    )
    assert (pulse.started_at, pulse.detected_at) == (FIRST, FIRST + timedelta(hours=1))
    assert pulse.ended_at is None


def test_a_fall_has_a_negative_magnitude() -> None:
    [pulse] = pulses_of(after_calm(94))
    assert (pulse.direction, pulse.magnitude_pct) == ("down", -6.0)


def test_three_percent_in_an_hour_is_no_pulse() -> None:
    assert pulses_of(after_calm(103)) == []


def test_a_five_percent_hour_in_a_wild_market_is_no_pulse() -> None:
    wild = [100 * (1.03 if place % 2 else 1.0) for place in range(CALM_HOURS - 1)] + [100]
    assert pulses_of(bars_of([*wild, 105])) == []


def test_forty_seven_bars_are_too_few_to_know_what_is_usual() -> None:
    assert pulses_of(bars_of([*calm(47), 120])) == []
    assert len(pulses_of(bars_of([*calm(48), 120]))) == 1


def test_a_slow_fall_shows_over_a_day_and_not_over_an_hour() -> None:
    [pulse] = pulses_of(after_calm(*(100 - 0.55 * hour for hour in range(1, 21))))
    assert (pulse.direction, pulse.horizon_hours) == ("down", 24)
    assert pulse.magnitude_pct == pytest.approx(-10.45)


def test_a_wick_counts_only_from_two_and_a_half_times_the_floor() -> None:
    assert pulses_of(changed(after_calm(100), -1, low=91)) == []
    [pulse] = pulses_of(changed(after_calm(100), -1, low=66))
    assert (pulse.direction, pulse.extremum, pulse.magnitude_pct) == ("down", "low", -34.0)


def test_a_high_wick_is_a_rise() -> None:
    [pulse] = pulses_of(changed(after_calm(100.2), -1, high=130))
    assert (pulse.direction, pulse.extremum, pulse.price) == ("up", "high", 130)


def test_a_second_move_of_the_same_size_is_absorbed() -> None:
    [pulse] = pulses_of(after_calm(106, 106, 112.4))
    assert pulse.magnitude_pct == 6.0


def test_a_move_half_as_large_again_extends_the_pulse_under_its_old_name() -> None:
    [before] = pulses_of(after_calm(106))
    [after] = pulses_of(after_calm(106, 112, 119))
    assert after.id == before.id
    assert (after.started_at, after.detected_at) == (before.started_at, before.detected_at)
    assert (after.magnitude_pct, after.horizon_hours) == (19.0, 4)
    assert after.extended_at == FIRST + timedelta(hours=3)


def test_the_opposite_direction_opens_at_once() -> None:
    fall, rise = pulses_of(after_calm(90, 99))
    assert (fall.direction, rise.direction) == ("down", "up")
    assert rise.started_at == fall.started_at + timedelta(hours=1)


def test_a_crash_still_in_the_window_does_not_hide_its_rebound() -> None:
    bars = changed(after_calm(60, 66), -1, low=58)
    assert [pulse.direction for pulse in pulses_of(bars)] == ["down", "up"]


def test_a_pulse_ends_a_day_after_its_last_extension() -> None:
    [open_still] = pulses_of(after_calm(106, *[106.0] * 23))
    [ended] = pulses_of(after_calm(106, *[106.0] * 24))
    assert open_still.ended_at is None
    assert ended.ended_at == ended.detected_at + timedelta(hours=24)


def test_a_pulse_that_keeps_growing_ends_after_three_days() -> None:
    growing = [104.5, *[104.5] * 22, 112.4, *[112.4] * 22, 126.0, *[126.0] * 22, 151.0, *[151.0] * 30]
    [pulse] = pulses_of(after_calm(*growing))
    assert pulse.extended_at - pulse.detected_at == timedelta(hours=69)
    assert pulse.ended_at == pulse.started_at + timedelta(hours=72)


def test_the_same_direction_opens_again_only_after_a_quiet_day() -> None:
    early = pulses_of(after_calm(106, *[106.0] * 22, 112.5))
    late = pulses_of(after_calm(106, *[106.0] * 24, 112.5))
    assert len(early) == 1
    assert len(late) == 2
    assert late[1].detected_at - late[0].detected_at > timedelta(hours=24)


def test_the_three_day_window_does_not_tell_an_ended_pulse_again() -> None:
    fallen = [*calm(), 80, 81, 80, 81, 80, 81]
    assert len(detect(bars_of(fallen, interval=DAY), asset="ACME", interval=DAY)) == 1


def test_a_fall_that_doubles_after_the_first_pulse_ended_is_told_again() -> None:
    bars = bars_of([*calm(), 90, 90, 79], interval=DAY)
    first, second = detect(bars, asset="ACME", interval=DAY)
    assert (first.magnitude_pct, second.magnitude_pct) == (-10.0, -12.22)
    assert second.detected_at - first.detected_at > timedelta(hours=24)


def test_day_bars_have_horizons_of_one_and_three_days() -> None:
    [one] = detect(bars_of([*calm(), 110], interval=DAY), asset="ACME", interval=DAY)
    [three] = detect(bars_of([*calm(), 105, 110, 116], interval=DAY), asset="ACME", interval=DAY)
    assert (one.horizon_hours, three.horizon_hours) == (24, 72)
    assert three.magnitude_pct == 16.0


def test_nothing_is_measured_across_an_outage() -> None:
    jumped = bars_of([*calm(), 130])
    for missing, found in ((3, 1), (4, 0)):
        late = replace(jumped[-1], at=jumped[-1].at + missing * HOUR.step)
        assert len(pulses_of([*jumped[:-1], late])) == found


def test_the_first_two_days_of_a_listing_are_noise() -> None:
    bars = after_calm(130)
    listed_at = bars[-1].at - timedelta(hours=47)
    assert pulses_of(bars, listed_at=listed_at) == []
    assert len(pulses_of(bars, listed_at=listed_at - timedelta(hours=1))) == 1


@pytest.mark.parametrize(("value", "found"), [(20_000_000.0, 0), (21_000_000.0, 1)])
def test_a_market_with_less_than_half_a_billion_won_a_day_is_too_thin(value: float, found: int) -> None:
    bars = [replace(bar, value=value) for bar in after_calm(130)]
    assert len(pulses_of(bars)) == found


def test_a_stablecoin_is_news_at_one_percent() -> None:
    bars = bars_of([1400 * (1.0001 if place % 2 else 1.0) for place in range(CALM_HOURS)] + [1383])
    assert pulses_of(bars) == []
    [pulse] = pulses_of(bars, stablecoin=True)
    assert (pulse.direction, round(pulse.magnitude_pct, 1)) == ("down", -1.2)


def test_after_a_collapse_the_size_is_capped_and_doubted() -> None:
    bars = bars_of([*calm(), *[0.5] * 60, 2.0], volume=10)
    rise = pulses_of(bars)[-1]
    assert (rise.direction, rise.magnitude_pct, rise.collapsed) == ("up", 300.0, False)
    bars = bars_of([*calm(), *[0.05] * 60, 0.2], volume=10)
    rise = pulses_of(bars)[-1]
    assert (rise.direction, rise.magnitude_pct, rise.collapsed) == ("up", 100.0, True)
    assert rise.confidence < 0.3


def test_a_bar_still_open_is_left_out() -> None:
    bars = after_calm(105)
    closes_at = bars[-1].at + HOUR.step
    assert detect(bars, asset="ACME", interval=HOUR, now=closes_at - timedelta(seconds=1)) == []
    assert len(detect(bars, asset="ACME", interval=HOUR, now=closes_at)) == 1


def test_a_name_depends_on_asset_direction_and_first_bar() -> None:
    bars = after_calm(106)
    [one] = detect(bars, asset="ACME", interval=HOUR)
    [other] = detect(bars, asset="OTHER", interval=HOUR)
    [later] = detect(after_calm(100, 106), asset="ACME", interval=HOUR)
    assert len({one.id, other.id, later.id}) == 3


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"at": MONDAY.replace(tzinfo=None)}, "zone"),
        ({"close": 0.0}, "prices"),
        ({"high": float("nan")}, "prices"),
        ({"open": float("inf")}, "prices"),
        ({"low": 101.0}, "below the low"),
        ({"volume": -1.0}, "volume"),
    ],
)
def test_a_bar_that_no_market_has_is_refused(fields: dict[str, object], message: str) -> None:
    good = Bar(MONDAY, 100.0, 100.0, 100.0, 100.0, 1.0)
    with pytest.raises(ValueError, match=message):
        replace(good, **fields)  # type: ignore[arg-type]


# Confidence: the formula in the design, worked out by hand for a move of z = 5 (no credit for its size).


def confidence_of(bars: list[Bar], **context: object) -> float:
    return pulses_of(bars, **context)[-1].confidence


def test_more_volume_makes_surer() -> None:
    usual = after_calm(106)
    assert confidence_of(changed(usual, -1, volume=80.0)) > confidence_of(changed(usual, -1, volume=20.0))


def test_thin_volume_costs_three_tenths() -> None:
    # |z| > 12, so size counts full: 1 - .7 * .55 = .615; ratio 1 gives no volume credit and the factor .7.
    assert confidence_of(after_calm(106)) == pytest.approx(0.43, abs=0.005)


def test_an_unknown_volume_neither_helps_nor_harms() -> None:
    assert confidence_of(after_calm(106, volume=0.0)) == pytest.approx(0.61, abs=0.01)


def test_a_second_venue_that_moved_alike_confirms_the_pulse() -> None:
    bars, elsewhere = after_calm(106), after_calm(104)
    [alone] = pulses_of(bars)
    [confirmed] = pulses_of(bars, second_venue=elsewhere)
    assert (alone.scope, confirmed.scope) == ("unknown", "global")
    assert confirmed.confidence > alone.confidence


def test_a_second_venue_that_stayed_where_it_was_makes_the_pulse_local() -> None:
    [pulse] = pulses_of(after_calm(106), second_venue=after_calm(103.5))
    assert pulse.scope == "local"


def test_a_second_venue_without_the_bar_says_nothing() -> None:
    [pulse] = pulses_of(after_calm(106), second_venue=after_calm(106)[:-1])
    assert pulse.scope == "unknown"


def test_outlets_count_once_each_and_only_within_two_hours() -> None:
    bars = after_calm(106, volume=0.0)
    near, far = FIRST + timedelta(hours=2), FIRST + timedelta(hours=3, minutes=1)
    twice = [Headline(near, "한들일보"), Headline(near, "한들일보")]
    two = [Headline(near, "한들일보"), Headline(near, "새벽경제")]
    late = [Headline(near, "한들일보"), Headline(far, "새벽경제")]
    assert confidence_of(bars, headlines=two) > confidence_of(bars, headlines=twice)
    assert confidence_of(bars, headlines=late) == confidence_of(bars, headlines=twice)


def test_documents_and_venues_change_no_pulse_but_its_confidence_and_scope() -> None:
    bars = after_calm(106, 90, 99, 140)
    headlines = [Headline(FIRST, "한들일보")]
    plain = pulses_of(bars)
    told = pulses_of(bars, headlines=headlines, second_venue=bars)
    assert [replace(pulse, confidence=0, scope="unknown") for pulse in told] == [
        replace(pulse, confidence=0, scope="unknown") for pulse in plain
    ]
