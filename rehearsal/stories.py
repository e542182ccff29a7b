"""What the invented outlets tell in the fortnight: stories, and a report a day with the invented prices."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from rehearsal.market import InventedMarket

FORTNIGHT = timedelta(days=14)
REPORTED_AT = 15  # hour of the day, UTC: midnight in Seoul, when a day is over


@dataclass(frozen=True, slots=True)
class Story:
    """A document to be: ``source`` is the slug of the one that brings it, ``key`` tells it from its others."""

    source: str
    key: str
    at: datetime
    title: str
    summary: str
    author: str = ""


@cache
def written() -> dict[str, Any]:
    """The texts that stand in ``stories.json``."""
    found: dict[str, Any] = orjson.loads((Path(__file__).parent / "stories.json").read_bytes())
    return found


def stories(market: InventedMarket) -> dict[str, list[Story]]:
    """All stories by the slug of their source."""
    found: dict[str, list[Story]] = defaultdict(list)
    for story in (*_by_hand(market.hour), *_reports(market)):
        found[story.source].append(story)
    return found


def by_address(
    told: Mapping[str, Sequence[Story]], addresses: Iterable[tuple[str, str]]
) -> dict[str, Sequence[Story]]:
    """The stories of each feed, of (slug, address)."""
    return {address: told[slug] for slug, address in addresses if slug in told}


def _by_hand(hour: datetime) -> Iterator[Story]:
    authors = written()["authors"]
    for number, (ago, source, title, summary) in enumerate(written()["stories"]):
        at = hour - timedelta(hours=ago)
        yield Story(source, f"story-{number}", at, title, summary, authors.get(source, ""))


def _reports(market: InventedMarket) -> Iterator[Story]:
    texts = written()["wraps"]
    midnight = market.hour.replace(hour=REPORTED_AT)
    closes = [midnight - timedelta(days=ago) for ago in range(14)]
    for number, close in enumerate(at for at in closes if market.now - FORTNIGHT < at <= market.now):
        said = _figures(market, close)
        title, summary = (
            texts[of][number % len(texts[of])].format_map(said) for of in ("titles", "summaries")
        )
        yield Story(texts["source"], f"report-{close:%Y%m%d}", close, title, summary)


def _figures(market: InventedMarket, at: datetime) -> dict[str, str]:
    won, before = market.won("BTC", at), market.won("BTC", at - timedelta(days=1))
    return {
        "won": _in_words(won),
        "ether": f"{market.won('ETH', at) / 10_000:,.0f}만 원",
        "premium": f"{market.premium('BTC', at) * 100:.1f}%",
        "change": f"{(won / before - 1) * 100:+.1f}%",
    }


def _in_words(won: float) -> str:
    hundred_millions, rest = divmod(round(won / 10_000), 10_000)
    return f"{hundred_millions}억 {rest:,}만 원" if hundred_millions else f"{rest:,}만 원"
