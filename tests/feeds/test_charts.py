"""Charts of pages: what they draw, what they say of it, and what they leave out."""

import re
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

from feeds.charts import HINTS_MAX, Chart, ChartWords, bar_chart, line_chart, spark_of
from feeds.templatetags import plots
from knowledge.queries.charts import Point, SeriesPoint
from knowledge.queries.number_words import WORDS
from tests.factories.knowledge import NOON
from tests.factories.world import World
from tests.feeds.surfaces import text_of

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
DATES = [f"{NOON + each * DAY:%Y-%m-%d}" for each in range(3)]
WORDED = ChartWords(
    "key", "값 <b>", lambda each: f"{each.value}원", lambda each: f"{each.at:%Y-%m-%d}", WORDS["ko"]
)
CHART_MAX_BYTES = 6_000


def days(*values: float) -> list[Point]:
    return [Point(NOON + place * DAY, value) for place, value in enumerate(values)]


def line(points: list[Point]) -> Chart:
    found = line_chart(points, WORDED, step=DAY)
    assert found
    return found


def drawn(chart: Chart | None, **more: Any) -> str:
    return render_to_string("feeds/chart.html", plots.drawn(chart, **more))


def svg_of(text: str) -> str:
    """The outer drawing, with the one inside it."""
    return text[text.index("<svg") : text.rindex("</svg>")]


def test_a_chart_says_three_values_three_dates_and_each_point() -> None:
    text = drawn(line(days(1, 3, 2)), caption=True)
    svg = svg_of(text)
    labels = re.findall(r"<text[^>]*>([^<]+)</text>", svg)
    assert labels == ["3원", "1원", "2원", *DATES]
    said = re.findall(r"<rect[^>]*><title>([^<]+)</title>", svg)
    assert said == [f"{DATES[0]} 1원", f"{DATES[1]} 3원", f"{DATES[2]} 2원"]
    assert f"값 &lt;b&gt;: {DATES[0]} – {DATES[2]}, 최저 1원, 최고 3원, 마지막 2원" in svg
    assert text.count('<tr><th scope="row">') == 3
    assert "style=" not in text


def test_texts_are_never_stretched() -> None:
    svg = svg_of(drawn(line(days(1, 3, 2))))
    stretched = svg[svg.index("preserveAspectRatio") : svg.index("</svg>")]
    assert "<text" not in stretched
    assert "<circle" not in stretched
    assert svg.count("preserveAspectRatio") == 1


def test_too_little_is_not_drawn() -> None:
    assert line_chart(days(1, 2), WORDED, step=DAY) is None
    assert bar_chart(days(0, 0, 4, 5), WORDED) is None
    assert spark_of(days(1, 2)) == ""
    assert drawn(None).strip() == ""
    assert plots.calendar_strip([], "값") == ""


def test_a_line_is_broken_where_there_is_nothing() -> None:
    near = days(1, 3, 2, 5)
    late = [Point(NOON + 40 * DAY + each * DAY, value) for each, value in enumerate((4, 2, 3))]
    assert line([*near, *late]).line.count("M") == 2
    assert line(near).line == "M0,300h0l333,-150l334,75l333,-225"


def test_values_that_hold_are_drawn_as_steps() -> None:
    assert re.fullmatch(r"M0,300h0(h\d+)+v-300(h\d+)+", line(days(*[2.5] * 6, *[2.75] * 6)).line)


def test_a_flat_line_is_in_the_middle_and_has_one_label() -> None:
    chart = line(days(5, 5, 5))
    assert (chart.line, chart.low) == ("M0,150h0h500h500", "")


def test_zero_is_marked_where_the_line_crosses_it() -> None:
    assert line(days(-1, 1, 2)).zero
    assert not line(days(0, 1, 2)).zero


def test_the_last_value_stands_where_the_line_does_not_come_from() -> None:
    assert line(days(*range(30))).last.below is False
    assert line(days(*range(30, 0, -1))).last.below is True


def test_bars_begin_at_zero_and_those_without_a_value_are_gaps() -> None:
    readings = [SeriesPoint(NOON, "", Decimal(4)), Nothing(NOON + DAY), *days(0, 0, -2, 6)[2:]]
    chart = bar_chart(readings, WORDED)
    assert chart
    assert [bar.kind for bar in chart.bars] == ["up", "gap", "down", "up"]
    assert [bar.said for bar in chart.bars][:2] == [f"{DATES[0]} 4원", DATES[1]]
    assert (chart.high, chart.low, chart.last.value) == ("6원", "-2원", "6원")
    assert len(chart.rows) == len(readings) - 1
    assert svg_of(drawn(chart)).count("<title>") == len(readings)


def test_counts_are_drawn_from_zero() -> None:
    chart = bar_chart(days(4, 8, 6), WORDED)
    assert chart
    assert (chart.low, [bar.height for bar in chart.bars]) == ("0", [150, 300, 225])


def test_a_long_series_is_a_small_drawing() -> None:
    points = [Point(NOON + timedelta(hours=each), 124_000_000 + each * 7919 % 900_000) for each in range(240)]
    words = ChartWords(
        "key", "값", lambda each: f"{each.value:,}원", lambda each: f"{each.at:%Y-%m-%d %H:%M}", WORDS["ko"]
    )
    chart = line_chart(points, words, step=DAY)
    assert chart
    assert len(chart.hints) <= HINTS_MAX
    assert chart.hints[-1].said.startswith(f"{points[-1].at:%Y-%m-%d %H:%M}")
    assert sum(hint.width for hint in chart.hints) == 1000
    assert len(svg_of(drawn(chart)).encode()) < CHART_MAX_BYTES


def test_the_smallest_prices_are_written_in_plain_digits() -> None:
    chart = plots.line_plot(days(0.00001234, 1, 12.345), "값", "won", "key")["chart"]
    assert chart.low == "0.00001234원"
    assert chart.high in ("12.35원", "12.34원")


def test_ranges_are_links_but_for_the_one_shown(client: Client, world: World) -> None:
    page = text_of(client, "/number/maru-rate?range=30")
    ranges = re.search(r'<span class="ranges"[^>]*>(.*?)</span>', page)
    assert ranges
    assert "<strong>30일</strong>" in ranges[1]
    assert '<a href="?range=90">90일</a>' in ranges[1]
    # The one that is shown unasked stands at the address that search engines keep.
    assert '<a href="/number/maru-rate">1년</a>' in ranges[1]


class Nothing:
    """A day of which nothing is known."""

    value = None

    def __init__(self, at: datetime) -> None:
        self.at = at
