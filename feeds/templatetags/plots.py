"""Charts of readings that are no series of numbers, and calendars, as inline SVG: no script, no style attribute.

Colours come from the stylesheet through classes, so that a plot follows the reader's colour scheme.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from feeds.charts import SHARE, TOP, Chart, ChartPoint, ChartWords, bar_chart, line_chart
from knowledge.languages import current_language
from knowledge.queries.amounts import amount
from knowledge.queries.charts import Point
from knowledge.queries.number_words import WORDS

register = template.Library()
CELL, GAP = 14.0, 3.0
ROWS_SHOWN = 60
PLACES = 12  # behind the point, of the smallest prices


@dataclass(frozen=True, slots=True)
class Cell:
    """One day of a calendar strip. ``state`` is ok, warn, fail or empty; ``note`` says it in words."""

    day: str
    state: str
    note: str


def _won(value: float, lang: str) -> str:
    exact = Decimal(f"{value:.0f}" if abs(value) >= 100 else f"{value:.4g}")
    return amount(exact, "KRW", PLACES, lang)


FORMATS: dict[str, Callable[[float, str], str]] = {
    "won": _won,
    "percent": lambda value, _lang: f"{value:+.2f}%".replace("-", "−"),
    "number": lambda value, _lang: f"{value:,.0f}".replace("-", "−"),
}


def drawn(chart: Chart | None, **more: object) -> dict[str, Any]:
    """What ``feeds/chart.html`` needs; nothing is drawn without a chart."""
    return {"chart": chart, "top": TOP, "share": SHARE, "foot": TOP + SHARE, **more}


@register.inclusion_tag("feeds/chart.html")
def line_plot(points: Sequence[Point], title: str, form: str, key: str, days: float = 1) -> dict[str, Any]:
    """A line over time through points that are about ``days`` apart. ``form`` is won, percent or number."""
    step = timedelta(days=days)
    return drawn(line_chart(points, _words(title, form, key), step=step, rows=ROWS_SHOWN), caption=True)


@register.inclusion_tag("feeds/chart.html")
def bar_plot(readings: Sequence[ChartPoint], title: str, form: str, key: str) -> dict[str, Any]:
    """A bar from zero for each reading, and a gap for each without a value."""
    return drawn(bar_chart(readings, _words(title, form, key), rows=ROWS_SHOWN), caption=True, small=True)


def _words(title: str, form: str, key: str) -> ChartWords:
    lang = current_language()
    say = FORMATS[form]
    return ChartWords(
        key, title, lambda each: say(each.value, lang), lambda each: _moment(each.at), WORDS[lang]
    )


@register.simple_tag
def calendar_strip(cells: Sequence[Cell], title: str, key: str = "days") -> SafeString:
    """A square a day, oldest first, in rows of thirty."""
    if not cells:
        return SafeString()
    columns = 30
    squares = format_html_join(
        "",
        '<rect class="cell {}" x="{}" y="{}" width="{}" height="{}" rx="3"/>',
        ((cell.state, *_corner(place, columns), CELL, CELL) for place, cell in enumerate(cells)),
    )
    height = (len(cells) + columns - 1) // columns * (CELL + GAP)
    rows = format_html_join(
        "", '<tr><th scope="row">{}</th><td>{}</td></tr>', ((cell.day, cell.note) for cell in cells[::-1])
    )
    return format_html(
        '<figure class="plot"><figcaption><strong>{title}</strong></figcaption>'
        '<svg role="img" aria-labelledby="plot-{key}" viewBox="0 0 {width} {height}">'
        '<title id="plot-{key}">{title}: {first} – {last}</title>{squares}</svg>'
        "<details><summary>{opened}</summary><table><caption>{title}</caption>{rows}</table></details></figure>",
        opened=_("표로 보기"),
        title=title,
        key=key,
        width=columns * (CELL + GAP),
        height=height,
        first=cells[0].day,
        last=cells[-1].day,
        squares=squares,
        rows=rows,
    )


def _corner(place: int, columns: int) -> tuple[float, float]:
    row, column = divmod(place, columns)
    return column * (CELL + GAP), row * (CELL + GAP)


def _moment(at: datetime) -> str:
    """A day where it begins there, in Seoul or as exchanges have it."""
    local = timezone.localtime(at)
    begins = (local.hour, local.minute) in ((0, 0), (9, 0))
    return f"{local:%Y-%m-%d}" if begins else f"{local:%Y-%m-%d %H:%M}"
