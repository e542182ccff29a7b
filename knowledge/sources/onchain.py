"""The chain's own numbers: ``mempool_space`` (Bitcoin) and ``defillama`` (DeFi and stablecoins).

mempool.space bears one request in ten seconds. Its answers say nothing of when they hold, so they are dated
by the time they were fetched, except for histories. DefiLlama writes ``date`` as text in one answer and as
a number in the other, and its point of today is still growing: it is left out.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from knowledge.models import Source
from knowledge.sources.base import ObservationItem
from knowledge.sources.http.client import Fetched
from knowledge.sources.json_bodies import epoch, json_of, number, rows

MEMPOOL_INTERVAL = 10.0  # seconds between two requests

# What flat answers say of now: name in the answer -> (series, unit). The first name tells which answer it is.
_FLAT: tuple[dict[str, tuple[str, str]], ...] = (
    {
        "fastestFee": ("bitcoin.fee.fastest", "sat/vB"),
        "halfHourFee": ("bitcoin.fee.half_hour", "sat/vB"),
        "hourFee": ("bitcoin.fee.hour", "sat/vB"),
        "economyFee": ("bitcoin.fee.economy", "sat/vB"),
        "minimumFee": ("bitcoin.fee.minimum", "sat/vB"),
    },
    {
        "vsize": ("bitcoin.mempool.size", "vB"),
        "count": ("bitcoin.mempool.count", "transactions"),
        "total_fee": ("bitcoin.mempool.fees", "sat"),
    },
    {
        "progressPercent": ("bitcoin.retarget.progress", "%"),
        "difficultyChange": ("bitcoin.retarget.change", "%"),
        "remainingBlocks": ("bitcoin.retarget.remaining_blocks", "blocks"),
    },
)
# Where the whole history of a series stands.
_HASHRATES = "v1/mining/hashrate/all"
MEMPOOL_PATHS = {"bitcoin.hashrate": _HASHRATES, "bitcoin.difficulty": _HASHRATES}
LLAMA_PATHS = {"defi.tvl": "historicalChainTvl", "stablecoins.supply": "stablecoincharts/all"}
_HASHRATE, _DIFFICULTY = ("bitcoin.hashrate", "H/s"), ("bitcoin.difficulty", "")
# The chain is past 900,000 blocks and grows by 53,000 a year.
_HEIGHTS = range(10_000, 100_000_000)


def parse_mempool(answer: Fetched, _source: Source) -> Iterable[ObservationItem]:
    """Observations of any of the five answers, or of the list of retargets, told apart by their form."""
    found, now = json_of(answer.body), answer.fetched_at.replace(microsecond=0)
    if isinstance(found, int) and found in _HEIGHTS:
        return [_point(("bitcoin.height", "blocks"), now, found)]
    if isinstance(found, list) and found:
        return [_point(_DIFFICULTY, epoch(time), value) for time, _height, value, _change in found]
    if "hashrates" in found:
        return _hashrates(found, now)
    for names in _FLAT:
        if next(iter(names)) in found:
            values = ((series, number(found[name]), unit) for name, (series, unit) in names.items())
            return [ObservationItem(series, now, value, unit) for series, value, unit in values]
    raise ValueError("none of the answers that are read")


def _hashrates(found: Mapping[str, Any], now: datetime) -> Iterator[ObservationItem]:
    """The history of days and retargets, and where both stand now."""
    for day in rows(found["hashrates"]):
        yield _point(_HASHRATE, epoch(day["timestamp"]), day["avgHashrate"])
    for retarget in rows(found["difficulty"]):
        at = epoch(retarget.get("timestamp", retarget.get("time")))
        yield _point(_DIFFICULTY, at, retarget["difficulty"])
    yield _point(_HASHRATE, now, found["currentHashrate"])
    yield _point(_DIFFICULTY, now, found["currentDifficulty"])


def parse_defillama(answer: Fetched, _source: Source) -> list[ObservationItem]:
    """Daily points before today of ``[{date, tvl}]`` (once ``totalLiquidityUSD``) or of
    ``[{date, totalCirculatingUSD: {peg: amount}}]``, summed over the pegs."""
    found = rows(json_of(answer.body))
    if not found:
        raise ValueError("a history without a point")
    today = answer.fetched_at.replace(hour=0, minute=0, second=0, microsecond=0)
    return [point for row in found if (point := _llama_point(row)).at < today]


def _llama_point(row: Mapping[str, Any]) -> ObservationItem:
    at = epoch(row["date"])
    if "totalCirculatingUSD" not in row:
        return _point(("defi.tvl", "USD"), at, row.get("tvl", row.get("totalLiquidityUSD")), f"{at:%Y-%m-%d}")
    amounts = [number(amount) for amount in row["totalCirculatingUSD"].values()]
    if not amounts:
        raise ValueError("a supply without amounts")
    return _point(("stablecoins.supply", "USD"), at, sum(amounts), f"{at:%Y-%m-%d}")


def _point(series: tuple[str, str], at: datetime, value: object, period: str = "") -> ObservationItem:
    found = number(value)
    if found < 0:
        raise ValueError(f"a negative {series[0]}")
    return ObservationItem(series[0], at, found, series[1], period)
