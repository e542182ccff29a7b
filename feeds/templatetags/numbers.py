"""Numbers on pages: their charts, their small lines, the code that fetches them, and what machines read of them."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from feeds import linked_data, number_code
from feeds.number_charts import ROWS_MAX, SHARE, TOP, chart_of, spark_of
from knowledge.queries.charts import Point
from knowledge.queries.numbers import ShownNumber

register = template.Library()


@register.inclusion_tag("knowledge/number_chart.html")
def number_chart(number: ShownNumber, rows: int = ROWS_MAX) -> dict[str, Any]:
    """The chart with a table behind it, of which ``rows`` are shown; nothing for fewer than two points."""
    chart = chart_of(number, rows)
    return {
        "number": number,
        "chart": chart,
        "say": number.say,
        "top": TOP,
        "share": SHARE,
        "foot": TOP + SHARE,
    }


@register.simple_tag
def spark(points: Sequence[Point]) -> SafeString:
    """A line the size of a word, beside the numbers that say what it shows; nothing for fewer than two points."""
    line = spark_of(points)
    drawing = (
        '<svg class="spark" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">'
        '<polyline points="{}"/></svg>'
    )
    return format_html(drawing, line) if line else SafeString()


@register.filter
def snippets(number: ShownNumber) -> list[number_code.Snippet]:
    return number_code.snippets(number)


@register.filter
def embed_code(number: ShownNumber) -> SafeString:
    """The element as a text that readers copy, not as one that this page has."""
    return escape(number_code.embed_code(number))


@register.simple_tag
def number_linked_data(number: ShownNumber) -> SafeString:
    return linked_data.script(*linked_data.number_page(number))
