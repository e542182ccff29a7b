"""How often one host is asked: a minimum interval, and silence while it asks for it.

The memory is that of this process; several workers keep apart because a source is claimed by one of them at
a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from knowledge.sources.errors import SourceError

# Hosts remembered; the oldest go first. Redirects of hostile feeds must not fill the memory.
MAX_HOSTS = 1000


class Politeness:
    def __init__(self, *, monotonic: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._monotonic = monotonic
        self._sleep = sleep
        self._lock = threading.Lock()
        self._next_turn: dict[str, float] = {}
        self._paused_until: dict[str, float] = {}

    def wait(self, host: str, interval: float) -> None:
        """Sleep until the host may be asked again; raises ``SourceError`` while the host asked to be left
        alone.
        """
        with self._lock:
            now = self._monotonic()
            self._refuse_while_paused(host, now)
            turn = max(now, self._next_turn.pop(host, now))
            self._next_turn[host] = turn + interval
            while len(self._next_turn) > MAX_HOSTS:
                self._next_turn.pop(next(iter(self._next_turn)))
        if turn > now:
            self._sleep(turn - now)

    def pause(self, host: str, seconds: float) -> None:
        """No request to the host for this long: its Retry-After."""
        with self._lock:
            self._paused_until[host] = self._monotonic() + seconds
            while len(self._paused_until) > MAX_HOSTS:
                # Whoever's silence ends first.
                del self._paused_until[min(self._paused_until, key=self._paused_until.__getitem__)]

    def _refuse_while_paused(self, host: str, now: float) -> None:
        left = self._paused_until.get(host, now) - now
        if left > 0:
            raise SourceError("status", f"{host} asked for {left:.0f} s more of silence", retry_after=left)
        self._paused_until.pop(host, None)
