import math
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.pulses.bursts import Burst, detect_bursts, poisson_tail
from knowledge.pulses.headlines import Headline, agreed_direction
from tests.factories.candles import MONDAY

NOW = MONDAY + timedelta(days=1)
TITLES = [
    "누리 코인 급락",
    "누리 20% 폭락",
    "누리 추락…이유는",
    "누리 투매에 하락",
    "누리 급락 후폭풍",
    "누리 신저가",
]


def documents(
    count: int, *, start: datetime = MONDAY, every: int = 5, outlets: int = 5, titles: list[str] | None = None
) -> list[Headline]:
    words = titles or TITLES
    return [
        Headline(
            at=start + timedelta(minutes=every * place),
            outlet=f"매체 {place % outlets}",
            title=f"{words[place % len(words)]} {place}",
        )
        for place in range(count)
    ]


def bursts_of(docs: list[Headline], now: datetime = NOW, **options: object) -> list[Burst]:
    return detect_bursts(docs, unit="asset:nuri", now=now, **options)  # type: ignore[arg-type]


def test_five_reports_in_half_an_hour_on_a_unit_nobody_writes_about_are_a_burst() -> None:
    [burst] = bursts_of(documents(5))
    assert (burst.count, burst.outlets, burst.direction) == (5, 5, "down")
    assert burst.started_at == MONDAY


def test_four_reports_may_still_be_chance() -> None:
    # Even at the least rate of .3 they come about once in 3,800 windows, which is more than one in 10,000.
    assert bursts_of(documents(4)) == []


def test_two_outlets_are_none_however_much_they_write() -> None:
    assert bursts_of(documents(12, outlets=2)) == []


def test_four_reports_over_a_day_are_none() -> None:
    assert bursts_of(documents(6, every=240)) == []


def test_a_wire_story_printed_by_five_papers_is_one_report() -> None:
    copies = [
        Headline(MONDAY + timedelta(minutes=place), f"매체 {place}", f"[속보] 누리 코인, 급락{'…' * place}")
        for place in range(5)
    ]
    assert bursts_of(copies) == []


def test_what_is_usual_at_this_hour_is_no_burst() -> None:
    usual = [doc for day in range(1, 15) for doc in documents(5, start=MONDAY - timedelta(days=day))]
    distinct = [Headline(doc.at, doc.outlet, f"{doc.title} {place}") for place, doc in enumerate(usual)]
    assert bursts_of([*distinct, *documents(5)], since=MONDAY) == []
    at_night = [Headline(doc.at + timedelta(hours=12), doc.outlet, doc.title) for doc in distinct]
    assert len(bursts_of([*at_night, *documents(5)], since=MONDAY)) == 1


def test_days_before_the_sources_were_read_do_not_count_as_silent() -> None:
    yesterday = [
        Headline(doc.at, doc.outlet, f"어제 {doc.title}")
        for doc in documents(5, start=MONDAY - timedelta(days=1))
    ]
    seen = [*yesterday, *documents(5)]
    assert len(bursts_of(seen)) == 2
    assert bursts_of(seen, since=MONDAY, observed_since=MONDAY - timedelta(days=1, hours=2)) == []


def test_a_burst_ends_after_two_calm_hours() -> None:
    [open_still] = bursts_of(documents(5), now=MONDAY + timedelta(hours=3))
    [ended] = bursts_of(documents(5))
    assert open_still.ended_at is None
    assert ended.ended_at is not None
    # One report is no surprise: the window is calm 90 minutes after the fourth, and over two hours later.
    calm_from = MONDAY + timedelta(minutes=15 + 90)
    assert timedelta(0) <= ended.ended_at - calm_from - timedelta(hours=2) <= timedelta(minutes=10)


def test_more_of_the_same_story_is_the_same_burst() -> None:
    [burst] = bursts_of(
        [*documents(6), *documents(3, start=MONDAY + timedelta(minutes=61), titles=["누리 속보"])]
    )
    assert burst.count == 9
    assert len(burst.headlines) == 9


def test_a_second_burst_may_follow_the_first() -> None:
    later = documents(5, start=MONDAY + timedelta(hours=12), titles=["누리 반등", "누리 급등", "누리 상승"])
    first, second = bursts_of([*documents(5), *later])
    assert (first.direction, second.direction) == ("down", "up")
    assert first.id != second.id


def test_headlines_without_a_direction_make_an_event_and_no_pulse() -> None:
    [burst] = bursts_of(documents(5, titles=["누리 재단 발표", "누리 로드맵 공개", "누리 새 대표"]))
    assert burst.direction is None


@pytest.mark.parametrize(
    ("titles", "direction"),
    [
        (["A coin plunges", "A coin crashes 20%", "Sell-off hits A coin"], "down"),
        (["급등", "폭등", "반등", "급락"], "up"),
        (["급등", "폭등", "급락", "폭락"], None),
        (["급등", "폭등"], None),
        (["급등 뒤 급락"] * 5, None),
        ([], None),
    ],
)
def test_a_direction_needs_three_headlines_and_three_quarters(
    titles: list[str], direction: str | None
) -> None:
    assert agreed_direction(titles) == direction


def test_prefixes_and_punctuation_do_not_tell_headlines_apart() -> None:
    def words(title: str) -> str:
        return Headline(NOW, "한들일보", title).words

    assert words("[속보] 누리, 10% 급락…") == words("누리 10% 급락(종합)")
    assert words("[단독]") != ""


@given(st.integers(0, 60), st.floats(0.01, 80))
def test_the_tail_agrees_with_the_sum_of_what_is_below(count: int, rate: float) -> None:
    below = math.fsum(math.exp(k * math.log(rate) - rate - math.lgamma(k + 1)) for k in range(count))
    assert poisson_tail(count, rate) == pytest.approx(1 - below, abs=1e-9)
    assert poisson_tail(count + 1, rate) <= poisson_tail(count, rate) + 1e-12


def test_a_tail_too_small_for_a_difference_is_still_not_zero() -> None:
    assert 0 < poisson_tail(100, 0.3) < 1e-200


@given(st.permutations(documents(8)))
def test_the_order_in_which_documents_came_does_not_matter(shuffled: list[Headline]) -> None:
    assert bursts_of(shuffled) == bursts_of(documents(8))
