"""How many requests Django begins to work at, at a time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

AT_A_TIME = 2
# The process beside this one has one interpreter too: what 200 ask at once took a fifth more of the CPU.
AT_A_TIME_ELSEWHERE = 1
# Who takes longer waits for the database or the model, or is one of few that compute for long.
STARTING_SECONDS = 0.05


class Starts:
    """Places for those that have just begun; each is given back when its request is done, or after 50 ms.

    A process has one interpreter. Threads that compute take turns with the loop, and of a crowd that begins at once
    each takes its turn before a reader of what is in memory gets one: beside 200 askers the slowest reads of the first
    second took seven times as long.
    """

    def __init__(self, at_a_time: int) -> None:
        self._free = asyncio.Semaphore(at_a_time)
        self._taken: set[object] = set()

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """First come, first served."""
        await self._free.acquire()
        place = object()
        self._taken.add(place)
        later = asyncio.get_running_loop().call_later(STARTING_SECONDS, self._give_back, place)
        try:
            yield
        finally:
            later.cancel()
            self._give_back(place)

    def _give_back(self, place: object) -> None:
        if place in self._taken:
            self._taken.remove(place)
            self._free.release()
