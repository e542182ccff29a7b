"""Small plots as inline SVG: no script, no style attribute, and the same numbers as a table below.

Colours come from the stylesheet through classes, so that a plot follows the reader's colour scheme.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django import template
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from knowledge.queries.amounts import amount
from knowledge.queries.charts import Point

register = template.Library()
WIDTH, HEIGHT, MARGIN = 600.0, 96.0, 6.0
CELL, GAP = 14.0, 3.0
POINTS_MIN = 2
ROWS_MAX = 200
PLACES = 12  # behind the point, of the smallest prices


@dataclass(frozen=True, slots=True)
class Cell:
    """One day of a calendar strip. ``state`` is ok, warn, fail or empty; ``note`` says it in words."""

    day: str
    state: str
    note: str


def _won(value: float) -> str:
    if abs(value) >= 100:
        return f"{value:,.0f}원"
    return amount(Decimal(f"{value:.4g}"), "KRW", PLACES)


FORMATS: dict[str, Callable[[float], str]] = {
    "won": _won,
    "percent": lambda value: f"{value:+.2f}%".replace("-", "−"),
    "number": lambda value: f"{value:,.0f}",
}


@register.simple_tag
def sparkline(points: Sequence[Point], title: str, form: str = "number", key: str = "line") -> SafeString:
    """A line over time; nothing at all for fewer than two points. ``form`` is won, percent or number."""
    if len(points) < POINTS_MIN:
        return SafeString()
    places = _places(points)
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    area = f"{places[0][0]:.1f},{HEIGHT} {line} {places[-1][0]:.1f},{HEIGHT}"
    drawing = format_html(
        '<polygon class="area" points="{}"/><polyline class="stroke" points="{}"/>', area, line
    )
    return _figure(points, title, FORMATS[form], drawing, key)


@register.simple_tag
def bars(points: Sequence[Point], title: str, form: str = "number", key: str = "bars") -> SafeString:
    """A bar for each point, from zero; nothing at all when every value is zero."""
    highest = max((point.value for point in points), default=0)
    if highest <= 0:
        return SafeString()
    step = WIDTH / len(points)
    shapes = (
        (f"{place * step + 1:.1f}", f"{step - 2:.1f}", _height(point.value / highest))
        for place, point in enumerate(points)
        if point.value > 0
    )
    drawing = format_html_join(
        "",
        '<rect class="bar" x="{}" width="{}" y="{}" height="{}"/>',
        ((x, width, f"{HEIGHT - height:.1f}", f"{height:.1f}") for x, width, height in shapes),
    )
    return _figure(points, title, FORMATS[form], drawing, key)


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
        "<details><summary>표로 보기</summary><table><caption>{title}</caption>{rows}</table></details></figure>",
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


def _height(share: float) -> float:
    return max(2.0, share * (HEIGHT - MARGIN))


def _places(points: Sequence[Point]) -> list[tuple[float, float]]:
    """Coordinates of the points: time to the right, value upwards, a flat series in the middle."""
    first, last = points[0].at, points[-1].at
    span = (last - first).total_seconds() or 1.0
    low, high = min(point.value for point in points), max(point.value for point in points)
    inner = HEIGHT - 2 * MARGIN
    return [
        (
            (point.at - first).total_seconds() / span * WIDTH,
            MARGIN + inner * (1 - (point.value - low) / (high - low) if high > low else 0.5),
        )
        for point in points
    ]


def _figure(
    points: Sequence[Point], title: str, say: Callable[[float], str], drawing: SafeString, key: str
) -> SafeString:
    rows = format_html_join(
        "",
        '<tr><th scope="row"><time datetime="{}">{}</time></th><td>{}</td></tr>',
        ((point.at.isoformat(), _moment(point), say(point.value)) for point in points[::-1][:ROWS_MAX]),
    )
    values = [point.value for point in points]
    return format_html(
        '<figure class="plot"><figcaption><strong>{title}</strong>'
        '<span class="meta">{lowest} – {highest} · 지금 {now}</span></figcaption>'
        '<svg role="img" aria-labelledby="plot-{key}" viewBox="0 0 {width} {height}" preserveAspectRatio="none">'
        '<title id="plot-{key}">{title}: {first}부터 {last}까지, 최저 {lowest}, 최고 {highest}, 마지막 {now}</title>'
        '{drawing}<line class="axis" x1="0" x2="{width}" y1="{height}" y2="{height}"/></svg>'
        "<details><summary>표로 보기</summary><table><caption>{title}</caption>{rows}</table></details></figure>",
        title=title,
        key=key,
        width=WIDTH,
        height=HEIGHT,
        lowest=say(min(values)),
        highest=say(max(values)),
        now=say(values[-1]),
        first=_moment(points[0]),
        last=_moment(points[-1]),
        drawing=drawing,
        rows=rows,
    )


def _moment(point: Point) -> str:
    local = timezone.localtime(point.at)
    return (
        f"{local:%Y-%m-%d}" if (local.hour, local.minute) in ((0, 0), (9, 0)) else f"{local:%Y-%m-%d %H:%M}"
    )
