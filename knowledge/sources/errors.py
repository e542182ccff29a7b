"""How a fetch fails: one exception for every cause, and one condition that is not a failure."""

from typing import Literal

Cause = Literal[
    "timeout", "dns", "tls", "refused", "status", "too_large", "parse", "empty", "forbidden_address"
]


class SourceError(Exception):
    """A source could not be read. ``str()`` gives ``<cause>: <detail>`` and never holds a key.

    ``retry_after`` is the number of seconds the other side asked to be left alone; ``status`` is the HTTP status where
    there was one. ``refused`` also stands for a connection that broke off.
    """

    def __init__(
        self, cause: Cause, detail: str = "", *, retry_after: float | None = None, status: int | None = None
    ) -> None:
        super().__init__(cause, detail)
        self.cause: Cause = cause
        self.detail = detail
        self.retry_after = retry_after
        self.status = status

    def __str__(self) -> str:
        return f"{self.cause}: {self.detail}" if self.detail else self.cause


class NeedsKey(Exception):  # noqa: N818 - a condition shown as "needs a key", not an error
    """The source works with a free key that nobody has set yet, in the named setting."""

    def __str__(self) -> str:
        return f"needs a key: set {self.args[0]}"
