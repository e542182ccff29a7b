"""What the front did, counted on the event loop and told once a second."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple


class Hit(NamedTuple):
    """One kind of what was given from memory."""

    view: str
    method: str
    status: int


@dataclass(slots=True)
class FrontCounts:
    """Since they were last taken: hits by kind, their bytes, what was closed or refused by its reason."""

    hits: Counter[Hit] = field(default_factory=Counter)
    bytes: defaultdict[Hit, int] = field(default_factory=lambda: defaultdict(int))
    ended: Counter[str] = field(default_factory=Counter)

    def hit(self, view: str, method: str, status: int, size: int) -> None:
        kind = Hit(view, method, status)
        self.hits[kind] += 1
        self.bytes[kind] += size

    def end(self, reason: str) -> None:
        self.ended[reason] += 1

    def __bool__(self) -> bool:
        return bool(self.hits or self.ended)

    def take(self) -> "FrontCounts":
        """What was counted; from now on it is counted anew."""
        taken = FrontCounts(self.hits, self.bytes, self.ended)
        self.hits, self.bytes, self.ended = Counter(), defaultdict(int), Counter()
        return taken
