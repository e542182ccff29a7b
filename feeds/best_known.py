"""The names that the search page offers while somebody types, as a publication: a search reads them from memory."""

from datetime import datetime

import orjson

from knowledge.languages import ENGLISH, KOREAN, current_language
from knowledge.publications import Definition, PublicationGroup, publication_cache
from knowledge.publications.registry import Records
from knowledge.queries.listings import best_known

NAMES = 300  # some 4 kB of a compressed page


def records(_now: datetime) -> Records:
    """Labels in Korean and in English, the best known first."""
    return [[unit.label, unit.label_en or unit.label] for unit in best_known(NAMES)]


def body(records: Records, _built_at: datetime) -> bytes:
    """``{"ko": [...], "en": [...]}``, each name once."""
    korean, english = zip(*records, strict=True) if records else ((), ())
    return orjson.dumps({KOREAN: list(dict.fromkeys(korean)), ENGLISH: list(dict.fromkeys(english))})


BEST_KNOWN = Definition(
    name="best-known",
    group=PublicationGroup.CRAWLERS,
    scopes=frozenset({"entity", "topic"}),
    counts=frozenset({"entity", "topic"}),
    records=records,
    body=body,
)


def names_offered() -> list[str]:
    """In the language of the page."""
    names: list[str] = orjson.loads(publication_cache.get(BEST_KNOWN.name).plain)[current_language()]
    return names
