"""What stands on a card, in words and in the name of its picture: equal contents, equal cards."""

import hashlib
from dataclasses import asdict, dataclass, field

import orjson

from knowledge.languages import current_language

# Raise it when the same content is drawn otherwise: every card is made anew.
DRAWING = 1
SERIES, DAY, CITY = "series", "day", "city"


@dataclass(frozen=True, slots=True)
class Card:
    """A card's texts, each of them empty where there is none.

    ``kicker`` says what kind of thing it is, ``title`` its name; ``value`` is a number with its unit, ``moved`` how it
    changed, in the colour that ``direction`` (rise, fall) names; ``note`` says when and by whom. ``picture`` is
    ``series:<slug>``, ``day:<date>:<revision>``, or ``city:<any name>`` for houses that stand for nothing.
    """

    title: str
    picture: str
    kicker: str = ""
    value: str = ""
    moved: str = ""
    direction: str = ""
    sentence: str = ""
    note: str = ""
    lang: str = field(default_factory=current_language)

    def digest(self, drawn_with: str) -> str:
        """Differs wherever the picture would: ``drawn_with`` is the font and the service's name."""
        said = orjson.dumps([DRAWING, drawn_with, asdict(self)])
        return hashlib.sha256(said).hexdigest()


def joined(*parts: str) -> str:
    """Those that say something, with a dot between."""
    return " · ".join(part for part in parts if part)
