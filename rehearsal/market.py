"""An invented market: what an asset costs at any hour before now, the same for the same seed.

Paths are walked backwards from the present price, so that the newest bar always ends now. A few moves are written
down, for pulses to find: a fall of the whole market, a rise of one asset, a premium that jumps.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property

from knowledge.pulses.bars import DAY, HOUR, Bar

HOUR_LONG = timedelta(hours=1)
HOURS_KNOWN = 24 * 420  # a year and what its changes are measured against
# Dollars now. Each is an asset of the starter canon that trades on both invented venues, but for MARU.
DOLLARS = {
    "BTC": 88_400.0, "ETH": 3_150.0, "XRP": 2.31, "SOL": 141.0, "DOGE": 0.162, "ADA": 0.455, "TRX": 0.291,
    "LINK": 13.9, "AVAX": 15.2, "SUI": 1.71, "SHIB": 0.0000092, "BCH": 512.0, "XLM": 0.268, "HBAR": 0.152,
    "DOT": 2.44, "NEAR": 1.93, "ETC": 14.1, "AAVE": 187.0, "MARU": 1.12,
}  # fmt: skip
WON_ONLY = frozenset({"MARU"})
# Listed, and in nobody's canon: (ticker, Korean name, English name).
STRANGERS = (
    ("DODAM", "도담코인", "Dodam Coin"),
    ("NURI", "누리체인", "Nuri Chain"),
    ("BYEOL", "별무리", "Byeolmuri"),
)
# Ticker ("" is all of them) -> moves: (hours ago at their end, hours they took, as a fraction).
MOVES: dict[str, tuple[tuple[int, int, float], ...]] = {
    "": ((9, 2, -0.094), (4, 3, 0.021), (130, 3, 0.047)),
    "SOL": ((54, 3, 0.148),),
    "DOGE": ((222, 2, -0.121),),
    "LINK": ((12, 1, 0.024),),
    "MARU": ((118, 2, 0.23), (20, 3, -0.11)),
}
PREMIUM_JUMPS = {"XRP": (38, 12, 4.6)}  # hours ago, for how long, percentage points
WON_TO_THE_DOLLAR = 1_384.5
PARTS = 4  # of a bar, between which its price is looked at
SPREAD = 0.0016  # of an hour's bar around its closes


@dataclass(frozen=True)
class InventedMarket:
    """The market as it was before ``now``."""

    now: datetime
    seed: int = 17

    @cached_property
    def hour(self) -> datetime:
        """The hour that closed last."""
        return self.now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)

    @cached_property
    def dollars(self) -> Callable[[str, datetime], float]:
        """The price of a ticker at a moment: between two hours as if it went straight. Both venues ask for the same."""
        return cache(self._dollars)

    def _dollars(self, ticker: str, at: datetime) -> float:
        ago = max(0.0, (self.hour - at) / HOUR_LONG)
        path, whole = self._path(ticker), int(ago)
        return path[whole] + (path[min(whole + 1, HOURS_KNOWN)] - path[whole]) * (ago - whole)

    def won(self, ticker: str, at: datetime) -> float:
        return self.dollars(ticker, at) * self.rate(at) * (1 + self.premium(ticker, at))

    @cached_property
    def rate(self) -> Callable[[datetime], float]:
        """Won for a dollar at a moment: it drifts slowly, and less than half a per cent a day."""
        return cache(self._rate)

    def _rate(self, at: datetime) -> float:
        days = (self.now - at) / timedelta(days=1)
        return WON_TO_THE_DOLLAR * (
            1 - 0.00006 * days + 0.006 * math.sin(days / 5.3) + 0.011 * math.sin(days / 41)
        )

    def premium(self, ticker: str, at: datetime) -> float:
        hours, shift = (self.now - at) / HOUR_LONG, self._shift(ticker)
        wave = 1.9 + 0.55 * math.sin(hours / 37 + shift) + 0.25 * math.sin(hours / 9.7 + shift)
        began, lasted, jump = PREMIUM_JUMPS.get(ticker, (0, 0, 0.0))
        return (wave + (jump if began - lasted <= hours <= began else 0.0)) / 100

    @staticmethod
    @cache
    def _shift(ticker: str) -> int:
        """Premiums do not rise and fall together."""
        return sum(map(ord, ticker)) % 7

    def hours(self, ticker: str, first: datetime, last: datetime, *, won: bool) -> list[Bar]:
        """The bars of hours that opened from ``first`` on and closed by ``last``, oldest first."""
        count = int((min(last, self.hour) - first) / HOUR_LONG)
        return [self._bar(ticker, first + at * HOUR_LONG, HOUR.step, won=won) for at in range(count)]

    def days(self, ticker: str, first: datetime, last: datetime, *, won: bool) -> list[Bar]:
        opened = first.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        count = int((min(last, self.hour) - opened) / DAY.step)
        return [self._bar(ticker, opened + at * DAY.step, DAY.step, won=won) for at in range(count)]

    def traded(self, ticker: str) -> float:
        """Won in a day: the first of the list most, the last some billions."""
        rank = list(DOLLARS).index(ticker)
        return 620e9 / math.pow(rank + 1, 0.9)

    def _bar(self, ticker: str, opened: datetime, length: timedelta, *, won: bool) -> Bar:
        price = self.won if won else self.dollars
        inside = [price(ticker, opened + length / PARTS * part) for part in range(PARTS + 1)]
        dice = random.Random(f"{ticker}|{(self.hour - opened) // HOUR_LONG}|{self.seed}")  # noqa: S311
        wick = 1 + SPREAD * dice.random()
        begin, end = inside[0], inside[-1]
        volume = self.traded(ticker) / 24 * (length / HOUR_LONG) / self.won(ticker, opened)
        volume *= (1 + 30 * abs(end / begin - 1)) * dice.uniform(0.7, 1.3)
        quoted = won_price if won else significant
        first, high, low, last = map(quoted, (begin, max(inside) * wick, min(inside) / wick, end))
        return Bar(opened, first, high, low, last, round(volume, 6))

    def _path(self, ticker: str) -> list[float]:
        """Prices by full hours ago: 0 is the last hour."""
        if ticker not in self._paths:
            self._paths[ticker] = list(self._walk(ticker))
        return self._paths[ticker]

    @cached_property
    def _paths(self) -> dict[str, list[float]]:
        return {}

    @cached_property
    def _common(self) -> list[float]:
        """What the whole market did in each hour, as a logarithm."""
        dice = random.Random(self.seed)  # noqa: S311
        return [dice.gauss(0.00002, 0.0021) for _ in range(HOURS_KNOWN + 1)]

    def _walk(self, ticker: str) -> list[float]:
        dice = random.Random(f"{ticker}|{self.seed}")  # noqa: S311
        lean = dice.uniform(0.8, 1.25)
        steps = [lean * common + dice.gauss(0, 0.0016) for common in self._common]
        for ended, lasted, size in (*MOVES[""], *MOVES.get(ticker, ())):
            for hour in range(ended, ended + lasted):
                steps[hour] += math.log1p(size * (lean if size < 0 else 1)) / lasted
        prices = [DOLLARS[ticker]]
        for step in steps[:HOURS_KNOWN]:
            prices.append(prices[-1] / math.exp(step))
        return prices


def won_price(value: float) -> float:
    """In the steps in which won markets trade, about."""
    steps = ((1_000_000, 1000), (100_000, 100), (1_000, 1), (100, 0.1), (1, 0.01), (0, 0.00001))
    step = next(step for least, step in steps if value >= least)
    return round(round(value / step) * step, 6)


def significant(value: float) -> float:
    return float(f"{value:.6g}")
