"""What detection is tried on: candles from a CSV file, and what they are candles of. Pure but for reading the file."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from knowledge.pulses.bars import INTERVALS, Bar, BarRules, infer_interval

TIME_ZONES: Mapping[str, tzinfo] = {"timestamp_utc": UTC, "timestamp_kst": ZoneInfo("Asia/Seoul")}
NUMBERS = ("open", "high", "low", "close", "volume")

# Coins that promise a price: on the lists of Korean exchanges or large enough to be compared with.
STABLECOINS = frozenset(
    ["USDT", "USDC", "USDS", "USDE", "USD1", "DAI", "BUSD", "FDUSD", "TUSD", "PYUSD", "RLUSD", "EURC", "JPYC"]
)
QUOTES = ("KRW", "USDT", "USDC", "USD")


class CandleFileError(ValueError):
    """The file is no table of candles; the message says what is wrong and in which line."""


def read_candles(path: Path) -> list[Bar]:
    """The bars of a CSV file with a header: `timestamp_utc` or `timestamp_kst`, open, high, low, close,
    volume and, where known, `value` (KRW). Other columns are ignored. Raises CandleFileError."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            return parse_candles(lines)
    except CandleFileError as error:
        raise CandleFileError(f"{path}: {error}") from error
    except OSError as error:
        raise CandleFileError(f"cannot read {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise CandleFileError(f"{path} is not UTF-8 text") from error
    except csv.Error as error:
        raise CandleFileError(f"{path} is not CSV: {error}") from error


def parse_candles(lines: Iterable[str]) -> list[Bar]:
    """As read_candles, from the lines of the file."""
    reader = csv.DictReader(lines, strict=True)
    header = [name.strip().lower() for name in reader.fieldnames or []]
    reader.fieldnames = header
    time_column = next((name for name in TIME_ZONES if name in header), None)
    if time_column is None:
        raise CandleFileError("the header has neither timestamp_utc nor timestamp_kst")
    missing = [name for name in NUMBERS if name not in header]
    if missing:
        raise CandleFileError(f"the header lacks {', '.join(missing)}")
    bars = []
    for row in reader:
        try:
            bars.append(_bar(row, time_column))
        except ValueError as error:
            raise CandleFileError(f"line {reader.line_num}: {error}") from error
    if not bars:
        raise CandleFileError("the file has no candles")
    return bars


def _bar(row: Mapping[str, str | None], time_column: str) -> Bar:
    value = row.get("value")
    return Bar(
        at=_time(row[time_column], TIME_ZONES[time_column]),
        open=_number(row, "open"),
        high=_number(row, "high"),
        low=_number(row, "low"),
        close=_number(row, "close"),
        volume=_number(row, "volume"),
        value=_number(row, "value") if value and value.strip() else None,
    )


def _time(text: str | None, zone: tzinfo) -> datetime:
    if not text or not text.strip():
        raise ValueError("the time is missing")
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValueError(f"{text!r} is not a time") from None
    return at if at.tzinfo else at.replace(tzinfo=zone)


def _number(row: Mapping[str, str | None], name: str) -> float:
    text = row.get(name)
    try:
        return float(text or "")
    except ValueError:
        raise ValueError(f"{name} {text!r} is not a number") from None


def agreed_interval(bars: Sequence[Bar], asked: str | None) -> BarRules:
    """The interval seen from the spacing, or the one asked for unless the spacing speaks against it."""
    if asked is None:
        return infer_interval(bars)
    try:
        seen = infer_interval(bars).name
    except ValueError:
        seen = asked  # a market so thin that most of its bars are missing
    if seen != asked:
        raise ValueError(f"the bars are {seen} apart, not {asked}")
    return INTERVALS[asked]


def is_stablecoin(symbol: str) -> bool:
    """By the base symbol of a market written as USDT, KRW-USDT, USDT/KRW or USDCUSDT."""
    name = symbol.upper().removeprefix("KRW-")
    bases = {name, *(name.removesuffix(quote).rstrip("-/_") for quote in QUOTES)}
    return not STABLECOINS.isdisjoint(bases)
