"""What units are called: their public ids by key, and the units by the normal form of each name."""

from array import array
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from knowledge.linking.automaton import UnitKey
from knowledge.models import Series, Unit
from knowledge.normalise import normalise_alias

_SOURCES = ("label", "symbol", "alias", "series", "phrase")


class Name(NamedTuple):
    """How a unit bears a name; ``unit`` is the key of the survivor that answers to it.

    ``source``: label, symbol or alias; series where it is the name of a series that the unit holds; phrase where people
    only ask for the unit by it.
    """

    unit: int
    source: str
    ambiguous: bool


class Names:
    """The public ids and the names of all units, events included.

    A hundred thousand units have three hundred thousand names, so both are kept as numbers in arrays. Of a name that is
    the 64-bit hash of its norm: that any two of them share one happens in one of 400 million processes.
    """

    def __init__(self) -> None:
        self._keys = array("q")  # of units, in order
        self._public_ids = bytearray()  # joined: each would take fifty bytes more as a string of its own
        self._ends = array("I", [0])
        self._hashes = array("q")
        self._rows = array("I")  # in the order of their hashes, once packed
        self._units = array("q")
        self._sources = bytearray()
        self._ambiguous = bytearray()

    def add(self, unit: Unit) -> None:
        """Take in one unit, its aliases loaded; units come in the order of their keys.

        Of names with one norm the label stands for the others, then the symbol, then the first alias, then a phrase.
        """
        self._keys.append(unit.pk)
        self._public_ids += unit.public_id.encode()
        self._ends.append(len(self._public_ids))
        aliases = [alias for alias in unit.linked if not alias.is_label]
        names = {normalise_alias(phrase): ("phrase", False) for phrase in unit.asked_as}
        names |= {alias.norm: ("alias", alias.ambiguous) for alias in reversed(aliases)}
        names |= {normalise_alias(unit.symbol): ("symbol", False)}
        names |= {normalise_alias(unit.label): ("label", False)}
        names.pop("", None)
        for norm, (source, ambiguous) in names.items():
            self._bear(unit, norm, source, ambiguous)

    def add_series(self, series: Series) -> None:
        """Take in one series, its holder loaded: its names lead to the unit that holds it, and are in no text."""
        for norm in {normalise_alias(name) for name in series.names} - {""}:
            self._bear(series.holder, norm, "series", False)

    def _bear(self, unit: Unit, norm: str, source: str, ambiguous: bool) -> None:
        self._hashes.append(hash(norm))
        self._units.append(unit.merged_into_id or unit.pk)
        self._sources.append(_SOURCES.index(source))
        self._ambiguous.append(ambiguous)

    def pack(self) -> None:
        """Make the names ready to be looked up; no unit may be added any more."""
        self._rows = array("I", sorted(range(len(self._hashes)), key=self._hashes.__getitem__))
        self._hashes = array("q", map(self._hashes.__getitem__, self._rows))

    def called(self, norm: str) -> list[Name]:
        """The names with this norm, one a unit that holds it; phrases only where no unit bears it as its own name."""
        value = hash(norm)
        rows = self._rows[bisect_left(self._hashes, value) : bisect_right(self._hashes, value)]
        borne = [
            Name(self._units[row], _SOURCES[self._sources[row]], bool(self._ambiguous[row])) for row in rows
        ]
        if all(name.source in ("series", "phrase") for name in borne):
            return borne
        return [name for name in borne if name.source != "phrase"]

    def public_id(self, key: UnitKey) -> str:
        place = bisect_left(self._keys, int(key))
        return self._public_ids[self._ends[place] : self._ends[place + 1]].decode()
