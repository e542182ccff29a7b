"""Finished public responses in this process's memory, within a budget of bytes."""

import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol

from cachetools import LRUCache

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class FrontResponse:
    """A response. ``rest`` is None where ``body`` is all of it."""

    status: int
    headers: Headers
    body: bytes
    rest: "RestOfStream | None" = None


class RestOfStream(Protocol):
    """What follows the first part of a stream. Whoever has it calls ``end``, however many parts were taken."""

    def parts(self) -> AsyncIterator[bytes]: ...

    async def end(self) -> None: ...


BYTES_EACH = 4096  # what a response takes beside its body: key, headers, the same as lines, objects
NAME_BYTES = 512  # what a key that leads to another one takes
NOTES_MAX = 4096  # the latest news of changes, which outlast any request


class Key(NamedTuple):
    """What decides which response a reader gets."""

    scheme: str
    host: bytes
    path: str
    query: bytes
    coding: str


class Wanted(NamedTuple):
    """What of a request decides what it is given. ``key`` is None where nothing is ever kept for it."""

    key: Key | None
    method: str
    headers: Mapping[bytes, bytes]


@dataclass(frozen=True)
class KeptResponse:
    """A response as it left Django. ``view`` is its route's name; ``scopes`` what it was made from."""

    headers: Headers
    headers_304: Headers
    body: bytes
    etag: bytes
    view: str
    scopes: frozenset[str]
    not_after: float = field(compare=False)  # of the memory's clock

    @property
    def weight(self) -> int:
        return BYTES_EACH + len(self.body)

    @cached_property
    def lines(self) -> bytes:
        """The headers as they are written, and those of a 304."""
        return lines_of(self.headers)

    @cached_property
    def lines_304(self) -> bytes:
        return lines_of(self.headers_304)


def lines_of(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    return b"".join(b"%s: %s\r\n" % pair for pair in headers)


class Memory:
    """Responses by key, the least used out first. It belongs to the event loop: no other thread may touch it."""

    def __init__(self, budget: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._largest = budget // 4
        self._entries = _Entries(budget)
        # A query that says what nobody reads leads to the entry of the page itself.
        self._names: LRUCache[Key, Key] = LRUCache(budget // 8, getsizeof=lambda _key: NAME_BYTES)
        self._told: deque[tuple[float, frozenset[str]]] = deque(maxlen=NOTES_MAX)

    def get(self, key: Key) -> KeptResponse | None:
        """The entry, be it current or not."""
        found = self._entries.get(key)
        if found is None and key in self._names:
            found = self._entries.get(self._names[key])
        return found

    def keep(self, key: Key, entry: KeptResponse, *, asked_at: float, variant: bytes | None = None) -> bool:
        """Keep what was asked for at ``asked_at``, under its ``variant`` instead of the query where there is one.

        Not what is heavier than a quarter of the budget, and not what was made from something that has changed since.
        """
        if entry.weight > self._largest or self.has_changed(asked_at, entry.scopes):
            return False
        own = key if variant is None else key._replace(query=variant)
        if own != key:
            self._names[key] = own
        self._entries[own] = entry
        return True

    def forget(self, scopes: Iterable[str]) -> None:
        """Forget whatever was made from one of the scopes; everything, if ``all`` is among them."""
        told = frozenset(scopes)
        self._told.append((self.clock(), told))
        if "all" in told:
            self._entries.clear()
        else:
            self._entries.forget(told)

    def has_changed(self, moment: float, scopes: Set[str]) -> bool:
        """Whether something of the scopes was told at a moment or after it, or may have been."""
        for at, told in reversed(self._told):
            if at < moment:
                return False
            if "all" in told or not told.isdisjoint(scopes):
                return True
        return len(self._told) == NOTES_MAX

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def bytes(self) -> int:
        return int(self._entries.currsize)


class _Entries(LRUCache[Key, KeptResponse]):
    """Entries, and by scope the keys of those that were made from it."""

    def __init__(self, budget: int) -> None:
        super().__init__(budget, getsizeof=lambda entry: entry.weight)
        self._of_scope: defaultdict[str, set[Key]] = defaultdict(set)

    def __setitem__(self, key: Key, entry: KeptResponse) -> None:
        self.pop(key, None)
        super().__setitem__(key, entry)
        for scope in entry.scopes:
            self._of_scope[scope].add(key)

    def __delitem__(self, key: Key) -> None:
        entry = self[key]
        super().__delitem__(key)
        for scope in entry.scopes:
            keys = self._of_scope[scope]
            keys.discard(key)
            if not keys:
                del self._of_scope[scope]

    def clear(self) -> None:
        super().clear()
        self._of_scope.clear()

    def forget(self, scopes: Iterable[str]) -> None:
        for key in [key for scope in scopes for key in self._of_scope.get(scope, ())]:
            self.pop(key, None)
