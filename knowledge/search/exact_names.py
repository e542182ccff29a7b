"""Which units are called exactly so: who writes no more than a name wants what bears it before all else."""

from dataclasses import dataclass

from knowledge.linking.gazetteer import current_gazetteer
from knowledge.linking.names import Name
from knowledge.models import Unit
from knowledge.normalise import normalise_alias

NAME_MAX_LENGTH = 200
AMBIGUOUS = 0.6  # confidence in an alias that several units share
OF_SERIES = 0.9  # confidence that who names a series means the unit that holds it
MATCHES = ("id", "label", "symbol", "alias", "series", "phrase", "mention", "part", "spelling")
BY_PHRASE = 0.8  # confidence that who uses a phrase asks for a unit that is asked for by it


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A unit that a name may mean. ``matched_on`` is one of MATCHES."""

    unit: Unit
    confidence: float
    matched_on: str


def likeliest(one: NameMatch) -> tuple[float, int, int]:
    """For sorting: the surest first, of these the best known, which in a canon that nobody wrote about is the first."""
    return (-one.confidence, -one.unit.document_count, one.unit.pk)


def exactly_named(name: str) -> list[NameMatch]:
    """The public units with exactly this label, symbol or alias, or that of a series they hold, up to case, spaces and
    punctuation; each once. Those that are asked for by it as a phrase, where no unit bears it as a name.

    Where something else bears the name as its own, units that share it only as an ambiguous alias or by a series give
    way. One query, none for what names nothing.
    """
    norm = normalise_alias(name) if len(name) <= NAME_MAX_LENGTH else ""
    borne = sorted(current_gazetteer(norm).names.called(norm), key=_confidence, reverse=True)
    if not borne:
        return []
    # The vocabulary may be a second old; what is public is for the database to say.
    units = Unit.objects.published().in_bulk({one.unit for one in borne})
    found: dict[int, NameMatch] = {}
    for one in borne:
        if one.unit in units:
            found.setdefault(one.unit, NameMatch(units[one.unit], _confidence(one), one.source))
    firm = [one for one in found.values() if one.confidence > AMBIGUOUS]
    own = [one for one in firm if one.confidence > OF_SERIES]
    return sorted(own or firm or found.values(), key=likeliest)


def _confidence(name: Name) -> float:
    if name.source == "series":
        return OF_SERIES
    if name.source == "phrase":
        return BY_PHRASE
    if name.ambiguous:
        return AMBIGUOUS
    return 1.0 if name.source == "label" else 0.95
