"""Numbers on pages: their charts, their small lines, the code that fetches them, and what machines read of them."""

import re
from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from feeds import linked_data, number_code
from feeds.charts import ROWS_MAX, number_chart_of, spark_of
from feeds.templatetags.plots import drawn
from knowledge.queries.charts import Point
from knowledge.queries.numbers import RANGE_DEFAULT, ShownNumber

register = template.Library()
_UNIT = re.compile(r"(.*[\d억만조경])(\s?)(\D*)")


@register.inclusion_tag("feeds/chart.html", takes_context=True)
def number_chart(
    context: template.Context,
    number: ShownNumber,
    span: str = "",
    rows: int = ROWS_MAX,
    caption: bool = False,
) -> dict[str, Any]:
    """The chart with a table behind it, of which ``rows`` are shown; with links to its ranges where the page shows the
    range ``span``."""
    ranges = number.ranges if span and number.value else []
    own = context["request"].path if ranges else ""
    links = [
        (name, "" if key == span else own if key == RANGE_DEFAULT else f"?range={key}")
        for key, name in ranges
    ]
    return drawn(number_chart_of(number, rows), ranges=links, caption=caption)


@register.simple_tag
def spark(points: Sequence[Point]) -> SafeString:
    """A line the size of a word, beside the numbers that say what it shows; nothing for fewer than three points."""
    line = spark_of(points)
    drawing = (
        '<svg class="spark" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">'
        '<polyline points="{}"/></svg>'
    )
    return format_html(drawing, line) if line else SafeString()


@register.filter
def unit_small(said: str) -> SafeString:
    """A value whose unit is written smaller than its digits and its 억 or 만."""
    match = _UNIT.fullmatch(said)
    return format_html("{}{}<small>{}</small>", *match.groups()) if match and match[3] else escape(said)


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
