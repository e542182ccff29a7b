"""How much speaks for two documents reporting one event, and what speaks against it (design: events). Pure."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product
from math import exp, fsum
from operator import mul

from knowledge.events.actions import PASSING, STAGES
from knowledge.events.features import Features

# What each signal is worth in the logarithm of the odds that two documents report one event: fitted by logistic
# regression (each sign given, l2 0.1) over all pairs within a week of labelled headlines, the own ones once more with
# their names unknown to the canon, and tried by cross-validation over events; see tests/recorded/events/README.md.
BIAS = -1.86
WORTH = {
    "asset": 1.06,
    "entity": 2.60,
    "topic": 3.25,
    "in a lead": 2.65,
    "name": 4.29,
    "deed": 1.09,
    "other deed": -2.15,
    "meanings": 3.45,
    "meanings across languages": 9.63,
    "words": 0.47,
    "figure": 1.73,
    "amount in two currencies": 2.16,
    "days apart": -0.38,
    "other party": -1.94,
    "other entity": -3.53,
    "no subject": -0.67,
    "no matter": -1.49,
    "subjects unheard by one": -0.95,
    "each names another": -1.63,
    "done to another": -1.15,
}
JOINS_FROM = -1.35  # on average over the documents of a cluster
SAME_DEED = WORTH["deed"] - WORTH["no matter"]  # what two documents lack that name different actions
MOST_OF_A_KIND = 1.5  # units named by few
A_SUBJECT = 0.3  # the least weight of a common unit or name that tells whom a story is about
BOTH = 2  # of two documents
A_MATTER = 0.12  # the least likeness of meanings that tells what it is about
DEEDS = {
    f"topic:{slug}" for slug in ("exchange-hack", "listing", "delisting", "airdrop")
}  # the action says it
AFTERMATH = frozenset(["halt", "reserve", "purchase", "filing"])
PRICES = frozenset(["price up", "price down"])
OPPOSITES = (
    PRICES,
    frozenset(["approval", "rejection", "delay"]),
    frozenset(["listing", "delisting"]),
    frozenset(["rate cut", "rate rise", "rate hold"]),
    STAGES,
)
# Of these a figure tells one from the next: another price, another purchase, another rate.
TOLD_BY_FIGURES = {
    "price down": "$₩",
    "price up": "$₩",
}
DONE_TO_SOMEBODY = frozenset(
    [
        "sanction",
        "lawsuit",
        "approval",
        "rejection",
        "delay",
        "caution",
        "listing",
        "delisting",
        "promotion",
        "hack",
    ]
)
NEARLY = 1.015  # the factor by which reports of one figure differ
OF_ONE_KIND = 2.5  # and two prices or purchases of one thing; what differs more measures something else
WON_A_DOLLAR = (1200.0, 1600.0)

Weight = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Compared:
    """A document as it is compared: `Features` with the vectors of its words and meanings, each of length 1, and its
    headline's units by their kind. `deeds` are its actions that exclude others, `subjects` the sounds of each name."""

    at: datetime
    lang: str
    units: frozenset[str]
    assets: frozenset[str]
    entities: frozenset[str]
    topics: frozenset[str]
    facets: frozenset[str]
    deeds: frozenset[str]
    denies: bool
    is_column: bool
    parties: frozenset[str]
    figures: frozenset[str]
    named: frozenset[str]
    sounds: frozenset[str]
    heard: frozenset[str]
    subjects: tuple[frozenset[str], ...]
    meanings: Mapping[str, float]
    whole: Mapping[str, float]


def compared(document: Features, meanings: Mapping[str, float], whole: Mapping[str, float]) -> Compared:
    units = document.headline_units
    assets, entities = (frozenset(u for u in units if u.startswith(kind)) for kind in ("asset:", "entity:"))
    tickers = frozenset(subject for subject in document.subjects if subject.startswith("asset:"))
    return Compared(
        at=document.at,
        lang=document.lang.casefold().partition("-")[0],
        units=units,
        assets=assets | tickers,
        entities=entities,
        topics=units - assets - entities - DEEDS,
        facets=document.facets,
        deeds=document.facets - PASSING - PRICES,
        denies=document.denies,
        is_column=document.is_column,
        parties=document.parties,
        figures=document.figures,
        named=frozenset(u for u in document.units if u.startswith(("asset:", "entity:"))),
        sounds=document.sounds,
        heard=document.heard | document.units,
        subjects=(
            *(frozenset(subject.split("|")) for subject in document.subjects - tickers),
            *(frozenset([unit]) for unit in assets | entities),
        ),
        meanings=meanings,
        whole=whole,
    )


def log_odds(signals: Iterable[float]) -> float:
    """Of two documents with these signals reporting one event."""
    return BIAS + fsum(map(mul, WORTH.values(), signals))


