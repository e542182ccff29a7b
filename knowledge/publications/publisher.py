"""A thread for each group of publications builds what changed whenever the listener finds that something is due.

Whichever web process gets the advisory lock first publishes a change, so that an edit is public within a second or two
even when no worker runs. They are threads of their own: the listener has to hear of changes while a large build goes
on, and the indexes have to be built while a large sitemap is written.
"""

import logging
import threading
import time
from datetime import timedelta
from typing import Any

import psycopg
from django.db import connection
from django.utils import timezone

from knowledge.publications.builder import build
from knowledge.publications.registry import PublicationGroup

logger = logging.getLogger(__name__)

# A loader saves hundreds of units, each for itself; one build takes many of them.
DEBOUNCE_SECONDS = 0.05
# Counts wait half a minute in the builder; asking it every second would only take locks.
COUNTS_POLL_SECONDS = 5.0
# A value becomes overdue though nothing changes. Every process looks, for the worker may be what is away.
AGED_SECONDS = 300.0
BUILD_RETRY_SECONDS = 30.0  # after a defect: it will most likely be there again
STOP_SECONDS = 2.0

# For so long a change waits for others than this process. The worker builds the files for crawlers each half minute,
# after readers at the CPU: a web process does so only where no worker has, or where it takes little time.
WAITS = {
    PublicationGroup.INDEXES: timedelta(),
    PublicationGroup.CRAWLERS: timedelta(seconds=90),
}
# What is built in so little time, as at the size of the canon, follows an edit in any process: the indexes have to
# show the next edit within a second, and a longer build beside theirs would take that from them.
QUICK_SECONDS = 0.7
EDITS_WAIT = timedelta(seconds=2)  # so that a loader's many edits are one build
# When the first edit and the first change of counts were noted that a group does not show, and what the time is.
PENDING_SQL = """
SELECT min(at) FILTER (WHERE NOT counts_only), min(at) FILTER (WHERE counts_only), now()
FROM knowledge_change WHERE {mark}
"""


class Publisher(threading.Thread):
    """Builds a group when woken, until stopped."""

    def __init__(self, group: PublicationGroup) -> None:
        super().__init__(name=f"publisher {group.name.lower()}", daemon=True)
        self._group = group
        self._woken = threading.Event()
        self._ended = threading.Event()
        self._not_before = 0.0  # monotonic: the next build
        self._counts_not_before = 0.0
        self._aged_not_before = 0.0
        self._compared = False
        self._edits_wait = WAITS[group]

    def wake(self) -> None:
        """Build soon, or after the build that goes on."""
        self._woken.set()

    def end(self) -> None:
        """Build nothing more."""
        self._ended.set()
        self._woken.set()

    def stop(self) -> None:
        """End the thread, waiting for a running build at most two seconds."""
        self.end()
        if self.is_alive():
            self.join(STOP_SECONDS)

    def run(self) -> None:
        while True:
            self._woken.wait()
            if self._ended.wait(max(DEBOUNCE_SECONDS, self._not_before - time.monotonic())):
                return
            # Before the build: whatever is committed from here on may be too late for it.
            self._woken.clear()
            self._build()

    def is_due(self, conn: psycopg.Connection[Any]) -> bool:
        """Whether there is something to build; asked by one thread, on its connection."""
        instant = time.monotonic()
        if not self._compared or instant >= self._aged_not_before:
            return True
        [(edited, counted, now)] = conn.execute(PENDING_SQL.format(mark=self._group.value))
        if edited and now - edited >= self._edits_wait:
            return True
        if not counted or now - counted < WAITS[self._group] or instant < self._counts_not_before:
            return False
        self._counts_not_before = instant + COUNTS_POLL_SECONDS
        return True

    def _build(self) -> None:
        """Publish what is pending. A process's first build compares everything: a release may render rows anew."""
        started = time.monotonic()
        aged = started >= self._aged_not_before
        try:
            built = build(now=timezone.now(), groups=[self._group], force=not self._compared, aged=aged)
        except Exception:
            logger.exception("a build failed; trying again in %d s", BUILD_RETRY_SECONDS)
            self._not_before = time.monotonic() + BUILD_RETRY_SECONDS
        else:
            took = time.monotonic() - started
            if built or not self._compared:
                longest = WAITS[self._group]
                self._edits_wait = min(longest, EDITS_WAIT) if took <= QUICK_SECONDS else longest
            self._compared = True
            self._aged_not_before = started + AGED_SECONDS if aged else self._aged_not_before
            # Building takes at most half of this thread's time, whatever the rate of edits.
            self._not_before = started + 2 * took
        finally:
            connection.close()
