"""One thread with a connection of its own keeps the bytes in this process's memory current.

It waits for NOTIFY and looks once a second as a safety net. It also builds: whichever web process gets the advisory
lock first publishes a change, so that an edit is public within a second or two even when no worker runs. While Postgres
is away, the last bytes are served.
"""

import atexit
import logging
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import psycopg
from django.db import connection
from django.utils import timezone

from knowledge.postgres import own
from knowledge.postgres.base import renew_pool
from knowledge.publications.builder import PUBLICATION_CHANNEL, build
from knowledge.publications.cache import PublicationCache, publication_cache

logger = logging.getLogger(__name__)

CHANGE_CHANNEL = "madang_change"
POLL_SECONDS = 1.0
# An editor's form saves a unit in several statements and a loader hundreds; one build takes them all.
DEBOUNCE_SECONDS = 0.1
# Counts wait half a minute in the builder; asking it every second would only take locks.
COUNTS_POLL_SECONDS = 5.0
# A value becomes overdue though nothing changes. Every process looks, for the worker may be what is away.
AGED_SECONDS = 300.0
RETRY_SECONDS = (0.5, 1.0, 2.0, 5.0)  # the last one again and again
BUILD_RETRY_SECONDS = 30.0  # after a defect: it will most likely be there again
STOP_SECONDS = 2.0

PENDING_SQL = (
    "SELECT EXISTS (SELECT FROM knowledge_change WHERE NOT counts_only),"
    " EXISTS (SELECT FROM knowledge_change WHERE counts_only)"
)


class Listener(threading.Thread):
    """Keeps ``target`` current until stopped."""

    def __init__(self, target: PublicationCache) -> None:
        super().__init__(name="publications", daemon=True)
        self._cache = target
        self._ended = threading.Event()
        self._failures = 0
        self._not_before = 0.0  # monotonic: the next build
        self._counts_not_before = 0.0
        self._aged_not_before = 0.0
        self._compared = False

    def stop(self) -> None:
        """End the thread, waiting for a running build at most two seconds."""
        self._ended.set()
        if self.is_alive():
            self.join(STOP_SECONDS)

    def run(self) -> None:
        while not self._ended.is_set():
            try:
                self._session()
            except psycopg.Error as error:
                # One line an outage: a database that is down for an hour is not news every five seconds.
                if self._failures == 0:
                    logger.warning("lost the database (%s); serving the last bodies", type(error).__name__)
                self._ended.wait(RETRY_SECONDS[min(self._failures, len(RETRY_SECONDS) - 1)])
                self._failures += 1
            except Exception:
                # A process whose listener has died would show the same canon until its restart.
                logger.exception("the listener failed; starting over")
                self._ended.wait(RETRY_SECONDS[-1])

    def _session(self) -> None:
        """On one connection, for as long as it lasts: take in what was published, build what is pending, wait."""
        with psycopg.connect(**own.parameters("madang publications")) as conn:
            conn.execute(f"LISTEN {CHANGE_CHANNEL}; LISTEN {PUBLICATION_CHANNEL}")
            self._refresh(conn)
            if self._failures:
                logger.info("the database is back")
                self._failures = 0
                renew_pool()
            while not self._ended.is_set():
                self._refresh(conn)
                if self._due(conn):
                    self._ended.wait(DEBOUNCE_SECONDS)
                    # This process shows the indexes before it goes on to the files of crawlers.
                    self._build(lambda: self._refresh(conn))
                    self._refresh(conn)
                self._wait(conn)

    def _wait(self, conn: psycopg.Connection[Any]) -> None:
        """Until something is heard, a second has gone, or the next build may start."""
        pause = self._not_before - time.monotonic()
        timeout = pause if 0 < pause < POLL_SECONDS else POLL_SECONDS
        if list(conn.notifies(timeout=timeout, stop_after=1)):
            # A loader's thousand statements are one piece of news.
            list(conn.notifies(timeout=0))

    def _refresh(self, conn: psycopg.Connection[Any]) -> None:
        with conn.cursor(binary=True) as cursor:
            self._cache.refresh(cursor)

    def _due(self, conn: psycopg.Connection[Any]) -> bool:
        instant = time.monotonic()
        if instant < self._not_before:
            return False
        if not self._compared or instant >= self._aged_not_before:
            return True
        [(edits, counts)] = conn.execute(PENDING_SQL)
        if edits or not counts or instant < self._counts_not_before:
            return bool(edits)
        self._counts_not_before = instant + COUNTS_POLL_SECONDS
        return True

    def _build(self, after_stage: Callable[[], None]) -> None:
        """Publish what is pending. A process's first build compares everything: a release may render rows anew."""
        started = time.monotonic()
        aged = started >= self._aged_not_before
        try:
            build(now=timezone.now(), force=not self._compared, aged=aged, after_stage=after_stage)
            self._compared = True
            self._aged_not_before = started + AGED_SECONDS if aged else self._aged_not_before
        except psycopg.Error:
            # The connection broke between two stages: no defect of the build, and ``run`` connects again at once.
            raise
        except Exception:
            logger.exception("a build failed; trying again in %d s", BUILD_RETRY_SECONDS)
            self._not_before = time.monotonic() + BUILD_RETRY_SECONDS
        else:
            # Building takes at most half of this thread's time, whatever the rate of edits.
            finished = time.monotonic()
            self._not_before = finished + (finished - started)
        finally:
            connection.close()


@cache
def start_listening() -> None:
    """Start this process's listener, once. It returns at once; call it after the fork."""
    listener = Listener(publication_cache)
    listener.start()
    atexit.register(listener.stop)
