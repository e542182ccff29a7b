"""What units are called, by the normal form of each name: label, ticker and alias, events included."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from knowledge.linking.normalise import normalise_alias
from knowledge.models import Unit


class Name(NamedTuple):
    """One name of a unit; ``unit`` is the key of the survivor that answers to it.

    ``source``: label, symbol or alias.
    """

    unit: int
    source: str
    surface: str
    ambiguous: bool = False


Names = Mapping[str, tuple[Name, ...]]


def names_of(units: Iterable[Unit]) -> Names:
    """The names of these units by norm; of their aliases the loaded ones that are active."""
    found: defaultdict[str, list[Name]] = defaultdict(list)
    for unit in units:
        for norm, name in _names(unit):
            found[norm].append(name)
    return {norm: tuple(names) for norm, names in found.items()}


def _names(unit: Unit) -> Iterator[tuple[str, Name]]:
    survivor = unit.merged_into_id or unit.pk
    for source, surface in (("label", unit.label), ("symbol", unit.symbol)):
        if norm := normalise_alias(surface):
            yield norm, Name(survivor, source, surface)
    for alias in unit.aliases.all():
        if alias.active and not alias.is_label:
            yield alias.norm, Name(survivor, "alias", alias.surface, alias.ambiguous)
