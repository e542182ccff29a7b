"""The chain's own numbers: ``mempool_space`` (Bitcoin) and ``defillama`` (DeFi and stablecoins).

mempool.space bears one request in ten seconds. Its answers say nothing of when they hold, so they are dated
by the time they were fetched, except for histories. DefiLlama writes ``date`` as text in one answer and as
a number in the other, and its point of today is still growing: it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from knowledge.models import Source
from knowledge.sources.base import MAX_POINTS, ObservationItem, finite
from knowledge.sources.http.client import HttpClient
from knowledge.sources.json_bodies import describe, objects, parse_json, unexpected
from knowledge.sources.times import from_epoch

MEMPOOL_INTERVAL = 10.0  # seconds between two requests

# name in the answer -> (series, unit)
_FEES = {
    "fastestFee": ("bitcoin.fee.fastest", "sat/vB"),
    "halfHourFee": ("bitcoin.fee.half_hour", "sat/vB"),
    "hourFee": ("bitcoin.fee.hour", "sat/vB"),
    "economyFee": ("bitcoin.fee.economy", "sat/vB"),
    "minimumFee": ("bitcoin.fee.minimum", "sat/vB"),
}
_MEMPOOL = {
    "count": ("bitcoin.mempool.count", "transactions"),
    "vsize": ("bitcoin.mempool.size", "vB"),
    "total_fee": ("bitcoin.mempool.fees", "sat"),
}
_RETARGET = {
    "progressPercent": ("bitcoin.retarget.progress", "%"),
    "difficultyChange": ("bitcoin.retarget.change", "%"),
    "remainingBlocks": ("bitcoin.retarget.remaining_blocks", "blocks"),
}
_HASHRATE = ("bitcoin.hashrate", "H/s")
_DIFFICULTY = ("bitcoin.difficulty", "")
_HEIGHT = ("bitcoin.height", "blocks")
_TVL = ("defi.tvl", "USD")
_STABLECOINS = ("stablecoins.supply", "USD")

_EXPECTED_BITCOIN = "mempool.space's fees, mempool, difficulty, hashrate or tip height"
_EXPECTED_LLAMA = "DefiLlama's historicalChainTvl or stablecoincharts"
# The chain is past 900,000 blocks and grows by 53,000 a year.
_HEIGHT_TEXT = re.compile(rb"\s*([0-9]{5,8})\s*")


def fetch_mempool(
    source: Source, path: str, _since: datetime | None, http: HttpClient
) -> list[ObservationItem]:
    """What stands at a path under the source's address; histories come whole."""
    fetched = http.get(f"{source.url.rstrip('/')}/{path}", min_interval=MEMPOOL_INTERVAL)
    return parse_mempool(fetched.body, now=fetched.fetched_at)


def parse_mempool(body: bytes, *, now: datetime) -> list[ObservationItem]:
    """Observations of any of the five answers, told apart by their form; tip height is bare text."""
    height = _HEIGHT_TEXT.fullmatch(body)
    if height:
        return [_observe(_HEIGHT, now.replace(microsecond=0), float(height[1]))]
    answer = parse_json(body, _EXPECTED_BITCOIN)
    now = now.replace(microsecond=0)
    if isinstance(answer, dict):
        for mark, read in _READERS.items():
            if mark in answer:
                return read(answer, now)
    if _is_retargets(answer):
        return _retargets(answer)
    raise unexpected(_EXPECTED_BITCOIN, describe(answer))


def _named(
    names: Mapping[str, tuple[str, str]],
) -> Callable[[Mapping[str, Any], datetime], list[ObservationItem]]:
    """A reader of a flat answer: every name must be there with a number."""

    def read(answer: Mapping[str, Any], now: datetime) -> list[ObservationItem]:
        values = {name: finite(answer.get(name)) for name in names}
        missing = [name for name, value in values.items() if value is None]
        if missing:
            raise unexpected(_EXPECTED_BITCOIN, f"an answer without a number for {', '.join(missing)}")
        return [_observe(names[name], now, value) for name, value in values.items() if value is not None]

    return read


def _hashrate(answer: Mapping[str, Any], now: datetime) -> list[ObservationItem]:
    """The history of days and retargets, and where both stand now."""
    histories = [
        (_HASHRATE, answer.get("hashrates"), "avgHashrate", answer.get("currentHashrate")),
        (_DIFFICULTY, answer.get("difficulty"), "difficulty", answer.get("currentDifficulty")),
    ]
    observations: list[ObservationItem] = []
    for series, history, name, current in histories:
        for row in objects(history, _EXPECTED_BITCOIN):
            at = _epoch(row.get("timestamp", row.get("time")))
            observations.append(_point(series, at, finite(row.get(name)), _EXPECTED_BITCOIN, row))
        observations.append(_point(series, now, finite(current), _EXPECTED_BITCOIN, answer))
    return observations[-MAX_POINTS:]


def _is_retargets(answer: object) -> bool:
    return (
        isinstance(answer, list)
        and bool(answer)
        and all(isinstance(row, list) and len(row) == 4 for row in answer)
    )


def _retargets(answer: list[list[Any]]) -> list[ObservationItem]:
    """``[[time, height, difficulty, change]]``."""
    rows = [_point(_DIFFICULTY, _epoch(row[0]), finite(row[2]), _EXPECTED_BITCOIN, row) for row in answer]
    return rows[:MAX_POINTS]


_READERS: dict[str, Callable[[Mapping[str, Any], datetime], list[ObservationItem]]] = {
    "fastestFee": _named(_FEES),
    "vsize": _named(_MEMPOOL),
    "progressPercent": _named(_RETARGET),
    "hashrates": _hashrate,
}


def parse_defillama(body: bytes, *, now: datetime) -> list[ObservationItem]:
    """Daily points before today of ``[{date, tvl}]`` (once ``totalLiquidityUSD``) or of
    ``[{date, totalCirculatingUSD: {peg: amount}}]``, summed over the pegs."""
    rows = objects(parse_json(body, _EXPECTED_LLAMA), _EXPECTED_LLAMA)
    if not rows:
        raise unexpected(_EXPECTED_LLAMA, "an empty list")
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    points = {item.at: item for row in rows if (item := _llama_point(row)).at < today}
    return sorted(points.values(), key=lambda item: item.at)[-MAX_POINTS:]


def _llama_point(row: Mapping[str, Any]) -> ObservationItem:
    at = _epoch(row.get("date"))
    pegs = row.get("totalCirculatingUSD")
    if isinstance(pegs, dict):
        amounts = [finite(amount) for amount in pegs.values()]
        known = [amount for amount in amounts if amount is not None]
        total = sum(known) if known and len(known) == len(amounts) else None
        return _point(_STABLECOINS, at, total, _EXPECTED_LLAMA, row)
    return _point(_TVL, at, finite(row.get("tvl", row.get("totalLiquidityUSD"))), _EXPECTED_LLAMA, row)


def _point(
    series: tuple[str, str], at: datetime | None, value: float | None, expected: str, row: object
) -> ObservationItem:
    if at is None or value is None or value < 0:
        raise unexpected(expected, describe(row))
    return _observe(series, at, value)


def _observe(series: tuple[str, str], at: datetime, value: float) -> ObservationItem:
    return ObservationItem(series[0], at, value, series[1])


def _epoch(value: object) -> datetime | None:
    seconds = finite(value)
    return None if seconds is None else from_epoch(seconds)
