"""How fast items become documents: stored, linked, counted and made findable, and what memory that takes.

10,000 invented items of 50 feeds go through the same run as real ones; only the wire is left out. Everything happens
in a database of its own.
"""

import random
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from benchmarks.scratch import scratch_database
from knowledge.ingestion import runs
from knowledge.models import Alias, Document, Source, Status, Unit, UnitType
from knowledge.sources.base import MAX_ITEMS
from knowledge.sources.http.client import Fetched, HttpClient

ITEMS = 10_000
FEEDS = ITEMS // MAX_ITEMS
NOW = datetime(2031, 3, 3, tzinfo=UTC)
MADE_UP_UNITS = 500
SECONDS_MAX = 45.0
SENTENCE = """
어제 시장에서는 여러 가지 해석이 나왔고 참가자들이 흐름을 지켜보며 신중하게 움직였으며 발표 이후 변동이
커졌다는 분석과 함께 정부는 새로운 방안을 이번 주 안에 내놓을 예정이라고 밝혔다 거래소 상장 지갑 수수료
"""
WORDS = SENTENCE.split()


class OneFeed(HttpClient):
    """A client for which every address has the same body."""

    def __init__(self, body: bytes) -> None:
        super().__init__(allow_private=False, user_agent="")
        self._body = body

    def get(self, url: str, **_options: object) -> Fetched:
        return Fetched(status=200, body=self._body, headers={}, asked=url, url=url, fetched_at=NOW)


def run() -> dict[str, dict[str, float]]:
    """Items a second on first sight and again, and the process's peak memory in MiB."""
    choose = random.Random(7)
    figures: dict[str, dict[str, float]] = {}
    with scratch_database():
        names = _make_units(choose)
        feeds = [(_make_source(number), _body(number, names, choose)) for number in range(FEEDS)]
        for name in ("new items", "the same items again"):
            figures[name] = _ingest_all(feeds)
        figures["documents stored"] = {
            "items": Document.objects.filter(source__slug__startswith="bench-").count()
        }
    figures["peak memory"] = {"MiB": _peak_mebibytes()}
    return figures


def _ingest_all(feeds: Sequence[tuple[Source, bytes]]) -> dict[str, float]:
    began = time.perf_counter()
    items = 0
    for source, body in feeds:
        source.body_sha256 = ""  # so that the same body is read again
        outcome = runs.ingest(source, now=NOW, http=OneFeed(body))
        if outcome.cause:
            raise RuntimeError(f"{source.slug}: {outcome.cause} {outcome.detail}")
        items += outcome.fetched
        if time.perf_counter() - began > SECONDS_MAX:
            break
    seconds = time.perf_counter() - began
    return {"items": items, "seconds": seconds, "items/s": items / seconds}


def _make_units(choose: random.Random) -> list[str]:
    syllables = [chr(code) for code in range(0xAC00, 0xD7A3, 97)]
    names = ["".join(choose.choices(syllables, k=4)) + "코인" for _ in range(MADE_UP_UNITS)]
    units = Unit.objects.bulk_create(
        Unit(type=UnitType.ASSET, slug=f"bench-{number}", label=name, status=Status.PUBLISHED)
        for number, name in enumerate(names)
    )
    aliases = [Alias(unit=unit, surface=f"벤치{number}번코인") for number, unit in enumerate(units)]
    for alias in aliases:
        alias.derive()
    Alias.objects.bulk_create(aliases)
    return names


def _make_source(number: int) -> Source:
    return Source.objects.create(
        slug=f"bench-{number}", name=f"매체 {number}", kind="news", adapter="rss", crypto=True,
        url=f"https://bench.example/{number}",
    )  # fmt: skip


def _body(feed: int, names: Sequence[str], choose: random.Random) -> bytes:
    items = "".join(_items(feed, names, choose))
    return f"<rss version='2.0'><channel><title>f</title>{items}</channel></rss>".encode()


def _items(feed: int, names: Sequence[str], choose: random.Random) -> Iterator[str]:
    for number in range(MAX_ITEMS):
        title = " ".join([choose.choice(names), *choose.choices(WORDS, k=6)])
        summary = " ".join([*choose.choices(WORDS, k=40), choose.choice(names)])
        at = format_datetime(NOW - timedelta(minutes=number))
        yield (
            f"<item><guid>{feed}-{number}</guid><link>https://bench.example/{feed}/{number}</link>"
            f"<title>{title}</title><description>{summary}</description><pubDate>{at}</pubDate></item>"
        )


def _peak_mebibytes() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Linux counts in KiB, macOS in bytes.
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)
