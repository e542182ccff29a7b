"""Numbers as readers see them: digits in groups, units in words, signs and directions said, never scientific notation.

Programs get decimals (``knowledge.series.values.json_number``); whatever a person reads is written here.
"""

import re
from calendar import month_name
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

from django.utils import timezone

from knowledge.languages import ENGLISH, KOREAN
from knowledge.models import PER_CENT, Series
from knowledge.queries.series import rounded
from knowledge.series.values import Change, Latest

HASHES = "H/s"
_CALENDAR = re.compile(r"\d{4}-(0[1-9]|1[0-2])(-\d{2})?", re.ASCII)
# What stands behind the digits, in Korean and in English. Pure numbers have nothing there.
_UNITS = {
    "KRW": ("원", " won"),
    "USD": ("달러", " US dollars"),
    "%": ("%", "%"),
    "sat": ("사토시", " satoshis"),
    "sat/vB": (" sat/vB", " sat/vB"),
    "vB": (" vB", " vB"),
    "blocks": ("블록", " blocks"),
    "transactions": ("건", " transactions"),
    "index": ("", ""),
    "1": ("", ""),
}
_POINTS, _BRIEF_POINTS = ("%p", " percentage points"), ("%p", " pp")
_PREFIXES = (("E", 18), ("P", 15), ("T", 12), ("G", 9), ("M", 6), ("k", 3))
_HASH_PLACES = 2
_PRICE_DIGITS = 6
_LARGE = 10**8
_KOREAN_STEPS = (("경", 10**16), ("조", 10**12), ("억", 10**8), ("만", 10**4))
_ENGLISH_STEPS = (("quadrillion", 10**15), ("trillion", 10**12), ("billion", 10**9), ("million", 10**6))
_ROUNDED_UP = Decimal("0.99995")  # of a step: with one place 999.95 million are 1.0 billion
_RISE, _FALL, _EVEN = ("상승", "up"), ("하락", "down"), ("변동 없음", "unchanged")


class Movement(NamedTuple):
    """A change in words: ``mark`` is ▲, ▼ or –, ``direction`` the class of its colour (rise, fall, or none).

    ``brief`` is its share of the former value, or all of ``size`` where it has none that shows.
    """

    mark: str
    size: str
    brief: str
    word: str
    direction: str


def amount(value: Decimal, unit: str, decimals: int, lang: str = KOREAN) -> str:
    """``1,384.5원``, ``2.50%``, ``812.34 EH/s``. Shares keep the places that they are measured in; of
    a price six digits count."""
    if unit == HASHES:
        return _hashes(value)
    if unit == PER_CENT:
        said = f"{value:,.{decimals}f}".replace("-", "−") if rounded(value, decimals) else "0"
    else:
        said = _digits(rounded(value, min(decimals, _price_places(value)) if unit == "KRW" else decimals))
    return f"{said}{unit_word(unit, lang)}"


def _price_places(value: Decimal) -> int:
    return max(0, _PRICE_DIGITS - 1 - value.adjusted()) if value else 0


def unit_word(unit: str, lang: str = KOREAN) -> str:
    """What stands right behind the digits, with the space before it; the unit itself where it has no words."""
    return _UNITS.get(unit, (f" {unit}",) * 2)[lang == ENGLISH]


def gloss(value: Decimal, unit: str, lang: str = KOREAN) -> str:
    """A large number in words, such as ``약 1억 2,400만 원``; empty where the digits are read at a glance."""
    said = in_words(value, unit, lang)
    return f"{'about' if lang == ENGLISH else '약'} {said}" if said else ""


def in_words(value: Decimal, unit: str, lang: str = KOREAN) -> str:
    """``1억 2,400만 원``: a large number rounded to what is said of it; empty for others."""
    if abs(value) < _LARGE or unit == HASHES:
        return ""
    sign, size = "−" if value < 0 else "", abs(value)
    word = unit_word(unit, lang).strip()
    if lang == ENGLISH:
        name, step = next(each for each in _ENGLISH_STEPS if size >= each[1] * _ROUNDED_UP)
        said = f"{size / step:,.1f} {name}"
    else:
        said = _in_myriads(size)
    return f"{sign}{said} {word}".rstrip()


