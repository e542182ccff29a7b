"""What sources give: documents, values of series and bars, each with texts that can be stored."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import parse_qs, urlsplit

from knowledge.invisible import visible
from knowledge.times import iso_utc

# Items taken from one body, newest first; a hostile feed may have a million.
MAX_ITEMS = 200
# Points taken from one series body; DFEDTARU has 6,500 days, the longest on-chain series 6,000.
MAX_POINTS = 20_000


class SourceItem:
    """What an adapter gives. Whatever the other side wrote, its texts hold no character that draws nothing: Postgres
    refuses some of them, and one hostile item would fail every run in which it stands.
    """

    __slots__: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if isinstance(value := getattr(self, name), str):
                object.__setattr__(self, name, visible(value))

    def as_json(self) -> dict[str, Any]:
        """What a dry run prints: every field but ``published_raw``, times as RFC 3339 in UTC."""
        values = ((name, getattr(self, name)) for name in self.__slots__ if name != "published_raw")
        return {name: iso_utc(value) if isinstance(value, datetime) else value for name, value in values}


@dataclass(frozen=True, slots=True)
class DocumentItem(SourceItem):
    """A video, an article or a notice. Times are aware UTC or None; the text is clean and short."""

    external_id: str
    url: str
    title: str
    summary: str = ""
    published_at: datetime | None = None
    updated_at: datetime | None = None
    lang: str = ""
    author: str = ""
    published_raw: str = ""


@dataclass(frozen=True, slots=True)
class ObservationItem(SourceItem):
    """One value of a series.

    What is about a calendar day or month has it as ``period`` (2026-10-31, 2026-10); ``at`` is its first moment where
    the publisher is.
    """

    series: str
    at: datetime
    value: float
    unit: str = ""
    period: str = ""


@dataclass(frozen=True, slots=True)
class CandleItem(SourceItem):
    """A closed bar; ``at`` is its opening, ``interval`` such as 1h or 1d, ``volume`` in the base asset."""

    symbol: str
    interval: str
    at: datetime
    open: float
    high: float
    low: float
    close: float
    volume: float

    @property
    def is_sound(self) -> bool:
        """Whether the numbers can be a bar at all: prices above 0, high and low around open and close."""
        low, high = min(self.open, self.close), max(self.open, self.close)
        return 0 < self.low <= low <= high <= self.high and self.volume >= 0


@dataclass(frozen=True, slots=True)
class ListingItem(SourceItem):
    """A market that an exchange has, with its names and the flags by which the exchange warns of it.

    An answer lists all of them: what is not in it is traded no more.
    """

    symbol: str
    name: str = ""
    name_en: str = ""
    warnings: tuple[str, ...] = ()


def distinct(documents: Iterable[DocumentItem | None]) -> list[DocumentItem]:
    """Each document once, in order: feeds repeat an item, and a pinned notice stands in the list twice."""
    found: dict[str, DocumentItem] = {}
    for document in filter(None, documents):
        found.setdefault(document.external_id, document)
    return list(found.values())


def name_in_address(url: str, *parameters: str) -> str:
    """What an address calls its subject: the first of the query parameters, else the file's name without its ending.

    FRED and Binance bodies do not say which series or market they are about; only the request does.
    """
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    named = (query[name][0] for name in parameters if name in query)
    return next(named, PurePosixPath(parts.path).name.partition(".")[0])
