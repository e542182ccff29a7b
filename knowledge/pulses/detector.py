"""Closed bars → price pulses: opening, extending, absorbing, closing (design: pulses, rules 5 to 8).

A pure function of the bars and the market's context: fed one bar at a time or all at once, once or twice,
it gives the same pulses. Documents and a second venue are part of the context, so they change a pulse's
confidence and never whether there is one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from knowledge.pulses.bars import Bar, BarHistory, BarRules, closed_in_order
from knowledge.pulses.confidence import (
    NamedDocument,
    Scope,
    SecondVenue,
    confidence,
    outlets_naming,
    scope_of,
)
from knowledge.pulses.signals import (
    GROWTH_TO_EXTEND,
    Direction,
    Extremum,
    Thresholds,
    Told,
    TriggeringMove,
    signals,
)

QUIET_AFTER = timedelta(hours=24)  # a pulse without extension ends
LONGEST_LIFE = timedelta(hours=72)  # a pulse ends whatever happens
LISTING_NOISE = timedelta(hours=48)
LEAST_VALUE_24H = 500_000_000.0  # KRW: below half a billion one order makes the price
COLLAPSED_BELOW = 0.01  # of the 30-day high
COLLAPSED_CAP = 100.0  # percent shown: after a collapse larger figures say nothing


@dataclass(frozen=True, slots=True)
class MarketContext:
    """What the bars do not say. `listed_at` opens the 48 h of listing noise; `second_venue` are the same
    asset's bars of the same interval elsewhere; `documents` name the asset."""

    listed_at: datetime | None = None
    stablecoin: bool = False
    second_venue: Sequence[Bar] = ()
    documents: Sequence[NamedDocument] = ()


@dataclass(frozen=True, slots=True)
class PulseEvent:
    """A sudden move. Times are aware UTC: `started_at` is the opening of the first bar that triggered,
    `detected_at` its close, `extended_at` the close of the bar that last enlarged it, `ended_at` None while
    it is open.

    `magnitude_pct` is signed and, like horizon, extremum, price, volume ratio and confidence, tells of the
    last extension. `horizon_hours` back from there is the close it is measured against.
    """

    id: str
    asset: str
    interval: str
    direction: Direction
    magnitude_pct: float
    started_at: datetime
    detected_at: datetime
    extended_at: datetime
    ended_at: datetime | None
    horizon_hours: int
    extremum: Extremum
    confidence: float
    scope: Scope
    price: float
    z: float
    volume_ratio: float | None
    collapsed: bool

    @property
    def ends_by(self) -> datetime:
        """When it ends unless it is extended before."""
        return min(self.extended_at + QUIET_AFTER, self.started_at + LONGEST_LIFE)


def pulse_id(asset: str, direction: Direction, interval: str, first_bar: datetime) -> str:
    """16 hex digits that stay the same however often the bars are read again."""
    name = f"{asset}|{direction}|{interval}|{first_bar.isoformat()}"
    return hashlib.sha256(name.encode()).hexdigest()[:16]


