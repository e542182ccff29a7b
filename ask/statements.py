"""What texts state, as values that compare across languages and ways of writing."""

from decimal import Decimal
from typing import NamedTuple, TypeAlias


class Number(NamedTuple):
    """An amount; ``kind`` is % or the sign of a currency, empty for counts of anything else."""

    value: Decimal
    kind: str = ""


class Date(NamedTuple):
    """A date, or what is said of one; 0 for what is not."""

    year: int = 0
    month: int = 0
    day: int = 0


class Clock(NamedTuple):
    hour: int
    minute: int


class Code(NamedTuple):
    """Characters that mean something only as a whole."""

    text: str


Reading: TypeAlias = Number | Date | Clock | Code


class Statement(NamedTuple):
    """A stretch of a text and what it may mean. What is no claim states so little that nobody need have said it."""

    start: int
    end: int
    readings: frozenset[Reading]
    is_claim: bool = True
