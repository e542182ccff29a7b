"""How much speaks for two documents reporting one event, and what speaks against it (design: events). Pure."""

from collections.abc import Callable, Collection, Mapping
from itertools import product
from math import fsum

from knowledge.events.features import Features

# What each thing in common is worth; see `evidence`.
UNIT_WORTH = {"asset": 0.30, "entity": 0.35, "topic": 0.15, "event": 0.0}
LAW_WORTH = 0.30  # a law is the object of its stories, as an asset is
DEEDS = {
    f"topic:{slug}" for slug in ("exchange-hack", "listing", "delisting", "airdrop")
}  # the action says it
OTHER_UNIT_WORTH = 0.30
LEAD_FACTOR = 0.25  # a unit that one of the two names outside its headline
FACET_WORTH = 0.25
FIGURE_WORTH = 0.30
SOUND_WORTH = 0.30
WORDS_WORTH = 0.80  # of words that all agree, of one language
WORDS_ALONE_WORTH = 1.45
TOPICS_APART = -0.25
DENIAL_WORTH = 0.20
LEAST_NAMES = 2
LEAST_REMAINDER = 0.15
JOINS_FROM = 0.46
# Of these a figure tells one from the next: another price, another purchase, another rate.
TOLD_BY_FIGURES = {
    "price down": "$₩",
    "price up": "$₩",
}
NEARLY = 1.015  # the factor by which reports of one figure differ
OF_ONE_KIND = 2.5  # and two prices or purchases of one thing; what differs more measures something else

Weight = Callable[[str], float]


def evidence(one: Features, other: Features, weight: Weight) -> float:
    """0 and up: the sum of what two documents have in common. `weight` (0 to 1) says how seldom a unit is named.

    Units count by their kind and by how seldom they are named, half where one of the two names them in its lead alone;
    then the action, a figure, across languages a name that sounds alike, and in one language the words.
    """
    parts = [units_in_common(one, other, weight)]
    if one.facets & other.facets:
        parts.append(FACET_WORTH)
    if figures_agree(one.figures, other.figures):
        parts.append(FIGURE_WORTH)
    if one.denies and other.denies:
        parts.append(DENIAL_WORTH)
    if _apart(one, other, "topic:"):
        parts.append(TOPICS_APART)
    if named_alike(one, other):
        parts.append(SOUND_WORTH)
    if one.lang == other.lang:
        parts.append(words_in_common(one, other))
    return fsum(parts)


def is_more_than_a_name(one: Features, other: Features) -> bool:
    """Whether two documents share something besides one name: two documents on bitcoin need not tell one story."""
    return bool(
        one.facets & other.facets
        or figures_agree(one.figures, other.figures)
        or len((one.headline_units & other.headline_units) - DEEDS) + named_alike(one, other) >= LEAST_NAMES
        or (one.lang == other.lang and cosine(one.remainder, other.remainder) >= LEAST_REMAINDER)
    )


def named_alike(one: Features, other: Features) -> bool:
    """Whether both name a party that is no unit, or, across languages, anything that sounds alike."""
    if one.lang != other.lang:
        return not (one.sounds.isdisjoint(other.heard) and other.sounds.isdisjoint(one.heard))
    return not (one.parties.isdisjoint(other.sounds) and other.parties.isdisjoint(one.sounds))


def words_in_common(one: Features, other: Features) -> float:
    # Where one document names no unit, its words are all there is to go by.
    worth = WORDS_WORTH if one.units and other.units else WORDS_ALONE_WORTH
    return worth * cosine(one.whole, other.whole)


def units_in_common(one: Features, other: Features, weight: Weight) -> float:
    shared = one.units & other.units
    in_headlines = one.headline_units & other.headline_units
    return fsum(_worth(unit) * weight(unit) * (1 if unit in in_headlines else LEAD_FACTOR) for unit in shared)


def _worth(unit: str) -> float:
    if unit in DEEDS:
        return 0.0
    return LAW_WORTH if unit.endswith("-act") else UNIT_WORTH.get(unit.partition(":")[0], OTHER_UNIT_WORTH)


def excludes(one: Features, other: Features) -> bool:
    """Whether two documents cannot report one event: one denies, they are on different assets or on different
    parties, or their figures differ where figures tell one event from the next."""
    return (
        one.denies != other.denies
        or one.is_column
        or other.is_column
        or _apart(one, other, "asset:")
        or _parties_differ(one, other)
        or _figures_differ(one, other)
    )


def _apart(one: Features, other: Features, kind: str) -> bool:
    """Whether both headlines name units of this kind, and none alike."""
    mine = {unit for unit in one.headline_units if unit.startswith(kind)}
    theirs = {unit for unit in other.headline_units if unit.startswith(kind)}
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _parties_differ(one: Features, other: Features) -> bool:
    mine, theirs = (
        {unit for unit in units if unit.startswith("entity:")}
        for units in (one.headline_units - other.headline_units, other.headline_units - one.headline_units)
    )
    # An authority fines one exchange, then the next: what they share is not whom it is about.
    if mine and theirs:
        return True
    if any(unit.startswith("entity:") for unit in one.headline_units & other.headline_units):
        return False
    return bool(
        (one.parties and one.parties.isdisjoint(other.heard))
        or (other.parties and other.parties.isdisjoint(one.heard))
    )


def _figures_differ(one: Features, other: Features) -> bool:
    kinds = {kind for facet in one.facets & other.facets for kind in TOLD_BY_FIGURES.get(facet, "")} | {"#"}
    if figures_agree(one.figures, other.figures):
        return False
    for kind in kinds:
        mine = [figure for figure in one.figures if figure[0] == kind]
        theirs = [figure for figure in other.figures if figure[0] == kind]
        if mine and theirs and not figures_agree(mine, theirs) and figures_agree(mine, theirs, OF_ONE_KIND):
            return True
    return False


def figures_agree(some: Collection[str], others: Collection[str], within: float = NEARLY) -> bool:
    """Whether a figure of one kind is the other's, up to the factor `within`."""
    return any(
        one[0] == other[0] and 1 / within <= float(one[1:]) / float(other[1:]) <= within
        for one, other in product(some, others)
    )


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return fsum(one[term] * other[term] for term in one.keys() & other.keys())
