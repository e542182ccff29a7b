"""What this process hears of changes: the listener tells scopes, and whoever keeps responses forgets what they name.

A scope is one of the outbox's (``entity``, ``topic``, ``event``, ``pulse``, ``post``, ``series``, ``answer``,
``archive``), ``documents``, ``answer:<hash>``, ``index:<name of a publication>``, or ``all``: something may have been
missed, so nothing that was kept is certain.
"""

import logging
import math
import time
from collections.abc import Callable, Iterable

logger = logging.getLogger(__name__)

ALL = "all"
DOCUMENTS = "documents"


def answer_scope(question_hash: str) -> str:
    return f"answer:{question_hash}"


def index_scope(name: str) -> str:
    """Told when this process has taken in a new body of a publication."""
    return f"index:{name}"


class Hearing:
    """The scopes told in this process, and whether its listener is at work."""

    def __init__(self) -> None:
        self._subscribers: list[Callable[[frozenset[str]], None]] = []
        self._heard_at = -math.inf  # monotonic
        self.is_away = False

    def subscribe(self, told: Callable[[frozenset[str]], None]) -> None:
        """Call ``told`` with the scopes of each piece of news, on the listener's thread."""
        self._subscribers.append(told)

    def tell(self, scopes: Iterable[str]) -> None:
        """Something of these scopes changed. What one subscriber raises keeps the news from no other."""
        news = frozenset(scopes)
        if not news:
            return
        for told in self._subscribers:
            try:
                told(news)
            except Exception:
                logger.exception("a subscriber failed to take in %s", ", ".join(sorted(news)))

    def heard(self) -> None:
        """The listener has taken in all that Postgres told it until now."""
        self._heard_at = time.monotonic()
        self.is_away = False

    def lost(self) -> None:
        """The listener has no connection: what changes from here on is not told."""
        self.is_away = True

    def seconds_silent(self) -> float:
        """Since the listener last heard or looked; infinite before the first time."""
        return time.monotonic() - self._heard_at


hearing = Hearing()
