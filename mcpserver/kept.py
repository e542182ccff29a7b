"""Results of look-ups kept in the process's memory for a moment: agents ask for the same few records all day.

A look-up costs eight queries, which is sixty times what answering from memory costs. A result is kept for seconds, and
not past the publications it was made beside: when the canon changes, their new versions arrive in every process and
nothing made before is given out again. A process that has no publications yet keeps nothing.
"""

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from knowledge.publications import publication_cache
from mcpserver.protocol import Result

KEPT_SECONDS = 10.0
KEPT_MAX = 1_000
NEEDED = frozenset({"entities", "topics", "events", "pulses"})

Version = tuple[tuple[str, tuple[int, str]], ...]


class Kept:
    """Results by tool and canonical arguments, the oldest out first."""

    def __init__(self) -> None:
        self._results: OrderedDict[str, tuple[float, Version, Result]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, tool: str, arguments: Mapping[str, Any]) -> Result | None:
        version = _version()
        found = self._results.get(_key(tool, arguments)) if version else None
        if found is None or found[1] != version or found[0] < time.monotonic():
            return None
        return found[2]

    def put(self, tool: str, arguments: Mapping[str, Any], version: Version, result: Result) -> None:
        """Keep what was made since ``version`` was taken; nothing if the canon changed meanwhile."""
        if not version or version != _version():
            return
        with self._lock:
            self._results[_key(tool, arguments)] = time.monotonic() + KEPT_SECONDS, version, result
            while len(self._results) > KEPT_MAX:
                self._results.popitem(last=False)

    def version(self) -> Version:
        """What to hand to ``put``; taken before the store is read."""
        return _version()

    def clear(self) -> None:
        with self._lock:
            self._results.clear()


def _version() -> Version:
    """The publications here, by name; nothing while one of those that say what is public is missing."""
    versions = publication_cache.versions()
    return tuple(versions.items()) if versions.keys() >= NEEDED else ()


def _key(tool: str, arguments: Mapping[str, Any]) -> str:
    # The standard library's writer, because every value that a schema lets through has a form there.
    return json.dumps([tool, arguments], sort_keys=True)


kept = Kept()
