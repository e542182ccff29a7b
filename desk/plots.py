"""Figures of the dashboard as inline SVG: no script, no style attribute, every value in words."""

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

BAR, GAP, HEIGHT = 14, 4, 44


def bars(values: Sequence[tuple[str, float]], label: str, *, limit: float) -> SafeString:
    """A bar for each (words, value), oldest first, against ``limit``, which is the full height."""
    top = max(limit, *(value for _words, value in values), 0) or 1
    shapes = format_html_join(
        "",
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="1"><title>{}</title></rect>',
        (
            (
                "bar over" if value > limit else "bar" if value else "bar none",
                place * (BAR + GAP),
                y,
                BAR,
                HEIGHT - y,
                words,
            )
            for place, (words, value) in enumerate(values)
            for y in [HEIGHT - max(round(value / top * HEIGHT), 2)]
        ),
    )
    line = HEIGHT - round(limit / top * HEIGHT)
    return format_html(
        '<svg class="desk-bars" role="img" aria-label="{label}" viewBox="0 -1 {width} {height}" width="{width}"'
        ' height="{height}"><title>{label}</title>{shapes}'
        '<line class="limit" x1="0" x2="{width}" y1="{line}" y2="{line}"/></svg>',
        label=label,
        width=max(len(values) * (BAR + GAP) - GAP, 1),
        height=HEIGHT + 1,
        shapes=shapes,
        line=line,
    )
