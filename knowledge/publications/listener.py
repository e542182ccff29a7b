"""One thread with a connection of its own hears of every change, for as long as this process lives.

It waits for NOTIFY and looks once a second as a safety net. It keeps the bytes of publications in this process's memory
current, tells ``hearing`` which scopes changed, and wakes a publisher where something is to be published. While
Postgres is away, the last bytes are served.
"""

import atexit
import logging
import threading
import time
from collections.abc import Iterable
from functools import cache
from typing import Any

import psycopg

from knowledge.postgres import own
from knowledge.postgres.base import renew_pool
from knowledge.publications.builder import PUBLICATION_CHANNEL
from knowledge.publications.cache import PublicationCache, publication_cache
from knowledge.publications.hearing import ALL, DOCUMENTS, Hearing, hearing, index_scope
from knowledge.publications.publisher import Publisher
from knowledge.publications.registry import PublicationGroup, registered

logger = logging.getLogger(__name__)

CHANGE_CHANNEL = (
    "madang_change"  # the scope of an edit that is to be published; empty where only counts changed
)
SCOPE_CHANNEL = "madang_scope"  # a scope of which nothing is published
# What triggers say of new documents, which come by the dozen: they are told as ``documents``, together with later ones.
NEW_DOCUMENTS = "documents:new"
NEW_DOCUMENTS_SECONDS = 5.0
POLL_SECONDS = 1.0
RETRY_SECONDS = (0.5, 1.0, 2.0, 5.0)  # the last one again and again
STOP_SECONDS = 2.0


class Listener(threading.Thread):
    """Keeps ``target`` current and tells ``told`` what changed until stopped."""

    def __init__(self, target: PublicationCache, told: Hearing) -> None:
        super().__init__(name="publications", daemon=True)
        self._cache = target
        self._hearing = told
        self._publishers = [Publisher(group) for group in PublicationGroup]
        self._ended = threading.Event()
        self._failures = 0
        self._new_documents = False  # some have not been told yet
        self._documents_not_before = 0.0  # monotonic: when new ones may be told again

    def stop(self) -> None:
        """End the thread and its publishers, waiting for each one's running build at most two seconds."""
        self._ended.set()
        for publisher in self._publishers:
            publisher.end()
        for publisher in self._publishers:
            publisher.stop()
        if self.is_alive():
            self.join(STOP_SECONDS)

    def run(self) -> None:
        for publisher in self._publishers:
            publisher.start()
        while not self._ended.is_set():
            try:
                self._session()
            except psycopg.Error as error:
                # A statement that is refused comes from a Postgres that is there.
                if isinstance(error, psycopg.OperationalError):
                    self._hearing.lost()
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
        """On one connection, for as long as it lasts: take in what was published, have built what is pending, hear."""
        with psycopg.connect(**own.parameters("madang publications")) as conn:
            conn.execute(f"LISTEN {CHANGE_CHANNEL}; LISTEN {PUBLICATION_CHANNEL}; LISTEN {SCOPE_CHANNEL}")
            self._refresh(conn)
            # Nobody listened until now.
            self._hearing.tell([ALL])
            if self._failures:
                logger.info("the database is back")
                self._failures = 0
                renew_pool()
            while not self._ended.is_set():
                self._refresh(conn)
                self._hearing.heard()
                for publisher in self._publishers:
                    if publisher.is_due(conn):
                        publisher.wake()
                self._hear(conn)

    def _hear(self, conn: psycopg.Connection[Any]) -> None:
        """Tell what is heard, until it is something to be published or taken in, or a second has gone."""
        until = time.monotonic() + POLL_SECONDS
        while not self._ended.is_set() and (left := until - time.monotonic()) > 0:
            notices = list(conn.notifies(timeout=left, stop_after=1))
            # A loader's thousand statements are one piece of news.
            notices += conn.notifies(timeout=0) if notices else ()
            self._tell({notice.payload for notice in notices if notice.channel != PUBLICATION_CHANNEL})
            if any(notice.channel != SCOPE_CHANNEL for notice in notices):
                return

    def _tell(self, heard: Iterable[str]) -> None:
        """Scopes as notifications state them; new documents at most every few seconds."""
        scopes, instant = {*heard} - {""}, time.monotonic()
        if NEW_DOCUMENTS in scopes:
            scopes.remove(NEW_DOCUMENTS)
            self._new_documents = True
        if self._new_documents and instant >= self._documents_not_before:
            scopes.add(DOCUMENTS)
            self._documents_not_before = instant + NEW_DOCUMENTS_SECONDS
        if DOCUMENTS in scopes:
            self._new_documents = False
        self._hearing.tell(scopes)

    def _refresh(self, conn: psycopg.Connection[Any]) -> None:
        """Take in what was published. It shows changes of these scopes, counts among them, which no edit told."""
        with conn.cursor(binary=True) as cursor:
            taken_in = self._cache.refresh(cursor)
        self._hearing.tell(
            scope
            for definition in registered(taken_in)
            for scope in (index_scope(definition.name), *definition.scopes, *definition.counts)
        )


@cache
def start_listening() -> None:
    """Start this process's listener, once. It returns at once; call it after the fork."""
    listener = Listener(publication_cache, hearing)
    listener.start()
    atexit.register(listener.stop)
