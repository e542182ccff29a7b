"""How often one host is asked: a minimum interval, silence while it asks for it, and what its headers say of that.

The memory is that of this process; several workers keep apart because a source is claimed by one of them at a time.
"""

import re
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from knowledge.sources.errors import SourceError

# Hosts remembered; the oldest go first. Redirects of hostile feeds must not fill the memory.
MAX_HOSTS = 1000
# A source that asks for a year off, by mistake or malice, is looked at again after a day.
LONGEST_PAUSE_SECONDS = 24 * 3600.0

# Between two requests to a host that says that little is left of what it grants: Upbit of each second, in
# "Remaining-Req: group=candles; min=599; sec=9"; Binance of each minute, in the weight used of 6,000.
BREATHER_SECONDS = 2.0
_LEFT_AT_LEAST = 2
_USED_AT_MOST = 3000

_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?")
_DIRECTIVE = re.compile(r'([^\s,=]+)(?:\s*=\s*"?([^\s,"]*))?')  # of Cache-Control: max-age=900
_UPBIT_LEFT = re.compile(r"\bsec=([0-9]{1,9})\b")
_BINANCE_USED = re.compile(r"[0-9]{1,9}")


class Politeness:
    def __init__(self, *, monotonic: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._monotonic = monotonic
        self._sleep = sleep
        self._lock = threading.Lock()
        self._next_turn: dict[str, float] = {}
        self._paused_until: dict[str, float] = {}

    def wait(self, host: str, interval: float) -> None:
        """Sleep until the host may be asked again; raises ``SourceError`` while the host asked to be left alone."""
        with self._lock:
            now = self._monotonic()
            left = self._paused_until.get(host, now) - now
            if left > 0:
                raise SourceError(
                    "status", f"{host} asked for {left:.0f} s more of silence", retry_after=left
                )
            turn = max(now, self._next_turn.pop(host, now))
            self._next_turn[host] = turn + interval
            if len(self._next_turn) > MAX_HOSTS:
                del self._next_turn[next(iter(self._next_turn))]
        if turn > now:
            self._sleep(turn - now)

    def slow_down(self, host: str) -> None:
        """Whoever is next at the host waits a little longer."""
        with self._lock:
            if host in self._next_turn:  # not where no turns are kept
                after_breather = self._monotonic() + BREATHER_SECONDS
                self._next_turn[host] = max(self._next_turn[host], after_breather)

    def pause(self, host: str, seconds: float) -> None:
        """No request to the host for this long: its Retry-After."""
        with self._lock:
            self._paused_until[host] = self._monotonic() + seconds
            if len(self._paused_until) > MAX_HOSTS:
                # Whoever's silence ends first.
                del self._paused_until[min(self._paused_until, key=self._paused_until.__getitem__)]


def retry_after_seconds(value: str, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for, as a number of seconds or an HTTP date; None when unreadable."""
    value = value.strip()
    if _SECONDS.fullmatch(value):
        seconds = float(value)
    else:
        try:
            at = parsedate_to_datetime(value)
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
        seconds = ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds()
    return min(max(seconds, 0.0), LONGEST_PAUSE_SECONDS)


def is_nearly_used_up(headers: Mapping[str, str]) -> bool:
    """Whether an answer says that its host will soon refuse more requests."""
    left = _UPBIT_LEFT.search(headers.get("remaining-req", ""))
    used = _BINANCE_USED.fullmatch(headers.get("x-mbx-used-weight-1m", ""))
    return bool((left and int(left[1]) < _LEFT_AT_LEAST) or (used and int(used[0]) > _USED_AT_MOST))


def max_age_seconds(headers: Mapping[str, str]) -> float | None:
    """Seconds for which Cache-Control calls the answer fresh, less the Age it already has; None when unsaid."""
    said = dict(_DIRECTIVE.findall(headers.get("cache-control", "").lower()))
    if "no-store" in said or "no-cache" in said:
        return 0.0
    fresh, age = said.get("max-age", ""), headers.get("age", "")
    if not _SECONDS.fullmatch(fresh):
        return None
    spent = float(age) if _SECONDS.fullmatch(age) else 0.0
    return min(max(float(fresh) - spent, 0.0), LONGEST_PAUSE_SECONDS)
