"""The days of the service level as a row of small marks: shapes differ as well as colours, and words say the same."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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
WORDS = {
    MET: gettext_lazy("지킨 날"),
    MISSED: gettext_lazy("못 지킨 날"),
    NOT_MEASURED: gettext_lazy("측정하지 않은 날"),
    UNFINISHED: gettext_lazy("오늘(세지 않음)"),
}
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
    return format_html('<ul class="links legend" aria-label="{}">{}</ul>', _("표시의 뜻"), marks)


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
    """``97.8% (측정한 89일 중 87일), 못 지킨 날 2일, 측정하지 않은 날 0일``."""
    days = {"measured": level.measured, "met": level.met}
    counted = _("측정한 %(measured)s일 중 %(met)s일") % days if level.measured else _("측정한 날이 없음")
    return _("%(share)s (%(counted)s), 못 지킨 날 %(missed)s일, 측정하지 않은 날 %(not_measured)s일") % {
        "share": level_share(level),
        "counted": counted,
        "missed": level.missed,
        "not_measured": level.not_measured,
    }


@register.filter
def level_share(level: Level) -> str:
    """The share in per cent, rounded down so that no rounding makes a promise kept; words where there is none."""
    if not level.measured:
        return _("측정 전")
    return f"{level.met * 1000 // level.measured / 10:.1f}%"


@register.simple_tag
def verdicts_min() -> int:
    return VERDICTS_MIN
