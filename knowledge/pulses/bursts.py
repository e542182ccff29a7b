"""Document bursts: far more is published about a unit than at this hour on other days (design: pulses,
bursts). Pure."""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from operator import attrgetter

from knowledge.pulses.direction_words import DOWN_WORDS, UP_WORDS
from knowledge.pulses.signals import Direction

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
AGREEMENT = 0.75  # share of the directed headlines that must point one way
LEAST_DIRECTED = 3

BRACKETED = re.compile(r"[\[(【<〈《「][^\])】>〉》」]{0,30}[\])】>〉》」]")
NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class BurstDocument:
    """A document on the unit. `at` is when it was published (aware); one without a time is no evidence of
    haste and is not given. `key` is for whoever stored it."""

    at: datetime
    outlet: str
    title: str
    url: str = ""
    key: int = 0


@dataclass(frozen=True, slots=True)
class Burst:
    """`count` and `outlets` are those of the fullest window, `expected` and `p_value` those at detection;
    `direction` is None where the headlines do not agree on one: then it is an event candidate and no pulse.
    """

    id: str
    unit: str
    started_at: datetime
    detected_at: datetime
    ended_at: datetime | None
    count: int
    outlets: int
    expected: float
    p_value: float
    direction: Direction | None
    documents: tuple[BurstDocument, ...]


def detect_bursts(
    documents: Iterable[BurstDocument],
    *,
    unit: str,
    now: datetime,
    since: datetime | None = None,
    observed_since: datetime | None = None,
    normalise: Callable[[str], str] | None = None,
) -> list[Burst]:
    """The bursts on one unit detected from `since` to `now`, oldest first.

    `documents` are all of the unit's over the time of interest and the 14 days before it, in any order.
    `observed_since` is when its sources began to be read: earlier days are not counted as silent ones.
    `normalise` makes wire copies of one headline equal.
    """
    seen = sorted((document for document in documents if document.at <= now), key=attrgetter("at"))
    arrivals = _Arrivals(without_copies(seen, normalise or normalised_title), observed_since)
    bursts: list[Burst] = []
    for document in arrivals.documents:
        if bursts and (bursts[-1].ended_at is None or document.at <= bursts[-1].ended_at):
            continue
        burst = _burst_at(arrivals, document.at, unit)
        if burst is not None:
            bursts.append(_followed(arrivals, burst, now))
    return [burst for burst in bursts if since is None or burst.detected_at >= since]


def without_copies(
    documents: Sequence[BurstDocument], normalise: Callable[[str], str]
) -> list[BurstDocument]:
    """Of documents in time order, the first of each headline within a day: an agency's text printed by
    twenty papers is one report."""
    first_seen: dict[str, datetime] = {}
    kept = []
    for document in documents:
        headline = normalise(document.title)
        if headline not in first_seen or document.at - first_seen[headline] > COPIES_WITHIN:
            first_seen[headline] = document.at
            kept.append(document)
    return kept


def normalised_title(title: str) -> str:
    """The headline's letters and digits alone, without [속보] and the like, in one case and Unicode form."""
    text = unicodedata.normalize("NFKC", title).casefold()
    return NOT_WORD.sub("", BRACKETED.sub(" ", text)) or NOT_WORD.sub("", text)


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


def agreed_direction(titles: Iterable[str]) -> Direction | None:
    """Which way the headlines point, when enough of them say so and three quarters say the same."""
    up = down = 0
    for title in titles:
        text = unicodedata.normalize("NFKC", title).casefold()
        rises, falls = UP_WORDS.search(text) is not None, DOWN_WORDS.search(text) is not None
        up += rises and not falls
        down += falls and not rises
    if max(up, down) < max(LEAST_DIRECTED, AGREEMENT * (up + down)):
        return None
    return "up" if up > down else "down"


class _Arrivals:
    """Documents by time, with the count and the usual count of any window."""

    def __init__(self, documents: Sequence[BurstDocument], observed_since: datetime | None) -> None:
        self.documents = documents
        self._times = [document.at for document in documents]
        self._observed_since = observed_since

    def window(self, end: datetime) -> Sequence[BurstDocument]:
        return self.documents[bisect_right(self._times, end - WINDOW) : bisect_right(self._times, end)]

    def rate(self, end: datetime) -> float:
        """Documents a window at this hour of the day over the 14 days before, at least .3."""
        ends = [end - timedelta(days=days) for days in range(1, HISTORY_DAYS + 1)]
        if self._observed_since is not None:
            ends = [past for past in ends if past - WINDOW >= self._observed_since]
        total = sum(len(self.window(past)) for past in ends)
        return max(LEAST_RATE, total / len(ends)) if ends else LEAST_RATE


def _burst_at(arrivals: _Arrivals, at: datetime, unit: str) -> Burst | None:
    documents = arrivals.window(at)
    outlets = len({document.outlet for document in documents})
    if len(documents) < LEAST_DOCUMENTS or outlets < LEAST_OUTLETS:
        return None
    expected = arrivals.rate(at)
    p_value = poisson_tail(len(documents), expected)
    if p_value >= STARTS_BELOW:
        return None
    first = documents[0].at.astimezone(UTC)
    name = hashlib.sha256(f"{unit}|burst|{first.isoformat()}".encode()).hexdigest()[:16]
    direction = agreed_direction(document.title for document in documents)
    return Burst(
        id=name,
        unit=unit,
        started_at=first,
        detected_at=at.astimezone(UTC),
        ended_at=None,
        count=len(documents),
        outlets=outlets,
        expected=expected,
        p_value=p_value,
        direction=direction,
        documents=tuple(documents),
    )


def _followed(arrivals: _Arrivals, burst: Burst, now: datetime) -> Burst:
    """The burst with its fullest window, all its documents and its end: two hours in which P stayed above
    .05."""
    calm_since: datetime | None = None
    fullest, ended_at, at = list(burst.documents), None, burst.detected_at
    while at <= now:
        documents = arrivals.window(at)
        fullest = max(fullest, list(documents), key=len)
        if poisson_tail(len(documents), arrivals.rate(at)) <= CALM_ABOVE:
            calm_since = None
        elif calm_since is None:
            calm_since = at
        elif at - calm_since >= CALM_FOR:
            ended_at = at
            break
        at += TICK
    last = ended_at or now
    whole = tuple(document for document in arrivals.documents if burst.started_at <= document.at <= last)
    return replace(
        burst,
        ended_at=ended_at,
        count=len(fullest),
        outlets=len({document.outlet for document in fullest}),
        direction=agreed_direction(document.title for document in whole),
        documents=whole,
    )