def movement(change: Change, series: Series, lang: str = KOREAN) -> Movement:
    """How a value moved: by percentage points, or by an amount and its share of the former value."""
    english = lang == ENGLISH
    moved = change.points if change.points is not None else change.absolute
    assert moved is not None
    if not rounded(moved, _places(series)):
        return Movement("–", "", "", _EVEN[english], "")
    sign = "+" if moved > 0 else "−"
    word, direction, mark = (_RISE, "rise", "▲") if moved > 0 else (_FALL, "fall", "▼")
    if change.points is not None:
        digits = f"{sign}{abs(moved):,.{series.decimals}f}"
        size, brief = digits + _POINTS[english], digits + _BRIEF_POINTS[english]
    else:
        size = brief = sign + amount(abs(moved), series.unit, series.decimals, lang)
        if change.percent is not None and round(change.percent, 2):
            brief = f"{sign}{abs(change.percent):,.2f}%"
            size += f" ({brief})"
    return Movement(mark, size, brief, word[english], direction)


def measured(at: datetime, period: str, lang: str = KOREAN, *, now: datetime | None = None) -> str:
    """When: the calendar month or day that a value is about, or the minute in Seoul. A day in the year of ``now`` is
    said without it."""
    local = timezone.localtime(at)
    year = timezone.localtime(now).year if now else 0
    if not period:
        return f"{_dated(lang, local.year, local.month, local.day, but=year)} {local:%H:%M} KST"
    if _CALENDAR.fullmatch(period):
        return _dated(lang, *map(int, period.split("-")), but=year)
    return period


def dated(day: date, lang: str = KOREAN) -> str:
    """``2026년 11월 21일``, ``21 November 2026``."""
    return _dated(lang, day.year, day.month, day.day)


def age(latest: Latest, now: datetime, lang: str = KOREAN) -> str:
    """``9일 전 값`` of a value that is overdue; empty for one that is not."""
    if not latest.stale:
        return ""
    days, hours = (now - latest.at).days, int((now - latest.at).total_seconds() // 3600)
    if lang == ENGLISH:
        return f"value of {days} days ago" if days > 1 else f"value of {hours} hours ago"
    return f"{days}일 전 값" if days > 1 else f"{hours}시간 전 값"


def _dated(lang: str, year: int, month: int, day: int = 0, *, but: int = 0) -> str:
    """A month, or a day, which needs no year where that is ``but``."""
    if lang == ENGLISH:
        said = f"{day or ''} {month_name[month]}".lstrip()
        return said if day and year == but else f"{said} {year}"
    said = f"{month}월 {day}일" if day else f"{month}월"
    return said if day and year == but else f"{year}년 {said}"


def _places(series: Series) -> int:
    # A change of hashes is shown in EH/s, which has two places whatever the stored number has.
    return _HASH_PLACES - 18 if series.unit == HASHES else series.decimals


def _digits(value: Decimal) -> str:
    return f"{value:,f}".replace("-", "−")


def _hashes(value: Decimal) -> str:
    for letter, power in _PREFIXES:
        if abs(value) >= 10**power:
            return f"{_digits(rounded(value.scaleb(-power), _HASH_PLACES))} {letter}{HASHES}"
    return f"{_digits(rounded(value, 0))} {HASHES}"


def _in_myriads(size: Decimal) -> str:
    """The two largest of 경, 조, 억 and 만, rounded to the smaller."""
    place = next(place for place, (_name, step) in enumerate(_KOREAN_STEPS) if size >= step)
    (name, step), lower = _KOREAN_STEPS[place], _KOREAN_STEPS[place + 1 : place + 2]
    if not lower:
        return f"{size / step:,.0f}{name}"
    whole = round(size / lower[0][1])
    if place and whole * lower[0][1] >= _KOREAN_STEPS[place - 1][1]:
        return _in_myriads(Decimal(whole * lower[0][1]))
    high, rest = divmod(whole, step // lower[0][1])
    return f"{high:,}{name} {rest:,}{lower[0][0]}" if rest else f"{high:,}{name}"
