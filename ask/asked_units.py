"""The public units that a question names, read once: finding, choosing and figures ask for what they are called."""

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.models import Alias, Unit
from knowledge.search import words


@dataclass(frozen=True, slots=True)
class AskedUnit:
    """``names`` are its label, its symbol and its other names; ``words`` the morphemes of them all."""

    unit: Unit
    names: tuple[str, ...]
    words: frozenset[str]


def asked_units(public_ids: Sequence[str]) -> tuple[AskedUnit, ...]:
    """Those of these units that are public, in this order. Two queries, none for no id."""
    if not public_ids:
        return ()
    found = {unit.public_id: unit for unit in Unit.objects.published().with_public_ids(public_ids)}
    aliases = Alias.names.by_unit([unit.pk for unit in found.values()])
    named = (found[public_id] for public_id in public_ids if public_id in found)
    return tuple(_named(unit, (unit.label, unit.symbol, *aliases.get(unit.pk, ()))) for unit in named)


def _named(unit: Unit, names: tuple[str, ...]) -> AskedUnit:
    return AskedUnit(unit, names, frozenset(words.terms(" ".join(names))))
