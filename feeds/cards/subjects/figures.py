"""A number on a card: its value, how it moved, when it was measured and by whom."""

from typing import TypedDict

from feeds.cards.content import joined
from knowledge.queries.numbers import ShownNumber


class NumberOnCard(TypedDict):
    """Those members of a card that a number fills."""

    value: str
    moved: str
    direction: str
    note: str


def stated(number: ShownNumber, *, named: str) -> NumberOnCard:
    """``named`` is what the card calls it already; what else its name says stands beside its time."""
    since, moved = number.lately or ("", None)
    label = number.label.removeprefix(named).strip()
    return {
        "value": number.gloss or number.value,
        "moved": f"{since} {moved.mark} {moved.brief or moved.word}" if moved else "",
        "direction": moved.direction if moved else "",
        "note": joined(label, number.measured, number.age or number.source_label),
    }
