"""The bodies in this process's memory. Reading one is a dictionary look-up, with Postgres up or down."""

import gzip
import threading
import time
from collections.abc import Iterable, Mapping
from typing import Any

import psycopg
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.utils import timezone
from rest_framework import status

from knowledge.errors import Refusal
from knowledge.publications.bodies import StoredBody
from knowledge.publications.builder import build
from knowledge.publications.registry import registered

# A first request before the first load waits this long for the store, then says so.
COLD_START_SECONDS = 5.0
COLD_RETRY_SECONDS = 0.1

VERSIONS_SQL = "SELECT name, version, etag FROM knowledge_publication WHERE name = ANY(%s)"
BODIES_SQL = (
    "SELECT content_type, etag, built_at, version, count, gz, br FROM knowledge_publication WHERE name = %s"
)


class NotReady(Refusal):
    """503: this process has no copy yet and cannot make one now."""

    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_code = "not_ready"
    english = "This index is being built for the first time. Try again in a few seconds."
    korean = "이 색인을 처음 만들고 있습니다. 몇 초 뒤에 다시 시도하세요."


class PublicationCache:
    """Stored bodies by name. Replacing one is a single assignment, so readers need no lock."""

    def __init__(self) -> None:
        self._bodies: dict[str, StoredBody] = {}
        self._loading = threading.Lock()

    def get(self, name: str) -> StoredBody:
        """The body of a registered publication. Only a process's first call for it may query.

        Raises NotReady (503) when another process is still making the first copy, and the database's own
        errors when it cannot be reached.
        """
        return self._bodies.get(name) or self._first(name)

    def versions(self) -> Mapping[str, tuple[int, str]]:
        # A copy, for another thread may add a first body meanwhile.
        return {name: (body.version, body.etag) for name, body in self._bodies.copy().items()}

    def refresh(
        self, cursor: CursorWrapper | psycopg.Cursor[Any], names: Iterable[str] | None = None
    ) -> list[str]:
        """Take in the stored bodies that differ from those here; gives their names."""
        held = self.versions()
        cursor.execute(VERSIONS_SQL, [[definition.name for definition in registered(names)]])
        changed = [name for name, *version in cursor.fetchall() if held.get(name) != tuple(version)]
        # One at a time: at 20,000 entities the three encodings of one are megabytes.
        for name in changed:
            cursor.execute(BODIES_SQL, [name])
            for content_type, etag, built_at, version, count, gz, br in cursor.fetchall():
                contents = {"identity": gzip.decompress(gz), "gzip": bytes(gz), "br": bytes(br)}
                self._bodies[name] = StoredBody(content_type, etag, built_at, contents, version, count)
        return changed

    def clear(self) -> None:
        """Forget everything: the next ``get`` reads again. For tests, whose database starts over."""
        self._bodies.clear()

    def __contains__(self, name: str) -> bool:
        return name in self._bodies

    def _first(self, name: str) -> StoredBody:
        """Read the stored body; make it when there is none, or wait for whoever is making it."""
        if not self._loading.acquire(timeout=COLD_START_SECONDS):
            raise NotReady(retry_after=3)
        try:
            deadline = time.monotonic() + COLD_START_SECONDS
            while name not in self._bodies:
                with connection.cursor() as cursor:
                    self.refresh(cursor, [name])
                if name in self._bodies:
                    break
                if time.monotonic() > deadline:
                    raise NotReady(retry_after=3)
                if not build(now=timezone.now(), names=[name]):
                    time.sleep(COLD_RETRY_SECONDS)
            return self._bodies[name]
        finally:
            self._loading.release()


publication_cache = PublicationCache()
