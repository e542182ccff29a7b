"""The days of the service level as a row of small marks: shapes differ as well as colours, and words say the same."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from knowledge.ingestion.health.service_level import (
    MET,
    MISSED,
    NOT_MEASURED,
    UNFINISHED,
    VERDICTS_MIN,
    Level,
)

register = template.Library()
STEP, WIDTH, HEIGHT = 10, 7, 40
WORDS = {MET: "지킴", MISSED: "못 지킴", NOT_MEASURED: "재지 않음", UNFINISHED: "오늘, 아직 세지 않음"}
# From the top: a met day fills the row, a missed one its lower half, one that was not measured is a thin line in the
# middle, today is an outline.
SHAPES = {
    MET: (0, HEIGHT),
    MISSED: (HEIGHT // 2, HEIGHT // 2),
    NOT_MEASURED: (HEIGHT // 2 - 2, 4),
    UNFINISHED: (1, HEIGHT - 2),
}


@register.simple_tag
def level_marks(level: Level, name: str, key: str) -> SafeString:
    """A mark for each day, oldest first, with the figures as the drawing's title."""
    return format_html(
        '<svg class="level" role="img" aria-labelledby="level-{}" viewBox="0 0 {} {}" preserveAspectRatio="none">'
        '<title id="level-{}">{}: {}</title>{}</svg>',
        key,
        len(level.days) * STEP,
        HEIGHT,
        key,
        name,
        level_in_words(level),
        _marks([one.status for one in level.days]),
    )


@register.simple_tag
def level_legend() -> SafeString:
    """Each kind of mark with its word."""
    rows = ((STEP, HEIGHT, _marks([kind]), WORDS[kind]) for kind in SHAPES)
    marks = format_html_join(
        "",
        '<li><svg class="level" aria-hidden="true" viewBox="0 0 {} {}" preserveAspectRatio="none">{}</svg> {}</li>',
        rows,
    )
    return format_html('<ul class="links legend" aria-label="표시의 뜻">{}</ul>', marks)


def _marks(statuses: Sequence[str]) -> SafeString:
    """A path for each kind of mark, which is a tenth of a rectangle for each."""
    kinds = (
        (kind, " ".join(_outline(at, kind) for at, one in enumerate(statuses) if one == kind))
        for kind in SHAPES
    )
    return format_html_join(
        "", '<path class="{}" d="{}"/>', ((kind.replace("_", "-"), drawn) for kind, drawn in kinds if drawn)
    )


def _outline(at: int, kind: str) -> str:
    top, height = SHAPES[kind]
    return f"M{at * STEP + 1} {top}h{WIDTH}v{height}h-{WIDTH}z"


@register.filter
def level_in_words(level: Level) -> str:
    """``97.8% (잰 89일 가운데 87일), 못 지킨 날 2일, 재지 않은 날 0일``."""
    counted = f"잰 {level.measured}일 가운데 지킨 날 {level.met}일" if level.measured else "잰 날이 없음"
    return (
        f"{level_share(level)} ({counted}), 못 지킨 날 {level.missed}일, 재지 않은 날 {level.not_measured}일"
    )


@register.filter
def level_share(level: Level) -> str:
    """The share in per cent, rounded down so that no rounding makes a promise kept; words where there is none."""
    if not level.measured:
        return "재지 않음"
    return f"{level.met * 1000 // level.measured / 10:.1f}%"


@register.simple_tag
def verdicts_min() -> int:
    return VERDICTS_MIN
