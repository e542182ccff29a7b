"""Until when a client has to send what it owes, and to take what was written for it."""

from collections.abc import Callable

NEVER = float("inf")
# What a client has to send, and how long it may take.
SECONDS = {"head": 10.0, "body": 30.0, "idle": 75.0, "last_word": 5.0, "": NEVER}
LEAVING_SECONDS = 1.0  # for a request that is on its way while this process stops
WRITE_SECONDS, READER_BYTES = 60.0, 64 * 1024  # a reader takes so much in that time, or all that is left


class Deadlines:
    """Of one connection.

    ``awaits`` is what its client has to send: ``head``, ``body``, nothing while it is ``idle``, the end after our
    ``last_word``, or "" where the client has sent all and is itself waiting. A second deadline is for taking what was
    written: ``reader``. ``clock`` is the loop's.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.awaits = ""
        self._clock = clock
        self._sends_until = NEVER
        self._takes_until = NEVER
        self._left = 0  # bytes that were not taken when the reader's deadline was set

    def expect(self, what: str, *, is_leaving: bool = False) -> None:
        self.awaits = what
        seconds = LEAVING_SECONDS if what == "idle" and is_leaving else SECONDS[what]
        self._sends_until = self._clock() + seconds

    def have_taken(self, left: int) -> None:
        """The reader's deadline from now on, with so many bytes to take; none where there is nothing."""
        self._left = left
        self._takes_until = self._clock() + WRITE_SECONDS if left else NEVER

    @property
    def has_reader(self) -> bool:
        """Whether the reader has a deadline already."""
        return self._takes_until != NEVER

    def lift(self) -> None:
        self._sends_until = self._takes_until = NEVER

    def missed(self, now: float, left: int, *, is_paused: bool, is_leaving: bool) -> str | None:
        """The deadline that has passed, if one has; those that were kept are set anew.

        ``left`` is what is still to be taken, ``is_paused`` whether it is we who do not read.
        """
        if now >= self._takes_until:
            if left and self._left - left < READER_BYTES:
                return "reader"
            self.have_taken(left)
        if now < self._sends_until:
            return None
        if is_paused or (left and self.awaits in ("idle", "last_word")):
            # The client still takes what it has to take first.
            self.expect(self.awaits, is_leaving=is_leaving)
            return None
        return self.awaits
