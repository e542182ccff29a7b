"""What detection is tried on: candles from a CSV file, and what they are candles of. Pure but for reading the file."""

import csv
import statistics
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

from knowledge.evaluation.files import MalformedFileError, read_text
from knowledge.pulses.bars import INTERVALS, Bar, BarRules

TIME_ZONES: Mapping[str, tzinfo] = {"timestamp_utc": UTC, "timestamp_kst": ZoneInfo("Asia/Seoul")}
NUMBERS = ("open", "high", "low", "close", "volume")

# Coins that promise a price: on the lists of Korean exchanges or large enough to be compared with.
STABLECOINS = frozenset(
    ["USDT", "USDC", "USDS", "USDE", "USD1", "DAI", "BUSD", "FDUSD", "TUSD", "PYUSD", "RLUSD", "EURC", "JPYC"]
)
QUOTES = ("KRW", "USDT", "USDC", "USD")


def read_candles(path: Path) -> list[Bar]:
    """The bars of a CSV file with a header: `timestamp_utc` or `timestamp_kst`, open, high, low, close,
    volume and, where known, `value` (KRW). Other columns are ignored. Raises MalformedFileError."""
    reader = csv.DictReader(read_text(path).splitlines(keepends=True), strict=True)
    try:
        reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or []]
        time_column = _time_column(reader.fieldnames)
        bars = [_bar(row, time_column) for row in reader]
    except csv.Error as error:
        raise MalformedFileError(f"{path}: line {reader.line_num} is not CSV: {error}") from error
    except ValueError as error:
        raise MalformedFileError(f"{path}: line {reader.line_num}: {error}") from error
    if not bars:
        raise MalformedFileError(f"{path}: the file has no candles")
    return bars


def _time_column(header: Sequence[str]) -> str:
    times = [name for name in TIME_ZONES if name in header]
    missing = [name for name in NUMBERS if name not in header]
    if not times:
        missing.insert(0, " or ".join(TIME_ZONES))
    if missing:
        raise ValueError(f"the header lacks {', '.join(missing)}")
    return times[0]


def _bar(row: Mapping[str, str | None], time_column: str) -> Bar:
    text, value = (row[time_column] or "").strip(), (row.get("value") or "").strip()
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a time") from None
    return Bar(
        at=at if at.tzinfo else at.replace(tzinfo=TIME_ZONES[time_column]),
        **{name: _number(row, name) for name in NUMBERS},
        value=_number(row, "value") if value else None,
    )


def _number(row: Mapping[str, str | None], name: str) -> float:
    text = row.get(name)
    try:
        return float(text or "")
    except ValueError:
        raise ValueError(f"{name} {text!r} is not a number") from None


def agreed_interval(bars: Sequence[Bar], asked: str | None) -> BarRules:
    """The interval whose step is the commonest spacing, or the one asked for unless that spacing is another's: of a
    thin market most bars are missing. Raises ValueError for neither an hour nor a day."""
    times = sorted({bar.at for bar in bars})
    spacing = statistics.mode(later - earlier for earlier, later in pairwise(times)) if times[1:] else None
    seen = next((interval for interval in INTERVALS.values() if interval.step == spacing), None)
    if asked and seen and seen.name != asked:
        raise ValueError(f"the bars are {seen.name} apart, not {asked}")
    if asked:
        return INTERVALS[asked]
    if spacing is None:
        raise ValueError("at least two bars are needed to see their spacing")
    if seen is None:
        raise ValueError(f"bars are {spacing} apart; only hour and day bars are understood")
    return seen


def is_stablecoin(symbol: str) -> bool:
    """By the base symbol of a market written as USDT, KRW-USDT, USDT/KRW or USDCUSDT."""
    name = symbol.upper().removeprefix("KRW-")
    bases = {name, *(name.removesuffix(quote).rstrip("-/_") for quote in QUOTES)}
    return not STABLECOINS.isdisjoint(bases)
