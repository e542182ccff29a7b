"""What can go wrong while the stack starts or runs, each a sentence for the person at the terminal."""

import signal


class EmbeddedError(Exception):
    """The stack cannot go on; the message is one plain sentence, perhaps with the end of a log below it."""


class StopRequested(Exception):  # noqa: N818 (a request, not an error)
    """Ctrl-C or a signal asked for the end."""

    def __init__(self, signum: int) -> None:
        super().__init__(signal.Signals(signum).name)
        self.signum = signum
