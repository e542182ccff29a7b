"""How many answers a web process makes at once, so that reading never waits for a thread, a connection or the CPU."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from django.conf import settings

from ask import flights
from ask.errors import FREE_ENGLISH, FREE_KOREAN, AnswerInProgress
from ask.turns import Turns
from knowledge.errors import Busy
from knowledge.postgres.cores import cores, count
from knowledge.search.bulkhead import Bulkhead

RETRY_AFTER = 3


class AnswerPlaces(Bulkhead):
    """A bulkhead that knows which questions its places are for.

    Of a crowd with one question, those beyond the places wait for the answer of those inside, also in the moment in
    which none of them has the question's lease yet.
    """

    def __init__(
        self, places: int, *, retry_after: int, english: str | None = None, korean: str | None = None
    ) -> None:
        super().__init__(places, retry_after=retry_after, english=english, korean=korean)
        self._inside: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def place(self, question_hash: str) -> Iterator[None]:
        """A place to answer this question. Where none is free, raises AnswerInProgress if somebody is at the same
        question, in this process or in another, else Busy."""
        try:
            self._enter(question_hash)
        except Busy:
            if flights.is_under_way(question_hash):
                raise AnswerInProgress(question_hash) from None
            raise
        try:
            yield
        finally:
            self._leave(question_hash)

    @property
    def inside(self) -> int:
        """How many have a place to answer a question of theirs."""
        with self._lock:
            return self._inside.total()

    def _enter(self, question_hash: str) -> None:
        # One step: the last one inside must not leave between the look for a place and the look for the question.
        with self._lock:
            try:
                self.__enter__()
            except Busy:
                if question_hash in self._inside:
                    raise AnswerInProgress(question_hash) from None
                raise
            self._inside[question_hash] += 1

    def _leave(self, question_hash: str) -> None:
        with self._lock:
            self._inside[question_hash] -= 1
            if not self._inside[question_hash]:
                del self._inside[question_hash]
            self.__exit__()


# An answer holds its thread for seconds: at most 40 per cent of them do.
ANSWERS = AnswerPlaces(
    max(1, settings.WEB_THREADS * 2 // 5),
    retry_after=RETRY_AFTER,
    english=f"As many questions as possible are being answered. Try again in a moment. {FREE_ENGLISH}",
    korean=f"지금은 새 질문을 더 받을 수 없습니다. 잠시 뒤에 다시 물어 주세요. {FREE_KOREAN}",
)
_LOOKING_UP = Turns()  # retrieval and quoting
# What the model wrote is paid for, and its question's lease runs out: it waits for no retrieval. Of a crowd that asked
# at once the answers come at once.
CHECKING = Turns()
# So many questions at once in a process, and one core is left for those who read; fewer may have all of them.
CROWD = 9


def turn_to_look_up() -> AbstractContextManager[None]:
    """Wait for a turn to look up and quote."""
    return _LOOKING_UP.turn(shared=leave_a_core)


def turn_to_check() -> AbstractContextManager[None]:
    """Wait for a turn to check what the model wrote."""
    leave_a_core()
    return CHECKING.turn()


def leave_a_core() -> bool:
    """In a crowd, have this thread compute on all cores but one, where ``cores`` has begun. Whether it is one."""
    is_crowd = ANSWERS.inside >= CROWD
    cores.keep_one_free(is_crowd)
    return is_crowd


def share_turns(file: int) -> None:
    """Take turns with the other processes that forked off with this file, which is open for writing."""
    # A retrieval computes in Python or in Postgres, never in both at a time: one core is left for those who read.
    at_a_time = max(1, count() - 1)
    _LOOKING_UP.share(file, range(at_a_time))
    CHECKING.share(file, range(at_a_time, 2 * at_a_time))


# The pool lets no more than three quarters of the threads hold or await a connection. A crowd of askers awaits its
# first one here, so that the pool refuses none of them, and no reader beside them.
_LOOKING = threading.BoundedSemaphore(8)
_LOOKING_SECONDS = 5.0  # as long as the pool itself lets a thread wait


@contextmanager
def first_look() -> Iterator[None]:
    """Wait for a turn to take a connection, which is kept after the block. Raises Busy after five seconds."""
    if not _LOOKING.acquire(timeout=_LOOKING_SECONDS):
        raise Busy(retry_after=RETRY_AFTER)
    try:
        yield
    finally:
        _LOOKING.release()
