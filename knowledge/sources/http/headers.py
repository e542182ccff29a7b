"""What response headers say about time: how long an answer is fresh, how long to stay away."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

# A source that asks for a year off, by mistake or malice, is looked at again after a day.
LONGEST_PAUSE_SECONDS = 24 * 3600.0

_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
_NOT_FRESH = re.compile(r"(?:^|[\s,])(?:no-store|no-cache)(?:$|[\s,])", re.IGNORECASE)


def retry_after_seconds(value: str, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for, as a number of seconds or an HTTP date; None when
    unreadable.
    """
    value = value.strip()
    if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,6})?", value):
        seconds = float(value)
    else:
        try:
            at = parsedate_to_datetime(value)
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
        seconds = ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds()
    return min(max(seconds, 0.0), LONGEST_PAUSE_SECONDS)


def max_age_seconds(headers: Mapping[str, str]) -> float | None:
    """Seconds for which Cache-Control calls the answer fresh, less the Age it already has; None when
    unsaid.
    """
    control = headers.get("cache-control", "")
    if _NOT_FRESH.search(control):
        return 0.0
    found = _MAX_AGE.search(control)
    if not found:
        return None
    age = headers.get("age", "").strip()
    spent = float(age) if re.fullmatch(r"[0-9]{1,9}", age) else 0.0
    return min(max(float(found[1]) - spent, 0.0), LONGEST_PAUSE_SECONDS)
