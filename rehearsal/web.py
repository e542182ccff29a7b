"""The invented web: what each source would answer at an address, at a moment that the maker of the world sets.

It stands where ``HttpClient`` stands, so that everything is parsed, stored and linked by the code that reads the real
web. It opens no connection.
"""

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import Fetched, HttpClient, Validators
from rehearsal import bodies
from rehearsal.market import DOLLARS, STRANGERS, WON_ONLY, InventedMarket, significant, won_price
from rehearsal.stories import Story

SEOUL = ZoneInfo("Asia/Seoul")
DAY = timedelta(days=1)
UPBIT_PAGE = 200
HISTORY_DAYS = 400
HELD_RATE = 13.8  # an answer with a slipped point, for the queue of held values
Query = dict[str, str]


@dataclass(kw_only=True, eq=False)
class InventedWeb(HttpClient):
    """Answers as of ``at``. ``stories`` are by the address of the feed that brings them."""

    market: InventedMarket
    at: datetime
    stories: dict[str, Sequence[Story]]
    allow_private: bool = False
    user_agent: str = "rehearsal"
    slipped: bool = field(default=False)

    def get(
        self,
        url: str,
        *,
        validators: Validators | None = None,
        accept: str = "*/*",
        min_interval: float | None = None,
        secrets: Sequence[str] = (),
    ) -> Fetched:
        """The invented answer; ``SourceError`` for an address that nobody here answers."""
        body = self._body(url)
        kind = "application/rss+xml" if body.startswith(b"<?xml") else "application/json"
        return Fetched(200, body, {"content-type": kind}, url, url, self.at)

    def _body(self, url: str) -> bytes:
        if url in self.stories:
            return self._feed(url)
        parts = urlsplit(url)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        for pattern, answer in ANSWERS:
            if re.search(pattern, parts.netloc + parts.path):
                return answer(self, parts.path, query)
        raise SourceError("refused", f"nobody is invented at {parts.netloc}")

    def _feed(self, url: str) -> bytes:
        told = [story for story in self.stories[url] if story.at <= self.at]
        newest = sorted(told, key=lambda story: story.at, reverse=True)[:30]
        site = f"https://{urlsplit(url).netloc}"
        return bodies.feed(site, [(one.key, one.title, one.summary, one.author, one.at) for one in newest])

    # ---- exchanges -------------------------------------------------------------------------------------------
    def _markets(self, _path: str, _query: Query) -> bytes:
        return bodies.upbit_markets(
            *(f"KRW-{ticker}" for ticker in DOLLARS),
            *(f"KRW-{ticker}" for ticker, _ko, _en in STRANGERS),
            warned={"KRW-MARU"},
            names={f"KRW-{ticker}": (korean, english) for ticker, korean, english in STRANGERS},
        )

    def _won_tickers(self, _path: str, _query: Query) -> bytes:
        market = self.market
        return bodies.upbit_tickers(
            *(
                (f"KRW-{one}", won_price(market.won(one, self.at)), market.traded(one), self.at)
                for one in DOLLARS
            )
        )

    def _dollar_tickers(self, _path: str, _query: Query) -> bytes:
        abroad = (one for one in DOLLARS if one not in WON_ONLY)
        return bodies.binance_tickers(
            *((f"{one}USDT", significant(self.market.dollars(one, self.at)), self.at) for one in abroad)
        )

    def _won_bars(self, path: str, query: Query) -> bytes:
        ticker, days = query["market"].removeprefix("KRW-"), path.endswith("days")
        until = datetime.fromisoformat(query["to"]) if "to" in query else self.at
        step = DAY if days else timedelta(hours=1)
        last = min(until, self.at).astimezone(UTC).replace(minute=0, second=0, microsecond=0)
        read = self.market.days if days else self.market.hours
        bars = read(ticker, max(last - UPBIT_PAGE * step, self._first), last, won=True)
        return bodies.upbit_candles(bars, market=query["market"], days=days)

    def _dollar_bars(self, _path: str, query: Query) -> bytes:
        ticker, days = query["symbol"].removesuffix("USDT"), query["interval"] == "1d"
        step = DAY if days else timedelta(hours=1)
        last = self.at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
        first = last - (HISTORY_DAYS if days else UPBIT_PAGE) * step
        if "startTime" in query:
            first = datetime.fromtimestamp(int(query["startTime"]) / 1000, UTC)
        read = self.market.days if days else self.market.hours
        return bodies.klines(read(ticker, max(first, self._first), last, won=False), step=step)

    @property
    def _first(self) -> datetime:
        """The opening of the first day of which exchanges have bars."""
        return self.market.hour.replace(hour=0) - HISTORY_DAYS * DAY

    # ---- statistics ------------------------------------------------------------------------------------------
    def _ecos(self, path: str, _query: Query) -> bytes:
        stat, cycle, start, _end, item = path.split("/")[-5:]
        first = max(_day_of(start), self.at.astimezone(SEOUL).date() - timedelta(days=HISTORY_DAYS))
        value = {"722Y001": self._base_rate, "731Y001": self._fixing, "901Y009": self._prices_at_home}[stat]
        found = _months(first, self._today(SEOUL)) if cycle == "M" else _workdays(first, self._today(SEOUL))
        rows = [(f"{day:%Y%m}" if cycle == "M" else f"{day:%Y%m%d}", value(day)) for day in found]
        return bodies.ecos(stat, item, rows)

    def _fred(self, _path: str, query: Query) -> bytes:
        first = date.fromisoformat(query["observation_start"])
        series, today = query["series_id"], self._today(ZoneInfo("America/New_York"))
        first = max(first, today - timedelta(days=HISTORY_DAYS + 400 * (series == "CPIAUCSL")))
        days = {"CPIAUCSL": _months, "DFEDTARU": _every_day}.get(series, _workdays)(first, today)
        value: dict[str, Callable[[date], float]] = {
            "DGS10": lambda day: (
                4.1 + 0.22 * math.sin(self._age(day) / 33) + 0.05 * math.sin(self._age(day) / 4)
            ),
            "DFEDTARU": lambda day: 3.75 if self._age(day) < 24 else 4.0,
            "CPIAUCSL": lambda day: 326.0 - 0.0245 * self._age(day),
            "DTWEXBGS": lambda day: 121.4 + 1.6 * math.sin(self._age(day) / 47),
        }
        return bodies.fred([(day.isoformat(), value[series](day)) for day in days])

    def _rates(self, path: str, _query: Query) -> bytes:
        first = max(
            date.fromisoformat(path.rsplit("/", 1)[-1].split("..")[0]), self._today(SEOUL) - 400 * DAY
        )
        rates = [
            (day.isoformat(), round(self._fixing(day) * 0.9993, 2))
            for day in _workdays(first, self._today(UTC))
        ]
        if self.slipped and rates:
            rates[-1] = (rates[-1][0], HELD_RATE)
        return bodies.rates(*rates)

    def _fear(self, _path: str, _query: Query) -> bytes:
        days = _every_day(self._today(UTC) - timedelta(days=HISTORY_DAYS), self._today(UTC))
        return bodies.fear_greed((day, 44 + round(19 * math.sin(self._age(day) / 8))) for day in days)

    def _base_rate(self, day: date) -> float:
        return 2.5 if self._age(day) < 9 else 2.75

    def _fixing(self, day: date) -> float:
        return round(self.market.rate(datetime(day.year, day.month, day.day, tzinfo=SEOUL)), 1)

    def _prices_at_home(self, day: date) -> float:
        return round(117.3 - 0.0068 * self._age(day), 2)

    # ---- chains ----------------------------------------------------------------------------------------------
    def _fees(self, _path: str, _query: Query) -> bytes:
        fast = 9 + round(6 * (1 + math.sin(self._hours() / 5)))
        names = ("fastestFee", "halfHourFee", "hourFee", "economyFee", "minimumFee")
        return _json(dict(zip(names, (fast, fast - 2, fast - 4, 3, 1), strict=True)))

    def _mempool(self, _path: str, _query: Query) -> bytes:
        count = 41_000 + round(17_000 * math.sin(self._hours() / 7))
        return _json({"count": count, "vsize": count * 612, "total_fee": count * 2_900})

    def _retarget(self, _path: str, _query: Query) -> bytes:
        left = 2016 - int(self._height() % 2016)
        change = round(1.8 + math.sin(self._hours() / 60), 4)
        return _json(
            {
                "progressPercent": round((2016 - left) / 20.16, 3),
                "difficultyChange": change,
                "remainingBlocks": left,
            }
        )

    def _hashrates(self, _path: str, _query: Query) -> bytes:
        today = self._today(UTC)
        days = [today - timedelta(days=ago) for ago in range(HISTORY_DAYS, 0, -1)]
        rates = [{"timestamp": _epoch(day), "avgHashrate": self._hashrate(day)} for day in days]
        steps = [{"time": _epoch(day), "difficulty": self._difficulty(day)} for day in days[::14]]
        now = {"currentHashrate": self._hashrate(today), "currentDifficulty": self._difficulty(today)}
        return _json({"hashrates": rates, "difficulty": steps, **now})

    def _tip(self, _path: str, _query: Query) -> bytes:
        return str(int(self._height())).encode()

    def _locked(self, _path: str, _query: Query) -> bytes:
        days = _every_day(self._today(UTC) - timedelta(days=HISTORY_DAYS), self._today(UTC))
        return _json(
            [{"date": _epoch(day), "tvl": 118e9 + 11e9 * math.sin(self._age(day) / 52)} for day in days]
        )

    def _stablecoins(self, _path: str, _query: Query) -> bytes:
        days = _every_day(self._today(UTC) - timedelta(days=HISTORY_DAYS), self._today(UTC))
        return _json(
            [
                {
                    "date": str(_epoch(day)),
                    "totalCirculatingUSD": {"peggedUSD": 309e9 - 0.11e9 * self._age(day)},
                }
                for day in days
            ]
        )

    def _hashrate(self, day: date) -> float:
        return round(1.03e21 * (1 - 0.0007 * self._age(day)) * (1 + 0.03 * math.sin(self._age(day) / 3)), 0)

    def _difficulty(self, day: date) -> float:
        return round(1.46e14 * (1 - 0.0007 * (self._age(day) // 14 * 14)), 0)

    def _height(self) -> float:
        return 925_000 - self._hours() * 6

    def _hours(self) -> float:
        return (self.market.now - self.at) / timedelta(hours=1)

    def _today(self, zone: tzinfo) -> date:
        return self.at.astimezone(zone).date()

    def _age(self, day: date) -> int:
        """Days between a day and the world's newest."""
        return (self.market.now.astimezone(UTC).date() - day).days


ANSWERS: tuple[tuple[str, Callable[[InventedWeb, str, Query], bytes]], ...] = (
    (r"upbit\.com/v1/market/all", InventedWeb._markets),
    (r"upbit\.com/v1/ticker/all", InventedWeb._won_tickers),
    (r"upbit\.com/v1/candles/", InventedWeb._won_bars),
    (r"binance\.vision/api/v3/ticker", InventedWeb._dollar_tickers),
    (r"binance\.vision/api/v3/klines", InventedWeb._dollar_bars),
    (r"ecos\.bok\.or\.kr/", InventedWeb._ecos),
    (r"api\.stlouisfed\.org/", InventedWeb._fred),
    (r"frankfurter\.dev/", InventedWeb._rates),
    (r"alternative\.me/", InventedWeb._fear),
    (r"mempool\.space/.*/fees/recommended", InventedWeb._fees),
    (r"mempool\.space/.*/difficulty-adjustment", InventedWeb._retarget),
    (r"mempool\.space/.*/hashrate/", InventedWeb._hashrates),
    (r"mempool\.space/.*/tip/height", InventedWeb._tip),
    (r"mempool\.space/api/mempool", InventedWeb._mempool),
    (r"api\.llama\.fi/", InventedWeb._locked),
    (r"stablecoins\.llama\.fi/", InventedWeb._stablecoins),
)


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def _epoch(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())


def _day_of(written: str) -> date:
    return date(int(written[:4]), int(written[4:6] or 1), int(written[6:8] or 1))


def _every_day(first: date, last: date) -> list[date]:
    return [first + timedelta(days=at) for at in range((last - first).days + 1)]


def _workdays(first: date, last: date) -> list[date]:
    return [day for day in _every_day(first, last) if day.weekday() < 5]


def _months(first: date, last: date) -> list[date]:
    """The first days of the months whose figure is known by ``last``, as if a month's came with its end."""
    known = last.replace(day=1) - timedelta(days=1)
    return [day for day in _every_day(first.replace(day=1), known) if day.day == 1]
