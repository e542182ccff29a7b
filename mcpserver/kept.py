"""Results of look-ups kept in the process's memory for a moment: agents ask for the same few records all day.

A look-up costs eight queries, which is sixty times what answering from memory costs. A result is kept for seconds, and
not past the publications it was made beside: when the canon changes, their new versions arrive in every process and
nothing made before is given out again. A process that has no publications yet keeps nothing.
"""

import json
import threading
from collections.abc import Mapping
from typing import Any

from cachetools import TTLCache

from knowledge.publications import publication_cache
from mcpserver.protocol import Result

KEPT_SECONDS = 10.0
KEPT_MAX = 1_000
NEEDED = frozenset({"entities", "topics", "events", "pulses", "series"})

# The publications here, by name, then tool and arguments.
Key = tuple[tuple[tuple[str, tuple[int, str]], ...], str]

kept: TTLCache[Key, Result] = TTLCache(KEPT_MAX, KEPT_SECONDS)
_lock = threading.Lock()


def key_of(tool: str, arguments: Mapping[str, Any]) -> Key | None:
    """Where the result of a look-up is kept; taken before the store is read. None while a publication is missing."""
    versions = publication_cache.versions()
    if not versions.keys() >= NEEDED:
        return None
    # The standard library's writer, because every value that a schema lets through has a form there.
    return tuple(versions.items()), json.dumps([tool, arguments], sort_keys=True)


def found(key: Key | None) -> Result | None:
    with _lock:
        return kept.get(key) if key else None


def keep(key: Key | None, result: Result) -> None:
    if key:
        with _lock:
            kept[key] = result
