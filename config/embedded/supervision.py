"""The frame around everything that is run: whatever happens inside, nothing is left running after it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from config.embedded.children import Children
from config.embedded.guard import Guard
from config.embedded.output import Output


@contextmanager
def supervised(output: Output, on_end: Callable[[], None] = lambda: None) -> Iterator[Children]:
    """Children that are all stopped at the end; ``on_end`` is called before, also after a ``kill -9``."""
    guard = Guard(on_end)
    children = Children(guard, output.line)
    try:
        yield children
    finally:
        on_end()
        children.stop_all()
        guard.dismiss()
