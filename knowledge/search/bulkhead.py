"""How much of one kind of slow work a process takes on at once; the rest is told to come back."""

import threading

from knowledge.errors import Busy


class Bulkhead:
    """At most ``places`` callers inside; the next one raises Busy (503) with ``retry_after`` seconds.

    ``english`` and ``korean`` say more than Busy itself, such as what is possible meanwhile.
    """

    def __init__(
        self, places: int, *, retry_after: int, english: str | None = None, korean: str | None = None
    ) -> None:
        self._free = threading.BoundedSemaphore(places)
        self._retry_after = retry_after
        self._words = (english, korean)

    def __enter__(self) -> None:
        if not self._free.acquire(blocking=False):
            raise Busy(*self._words, retry_after=self._retry_after)

    def __exit__(self, *_failure: object) -> None:
        self._free.release()


# A search holds a thread and a database connection; eight of them leave the pool's other readers alone.
SEARCHES = Bulkhead(8, retry_after=1)
