"""What units are called, by the normal form of each name: label, ticker and alias, events included."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from io import StringIO
from typing import NamedTuple

from knowledge.models import Unit
from knowledge.normalise import normalise_alias

_SOURCES = ("label", "symbol", "alias")


class Name(NamedTuple):
    """One name of a unit; ``unit`` is the key of the survivor that answers to it.

    ``source``: label, symbol or alias.
    """

    unit: int
    source: str
    surface: str
    ambiguous: bool = False


class PackedTexts:
    """Texts by their number, in one string: each would take fifty bytes more as a string of its own."""

    def __init__(self) -> None:
        self._written = StringIO()
        self._ends = array("I")
        self._joined = ""

    def append(self, text: str) -> None:
        self._written.write(text)
        self._ends.append((self._ends[-1] if self._ends else 0) + len(text))

    def pack(self) -> None:
        """Make the texts readable; nothing may be appended any more."""
        self._joined = self._written.getvalue()
        self._written.close()

    def __getitem__(self, number: int) -> str:
        return self._joined[self._ends[number - 1] if number else 0 : self._ends[number]]


class Names:
    """The names of all units, looked up by norm.

    Three hundred thousand names are kept as numbers in arrays: a norm is found by its hash, and told from others of
    that hash by the surface.
    """

    def __init__(self) -> None:
        self._hashes = array("q")
        self._rows = array("I")  # in the order of their hashes, once packed
        self._units = array("q")
        self._sources = bytearray()
        self._ambiguous = bytearray()
        self._surfaces = PackedTexts()

    def add(self, unit: Unit) -> None:
        """Take in one unit, its aliases loaded. Of names with one norm the first stands for the others."""
        for norm, name in dict(reversed([*_names(unit)])).items():
            self._hashes.append(hash(norm))
            self._units.append(name.unit)
            self._sources.append(_SOURCES.index(name.source))
            self._ambiguous.append(name.ambiguous)
            self._surfaces.append(name.surface)

    def pack(self) -> None:
        """Make the names ready to be looked up; no unit may be added any more."""
        self._rows = array("I", sorted(range(len(self._hashes)), key=self._hashes.__getitem__))
        self._hashes = array("q", map(self._hashes.__getitem__, self._rows))
        self._surfaces.pack()

    def called(self, norm: str) -> list[Name]:
        """The names with this norm, one a unit that holds it."""
        return [name for name in self._hashed(hash(norm)) if normalise_alias(name.surface) == norm]

    def _hashed(self, value: int) -> Iterator[Name]:
        place = bisect_left(self._hashes, value)
        while place < len(self._hashes) and self._hashes[place] == value:
            yield self._name(self._rows[place])
            place += 1

    def _name(self, row: int) -> Name:
        source = _SOURCES[self._sources[row]]
        return Name(self._units[row], source, self._surfaces[row], bool(self._ambiguous[row]))


def _names(unit: Unit) -> Iterator[tuple[str, Name]]:
    survivor = unit.merged_into_id or unit.pk
    for source, surface in (("label", unit.label), ("symbol", unit.symbol)):
        if norm := normalise_alias(surface):
            yield norm, Name(survivor, source, surface)
    for alias in unit.aliases.all():
        if alias.active and not alias.is_label:
            yield alias.norm, Name(survivor, "alias", alias.surface, alias.ambiguous)
