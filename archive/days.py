"""The calendar of the city: a day is a day in Seoul, whatever the time zone of the machine."""

import re
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

SEOUL = ZoneInfo("Asia/Seoul")
ONE_DAY = timedelta(days=1)
DAY_FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
WEEKDAYS = "월화수목금토일"


def day_of(moment: datetime) -> date:
    """The day in Seoul at ``moment``. A naive moment is a ValueError: it could be two different days."""
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone belongs to no day")
    return moment.astimezone(SEOUL).date()


def start_of(day: date) -> datetime:
    """The midnight with which ``day`` begins."""
    return datetime.combine(day, time.min, SEOUL)


def end_of(day: date) -> datetime:
    """The midnight at which ``day`` is over and may be sealed."""
    return start_of(day + ONE_DAY)


def yesterday(now: datetime) -> date:
    """The newest day that is over."""
    return day_of(now) - ONE_DAY


def is_over(day: date, now: datetime) -> bool:
    return day < day_of(now)


def parse_day(text: str) -> date | None:
    """A day written YYYY-MM-DD, and nothing else that ``date.fromisoformat`` would also take."""
    if not DAY_FORM.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def days_between(first: date, last: date) -> list[date]:
    """All days from ``first`` to ``last``, both included; none when ``last`` comes first."""
    return [first + ONE_DAY * offset for offset in range((last - first).days + 1)]


def korean(day: date) -> str:
    """``2026년 11월 20일 금요일``."""
    return f"{day.year}년 {day.month}월 {day.day}일 {WEEKDAYS[day.weekday()]}요일"