class Detector:
    """The state of one market. `feed` closed bars in time order; `pulses` are all found so far, oldest
    first."""

    def __init__(self, asset: str, interval: BarRules, context: MarketContext | None = None) -> None:
        self.asset = asset
        self.interval = interval
        self.context = context or MarketContext()
        self._thresholds = Thresholds(interval, self.context.stablecoin)
        self._venue = SecondVenue(self.context.second_venue, interval) if self.context.second_venue else None
        self._history = BarHistory(interval)
        self._found: dict[str, PulseEvent] = {}
        self._latest: dict[Direction, PulseEvent] = {}
        self._largest: dict[str, float] = {}  # the uncapped move of each pulse, which growth is measured on
        self._last_bar: datetime | None = None

    @property
    def pulses(self) -> list[PulseEvent]:
        return sorted(self._found.values(), key=lambda pulse: (pulse.detected_at, pulse.direction))

    def feed(self, bar: Bar) -> list[PulseEvent]:
        """Takes the next closed bar; gives the pulses it opened, extended or closed. A bar that is not
        newer than the last one is ignored: a closed bar is final."""
        if self._last_bar is not None and bar.at <= self._last_bar:
            return []
        self._last_bar = bar.at
        self._history.append(bar)
        changed: dict[str, PulseEvent] = {}
        if not self._guarded(bar):
            for signal in signals(self._history, self._thresholds, self._told()).values():
                changed |= {pulse.id: pulse for pulse in self._take(signal)}
        changed |= {pulse.id: pulse for pulse in self._close(bar.at + self.interval.step)}
        return list(changed.values())

    def _guarded(self, bar: Bar) -> bool:
        listed_at, value = self.context.listed_at, self._history.value_24h()
        fresh = listed_at is not None and bar.at < listed_at + LISTING_NOISE
        return fresh or (value is not None and value < LEAST_VALUE_24H)

    def _told(self) -> dict[Direction, Told]:
        return {
            direction: Told(pulse.extended_at, self._largest[pulse.id])
            for direction, pulse in self._latest.items()
            if pulse.ended_at is not None
        }

    def _take(self, signal: TriggeringMove) -> list[PulseEvent]:
        closed_at = signal.bar.at + self.interval.step
        latest = self._latest.get(signal.direction)
        if latest is None or closed_at > latest.extended_at + QUIET_AFTER:
            return [self._keep(self._describe(signal), signal)]
        grown = abs(signal.move) >= GROWTH_TO_EXTEND * self._largest[latest.id]
        if latest.ended_at is not None or closed_at > latest.ends_by or not grown:
            return []  # absorbed
        extended = replace(
            self._describe(signal),
            id=latest.id,
            started_at=latest.started_at,
            detected_at=latest.detected_at,
        )
        return [self._keep(extended, signal)]

    def _keep(self, pulse: PulseEvent, signal: TriggeringMove) -> PulseEvent:
        self._largest[pulse.id] = abs(signal.move)
        self._found[pulse.id] = self._latest[pulse.direction] = pulse
        return pulse

    def _describe(self, signal: TriggeringMove) -> PulseEvent:
        closed_at = signal.bar.at + self.interval.step
        scope = scope_of(signal, self._venue)
        outlets = outlets_naming(self.context.documents, signal, self.interval)
        collapsed = signal.bar.close < COLLAPSED_BELOW * self._history.high_30d()
        pct = signal.move * 100
        return PulseEvent(
            id=pulse_id(self.asset, signal.direction, self.interval.name, signal.bar.at),
            asset=self.asset,
            interval=self.interval.name,
            direction=signal.direction,
            magnitude_pct=round(min(pct, COLLAPSED_CAP) if collapsed else pct, 2),
            started_at=signal.bar.at,
            detected_at=closed_at,
            extended_at=closed_at,
            ended_at=None,
            horizon_hours=self.interval.hours(signal.horizon),
            extremum=signal.extremum,
            confidence=confidence(signal, scope=scope, outlets=outlets, collapsed=collapsed),
            scope=scope,
            price=signal.price,
            z=round(signal.z, 2),
            volume_ratio=signal.volume_ratio,
            collapsed=collapsed,
        )

    def _close(self, now: datetime) -> list[PulseEvent]:
        closed = []
        for direction, pulse in list(self._latest.items()):
            if pulse.ended_at is None and pulse.ends_by <= now:
                ended = replace(pulse, ended_at=pulse.ends_by)
                self._found[ended.id] = self._latest[direction] = ended
                closed.append(ended)
        return closed


def detect(
    bars: Iterable[Bar],
    *,
    asset: str,
    interval: BarRules,
    context: MarketContext | None = None,
    now: datetime | None = None,
) -> list[PulseEvent]:
    """All pulses of `bars` (any order, doubles allowed), oldest first; bars still open at `now` are left
    out."""
    detector = Detector(asset, interval, context)
    for bar in closed_in_order(bars, interval, now):
        detector.feed(bar)
    return detector.pulses
