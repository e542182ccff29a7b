"""Document bursts: far more is published about a unit than at this hour on other days (design: pulses). Pure."""

import hashlib
import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import attrgetter

from knowledge.pulses.bars import Direction
from knowledge.pulses.headlines import Headline, agreed_direction

WINDOW = timedelta(minutes=90)
HISTORY_DAYS = 14
LEAST_RATE = 0.3  # documents per window: a unit nobody wrote about is still not infinitely surprising
LEAST_DOCUMENTS = 4
LEAST_OUTLETS = 3
STARTS_BELOW = 1e-4
CALM_ABOVE = 0.05
CALM_FOR = timedelta(hours=2)
TICK = timedelta(minutes=5)  # how finely the end is looked for
COPIES_WITHIN = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Burst:
    """`count` and `outlets` are those of the fullest window; `direction` is None where the headlines do not agree on
    one: then it is an event candidate and no pulse."""

    id: str
    started_at: datetime
    detected_at: datetime
    ended_at: datetime | None
    count: int
    outlets: int
    direction: Direction | None
    headlines: Sequence[Headline]


def detect_bursts(
    headlines: Iterable[Headline],
    *,
    unit: str,
    now: datetime,
    since: datetime | None = None,
    observed_since: datetime | None = None,
) -> list[Burst]:
    """The bursts on one unit detected from `since` to `now`, oldest first.

    `headlines` are all of the unit's over the time of interest and the 14 days before it, in any order.
    `observed_since` is when its sources began to be read: earlier days are not counted as silent ones.
    """
    seen = sorted((headline for headline in headlines if headline.at <= now), key=attrgetter("at"))
    arrivals = _Arrivals(_without_copies(seen), observed_since)
    bursts: list[Burst] = []
    for headline in arrivals.headlines:
        if bursts and (bursts[-1].ended_at is None or headline.at <= bursts[-1].ended_at):
            continue
        if burst := _burst_at(arrivals, headline.at, unit, now):
            bursts.append(burst)
    return [burst for burst in bursts if since is None or burst.detected_at >= since]


def _without_copies(headlines: Iterable[Headline]) -> list[Headline]:
    """Of headlines in time order, the first of each wording within a day: an agency's text printed by
    twenty papers is one report."""
    first_seen: dict[str, datetime] = {}
    kept = []
    for headline in headlines:
        first = first_seen.get(headline.words)
        if first is None or headline.at - first > COPIES_WITHIN:
            first_seen[headline.words] = headline.at
            kept.append(headline)
    return kept


def poisson_tail(count: int, rate: float) -> float:
    """P(N ≥ count) for N ~ Poisson(rate), exact for tails far below what 1 - P(N < count) could show."""
    if count <= rate:
        return 1 - math.fsum(_poisson(below, rate) for below in range(count))
    total, index, term = 0.0, count, _poisson(count, rate)
    while term > total * 1e-16:
        total += term
        index += 1
        term *= rate / index
    return total


def _poisson(count: int, rate: float) -> float:
    return math.exp(count * math.log(rate) - rate - math.lgamma(count + 1))


class _Arrivals:
    """Headlines by time, and how surprising those of any window are."""

    def __init__(self, headlines: Sequence[Headline], observed_since: datetime | None) -> None:
        self.headlines = headlines
        self._times = [headline.at for headline in headlines]
        self._observed_since = observed_since

    def window(self, end: datetime) -> Sequence[Headline]:
        return self.headlines[bisect_right(self._times, end - WINDOW) : bisect_right(self._times, end)]

    def p_value(self, end: datetime) -> float:
        """How likely so many or more are, by the windows at this hour of the 14 days before: at least .3 in each."""
        ends = [end - timedelta(days=days) for days in range(1, HISTORY_DAYS + 1)]
        if self._observed_since is not None:
            ends = [past for past in ends if past - WINDOW >= self._observed_since]
        usual = sum(len(self.window(past)) for past in ends) / max(len(ends), 1)
        return poisson_tail(len(self.window(end)), max(LEAST_RATE, usual))


def _burst_at(arrivals: _Arrivals, at: datetime, unit: str, now: datetime) -> Burst | None:
    opening = arrivals.window(at)
    if len(opening) < LEAST_DOCUMENTS or len({headline.outlet for headline in opening}) < LEAST_OUTLETS:
        return None
    if arrivals.p_value(at) >= STARTS_BELOW:
        return None
    started_at = opening[0].at.astimezone(UTC)
    fullest, ended_at = _followed(arrivals, at.astimezone(UTC), now)
    last = ended_at or now
    whole = [headline for headline in arrivals.headlines if started_at <= headline.at <= last]
    return Burst(
        id=hashlib.sha256(f"{unit}|burst|{started_at.isoformat()}".encode()).hexdigest()[:16],
        started_at=started_at,
        detected_at=at.astimezone(UTC),
        ended_at=ended_at,
        count=len(fullest),
        outlets=len({headline.outlet for headline in fullest}),
        direction=agreed_direction(headline.title for headline in whole),
        headlines=whole,
    )


def _followed(
    arrivals: _Arrivals, detected_at: datetime, now: datetime
) -> tuple[Sequence[Headline], datetime | None]:
    """The fullest window of a burst and its end: two hours in which P stayed above .05."""
    fullest: Sequence[Headline] = ()
    calm_since: datetime | None = None
    at = detected_at
    while at <= now:
        fullest = max(fullest, arrivals.window(at), key=len)
        if arrivals.p_value(at) <= CALM_ABOVE:
            calm_since = None
        elif calm_since is None:
            calm_since = at
        elif at - calm_since >= CALM_FOR:
            return fullest, at
        at += TICK
    return fullest, None
