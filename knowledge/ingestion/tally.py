"""What became of the items of one run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Tally:
    fetched: int = 0
    created: int = 0
    updated: int = 0
    unchanged: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.fetched + other.fetched,
            self.created + other.created,
            self.updated + other.updated,
            self.unchanged + other.unchanged,
        )
