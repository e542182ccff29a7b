"""Lexemes as Postgres literals.

``to_tsvector`` would take ``BTC-USD`` and ``c++`` apart by rules of its own, so both sides of a match are literals made
here. Positions count content morphemes; gaps between runs keep a title's last word from the text's first.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from knowledge.models.search import LEXEME_MAX_LENGTH

ENTITY_MARK = "§"
_RUN_GAP = 2
_POSITION_MAX = 16383  # Postgres keeps no larger position


def entity_lexeme(public_id: str) -> str:
    """``§asset:btc``: stands in every text that mentions the unit, whatever name the text uses."""
    return ENTITY_MARK + public_id


def quoted_lexeme(lexeme: str) -> str:
    """A lexeme as tsvector and tsquery literals write it."""
    escaped = lexeme[:LEXEME_MAX_LENGTH].replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def tsquery_phrase(first: str, second: str) -> str:
    """A tsquery that holds where ``second`` stands directly after ``first``."""
    return f"{quoted_lexeme(first)} <-> {quoted_lexeme(second)}"


def tsvector_literal(runs: Iterable[Sequence[str | tuple[str, ...]]], entities: Iterable[str] = ()) -> str:
    """A tsvector literal of runs, and one lexeme for each mention of an entity (public ids). A run is what stands at
    each place: a term, or several."""
    positions: dict[str, list[int]] = defaultdict(list)
    at = 0
    for run in (*runs, *((entity_lexeme(public_id),) for public_id in entities)):
        for place in run:
            at += 1
            for term in (place,) if isinstance(place, str) else place:
                positions[term[:LEXEME_MAX_LENGTH]].append(min(at, _POSITION_MAX))
        at += _RUN_GAP
    return " ".join(
        f"{quoted_lexeme(term)}:{','.join(map(str, places))}" for term, places in positions.items()
    )
