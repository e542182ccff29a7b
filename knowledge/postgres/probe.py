"""Whether Postgres answers: asked by one connection at a time, shared by everybody who wants to know."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future

import psycopg

from knowledge.postgres import own

logger = logging.getLogger(__name__)

SHARED_SECONDS = 1.0
# Health promises to speak within a second, whatever Postgres does.
DEADLINE_SECONDS = 0.7
CONNECT_SECONDS = 2  # the least that libpq takes


def ping() -> None:
    """One statement on a connection of its own. Raises psycopg.Error."""
    with psycopg.connect(**{**own.parameters("madang health"), "connect_timeout": CONNECT_SECONDS}) as probe:
        probe.execute("SELECT 1")


class Probe:
    """The answer to ``ping``, no older than a second.

    However many ask, one thread and one connection look. A look that takes longer than its deadline counts as "no"
    until it ends, and only then the next one begins.
    """

    def __init__(
        self, look: Callable[[], None] = ping, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._look = look
        self._clock = clock
        self._lock = threading.Lock()
        self._answer: Future[bool] | None = None
        self._began = 0.0

    def answers(self) -> bool:
        """Waits for the look under way, and no longer than to its deadline."""
        answer, left = self._current()
        try:
            return answer.result(timeout=left)
        except TimeoutError:
            return False

    def known(self) -> bool | None:
        """The same without waiting; None while the look is under way and may still succeed."""
        answer, left = self._current()
        if answer.done():
            return answer.result()
        return None if left else False

    def forget(self) -> None:
        """Look anew when next asked: something contradicts the last answer."""
        with self._lock:
            self._answer = None

    def _current(self) -> tuple[Future[bool], float]:
        """The latest look, begun now if need be, and the seconds that are left of its deadline."""
        with self._lock:
            age = self._clock() - self._began
            if self._answer is None or (self._answer.done() and age >= SHARED_SECONDS):
                self._answer, self._began, age = Future(), self._clock(), 0.0
                thread = threading.Thread(target=self._ask, args=(self._answer,), name="probe", daemon=True)
                thread.start()
            return self._answer, max(0.0, DEADLINE_SECONDS - age)

    def _ask(self, answer: Future[bool]) -> None:
        try:
            self._look()
            answer.set_result(True)
        except Exception as error:  # whatever the reason, it does not answer
            logger.debug("no answer: %s", type(error).__name__)
            answer.set_result(False)


probe = Probe()
