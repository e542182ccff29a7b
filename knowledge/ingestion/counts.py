"""What became of the items of one run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class ItemCounts:
    """Items by what they changed; one that is left out by the source's own rules is only fetched."""

    fetched: int = 0
    created: int = 0
    updated: int = 0
    unchanged: int = 0

    def __add__(self, other: ItemCounts) -> ItemCounts:
        return ItemCounts(
            self.fetched + other.fetched,
            self.created + other.created,
            self.updated + other.updated,
            self.unchanged + other.unchanged,
        )

    def count(self, total: int, known: list[bool]) -> None:
        """Of ``total`` points these were written; each says whether it was there before."""
        self.updated += sum(known)
        self.created += len(known) - sum(known)
        self.unchanged += total - len(known)