def probability(odds: float) -> float:
    """0 to 1, of the logarithm of the odds."""
    return 1 / (1 + exp(-odds))


def signals(one: Compared, other: Compared, of_unit: Weight, of_name: Weight) -> tuple[float, ...]:
    """What speaks for and against two documents reporting one event, in the order of `WORTH`.

    `of_unit` and `of_name` (0 to 1) say how seldom a unit and the sound of a name occur.
    """
    translated = one.lang != other.lang
    asset, entity, topic = (
        min(MOST_OF_A_KIND, fsum(map(of_unit, mine & theirs)))
        for mine, theirs in (
            (one.assets, other.assets),
            (one.entities, other.entities),
            (one.topics, other.topics),
        )
    )
    names = (one.sounds & other.heard) | (other.sounds & one.heard)
    # In one language a name is written alike; what only sounds alike is another.
    name = max((of_name(name) for name in names if translated or name[0] != "~"), default=0.0)
    deed = not one.facets.isdisjoint(other.facets)
    meanings = cosine(one.meanings, other.meanings)
    # One word in common is often a chance, also where the headline has few.
    meanings *= 1 - 0.5 ** len(one.meanings.keys() & other.meanings.keys())
    figure = figures_agree(one.figures, other.figures)
    exchanged = not figure and amounts_agree(one.figures, other.figures)
    done = not DONE_TO_SOMEBODY.isdisjoint(one.facets & other.facets)
    unheard = _unheard(one, other), _unheard(other, one)
    days = abs(one.at - other.at) / timedelta(days=1)
    return (
        asset,
        entity,
        topic,
        max(map(of_unit, (one.named & other.named) - (one.units & other.units)), default=0.0),
        name,
        deed,
        _apart(one.facets - PRICES - AFTERMATH, other.facets - PRICES - AFTERMATH),
        0.0 if translated else meanings,
        meanings if translated else 0.0,
        0.0 if translated else cosine(one.whole, other.whole),
        figure,
        exchanged,
        days,
        0.0 if entity else _parties_apart(one, other),
        _apart(one.entities, other.entities),
        max(asset, entity, name) < A_SUBJECT,
        not (deed or figure or exchanged) and meanings < A_MATTER,
        max(unheard),
        min(unheard) > 0,
        done and min(unheard) > 0,
    )


def excludes(one: Compared, other: Compared) -> bool:
    """Whether two documents cannot report one event: they are on different assets or parties, the same was done to
    another, or their figures differ where figures tell one event from the next."""
    return (
        _apart(one.assets, other.assets)
        or (_parties_apart(one, other) == BOTH and one.entities.isdisjoint(other.entities))
        or _done_to_another(one, other)
        or _figures_differ(one, other)
    )


def are_opposite(one: Compared, other: Compared) -> bool:
    """Whether one says that the contrary was done: approved and rejected, up and down."""
    return any(_apart(one.facets & deeds, other.facets & deeds) for deeds in OPPOSITES)


def _apart(some: Collection[str], others: frozenset[str]) -> bool:
    """Whether both have members, and none in common."""
    return bool(some and others) and others.isdisjoint(some)


def _unheard(one: Compared, other: Compared) -> float:
    """The share of the subjects of one that the other does not name."""
    subjects = one.subjects
    return sum(map(other.heard.isdisjoint, subjects)) / len(subjects) if subjects else 0.0


def _parties_apart(one: Compared, other: Compared) -> int:
    """How many of two documents name a party that the other does not."""
    return _apart(one.parties, other.heard) + _apart(other.parties, one.heard)


def _done_to_another(one: Compared, other: Compared) -> bool:
    """An authority fines one exchange, then the next: what they share is not whom it is about."""
    done = not DONE_TO_SOMEBODY.isdisjoint(one.facets & other.facets)
    return done and bool(one.entities - other.entities) and bool(other.entities - one.entities)


def _figures_differ(one: Compared, other: Compared) -> bool:
    if figures_agree(one.figures, other.figures):
        return False
    kinds = {kind for facet in one.facets & other.facets for kind in TOLD_BY_FIGURES.get(facet, "")} | {"#"}
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


def amounts_agree(some: Collection[str], others: Collection[str]) -> bool:
    """Whether an amount in won may be one in dollars at the rates of these years."""
    least, most = WON_A_DOLLAR
    pairs = [pair for pair in product(some, others) if {pair[0][0], pair[1][0]} == {"₩", "$"}]
    rates = (float(won[1:]) / float(dollars[1:]) for dollars, won in map(sorted, pairs))
    return any(least <= rate <= most for rate in rates)


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return fsum(one[term] * other[term] for term in one.keys() & other.keys())
