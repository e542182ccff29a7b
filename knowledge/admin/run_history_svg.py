"""Days as small squares: inline SVG with its figures in words, coloured by the stylesheet."""

from collections.abc import Sequence

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from knowledge.ingestion.health.history import DayRuns

STEP, GAP = 12, 2


def day_words(day: DayRuns) -> str:
    """``11-20: 성공 95회, 실패 1회``."""
    counts = {"day": f"{day.day:%m-%d}", "good": day.good, "failed": day.failed}
    said = (
        _("%(day)s: 수집 없음") if day.state == "empty" else _("%(day)s: 성공 %(good)d회, 실패 %(failed)d회")
    )
    return said % counts


def summary(days: Sequence[DayRuns]) -> str:
    """The whole strip in a sentence; the bad days by name."""
    words = _("%(days)d일: 성공 %(good)d회, 실패 %(failed)d회, 수집 없는 날 %(empty)d일") % {
        "days": len(days),
        "good": sum(day.good for day in days),
        "failed": sum(day.failed for day in days),
        "empty": sum(day.state == "empty" for day in days),
    }
    bad = ", ".join(f"{day.day:%m-%d}" for day in days if day.failed)
    # Not within the f-string: gettext does not look there.
    failed = _("실패한 날")
    return f"{words} ({failed} {bad})" if bad else words


def run_history_svg(days: Sequence[DayRuns]) -> SafeString:
    """The runs of a source: ok, warn (some of a day failed), fail (all did), empty."""
    return day_squares_svg([(day.state, day_words(day)) for day in days], summary(days))


def day_squares_svg(cells: Sequence[tuple[str, str]], label: str) -> SafeString:
    """A square a day, oldest first, each a class and what it says in words; ``label`` says the whole."""
    squares = [(place * STEP, state, words) for place, (state, words) in enumerate(cells)]
    context = {"squares": squares, "label": label, "width": max(len(cells) * STEP - GAP, 1)}
    return render_to_string("admin/knowledge/day_squares.svg", context)
