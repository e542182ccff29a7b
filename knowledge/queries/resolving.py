"""A name to the units that it may mean, as REST and MCP tell it."""

from collections.abc import Collection

from knowledge.models import Unit
from knowledge.queries.names import candidates
from knowledge.queries.search import snippet
from knowledge.queries.serializers import CandidateRecord
from knowledge.search.bulkhead import SEARCHES
from knowledge.search.exact_names import NameMatch

DISAMBIGUATION_MAX_LENGTH = 200


def resolved(name: str, *, types: Collection[str] | None, limit: int) -> list[NameMatch]:
    """The public units that ``name`` may mean, likeliest first; ``types`` are UnitType values, None for all.

    Raises Busy (503): what nothing is called costs as much as a search.
    """
    with SEARCHES:
        return candidates(name, types=types, limit=limit)


def disambiguation(unit: Unit, *, english: bool = False) -> str:
    """A line that tells the unit from others of its name: type, ticker and the beginning of its summary."""
    summary = unit.summary_en or unit.summary if english else unit.summary
    said = " · ".join(part for part in (unit.type, unit.symbol, summary) if part)
    return snippet(said, DISAMBIGUATION_MAX_LENGTH)


def candidate_record(one: NameMatch) -> CandidateRecord:
    unit = one.unit
    return CandidateRecord(
        id=unit.public_id,
        label=unit.label,
        labelEn=unit.label_en or None,
        type=unit.type,
        category=unit.category or None,
        url=unit.get_absolute_url(),
        confidence=one.confidence,
        matchedOn=one.matched_on,
        disambiguation=disambiguation(unit),
        disambiguationEn=disambiguation(unit, english=True),
    )
