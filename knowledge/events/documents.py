"""A document as clustering sees it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

LEAST_OUTLETS = 2
CANDIDATES_LIVE = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class EventDoc:
    """A headline, its lead ("" where there is none), who published it when (aware) in which language.

    `primary` marks the word of a regulator or an exchange itself. A document whose time is unknown has no
    place in a pass through time and stays alone.
    """

    title: str
    lead: str
    outlet: str
    at: datetime | None
    lang: str
    url: str = ""
    primary: bool = False

    def __post_init__(self) -> None:
        if self.at is not None and self.at.tzinfo is None:
            raise ValueError("a document's time must carry its zone")

    @property
    def text(self) -> str:
        """What is compared; the places of mentions count characters of this."""
        return f"{self.title}\n{self.lead}" if self.lead else self.title


@dataclass(frozen=True, slots=True)
class NamedUnit:
    """A canonical unit named in `text[start:end]` of a document."""

    unit: str
    start: int
    end: int


def is_candidate(documents: Iterable[EventDoc]) -> bool:
    """Whether a cluster is shown to editors: two outlets tell of it, or a primary source does."""
    documents = list(documents)
    outlets = {document.outlet.strip().casefold() for document in documents}
    return len(outlets) >= LEAST_OUTLETS or any(document.primary for document in documents)


def has_expired(last_document_at: datetime, now: datetime) -> bool:
    """Whether a candidate that no editor took up is over: two weeks after its last document."""
    return now - last_document_at > CANDIDATES_LIVE
