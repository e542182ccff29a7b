"""Which night is due: files are written at 04:00 Asia/Seoul and bear the date of that morning."""

from datetime import date, datetime, time, timedelta

from archive.days import ONE_DAY, SEOUL, day_of, days_between

HOUR = 4
KEPT_DAYS = 35
# What is being written is not missing yet.
GRACE = timedelta(hours=1)


def due_day(now: datetime) -> date:
    """The day whose files stand at ``now``, or should: before 04:00 it is the day before."""
    return day_of(now - timedelta(hours=HOUR))


def due_at(day: date) -> datetime:
    return datetime.combine(day, time(HOUR), SEOUL)


def oldest_kept(now: datetime) -> date:
    return due_day(now) - (KEPT_DAYS - 1) * ONE_DAY


def missed(written: list[date], now: datetime) -> list[date]:
    """The days since the oldest of ``written`` that have no files and will get none, newest first."""
    if not written:
        return []
    expected = days_between(min(written), due_day(now - GRACE))
    return sorted(set(expected) - set(written), reverse=True)
