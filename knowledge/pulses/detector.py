"""Closed bars → price pulses: opening, extending, absorbing, closing (design: pulses, rules 5 to 8).

A pure function of the bars and the market's context: fed one bar at a time or all at once, once or twice,
it gives the same pulses. Documents and a second venue are part of the context, so they change a pulse's
confidence and never whether there is one.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from knowledge.pulses.bars import Bar, BarHistory, BarRules, Direction, Extremum, closed_in_order
from knowledge.pulses.headlines import Headline
from knowledge.pulses.moves import Scope, TriggeringMove, confidence, scope_of, triggering_moves

GROWTH_TO_EXTEND = 1.5  # a move is told again once it is half as large again
QUIET_AFTER = timedelta(hours=24)  # a pulse without extension ends
LONGEST_LIFE = timedelta(hours=72)  # a pulse ends whatever happens
LISTING_NOISE = timedelta(hours=48)
LEAST_VALUE_24H = 500_000_000.0  # KRW: below half a billion one order makes the price
COLLAPSED_BELOW = 0.01  # of the 30-day high
COLLAPSED_CAP = 100.0  # percent shown: after a collapse larger figures say nothing


@dataclass(frozen=True, slots=True)
class MarketContext:
    """What the bars do not say. `listed_at` opens the 48 h of listing noise; `second_venue` are the same
    asset's bars of the same interval elsewhere; `headlines` name the asset."""

    listed_at: datetime | None = None
    stablecoin: bool = False
    second_venue: Sequence[Bar] = ()
    headlines: Sequence[Headline] = ()


@dataclass(frozen=True, slots=True)
class PulseEvent:
    """A sudden move. Times are aware UTC: `started_at` is the opening of the first bar that triggered, `detected_at`
    its close, `extended_at` the close of the bar that last enlarged it, `ended_at` None while it is open.

    `magnitude_pct` is signed and, like horizon, extremum, price, volume ratio and confidence, tells of the last
    extension. `horizon_hours` back from there is the close it is measured against. `move` is the magnitude before it
    was capped, as a fraction.
    """

    id: str
    asset: str
    interval: str
    direction: Direction
    magnitude_pct: float
    move: float
    started_at: datetime
    detected_at: datetime
    extended_at: datetime
    ended_at: datetime | None
    horizon_hours: int
    extremum: Extremum
    confidence: float
    scope: Scope
    price: float
    volume_ratio: float | None
    collapsed: bool

    @property
    def ends_by(self) -> datetime:
        """When it ends unless it is extended before."""
        return min(self.extended_at + QUIET_AFTER, self.started_at + LONGEST_LIFE)

    def extended_to(self, later: "PulseEvent") -> "PulseEvent":
        """What the later pulse says, under this one's name and since its beginning."""
        return replace(later, id=self.id, started_at=self.started_at, detected_at=self.detected_at)


class Detector:
    """The state of one market, fed with closed bars in time order."""

    def __init__(self, asset: str, interval: BarRules, context: MarketContext) -> None:
        self.asset = asset
        self.context = context
        self._elsewhere = closed_in_order(context.second_venue, interval)
        self._history = BarHistory(interval.for_stablecoin() if context.stablecoin else interval)
        self._pulses: dict[Direction, list[PulseEvent]] = {"up": [], "down": []}

    @property
    def pulses(self) -> list[PulseEvent]:
        """All found so far, oldest first."""
        both = self._pulses["up"] + self._pulses["down"]
        return sorted(both, key=lambda pulse: (pulse.detected_at, pulse.direction))

    def feed(self, bar: Bar) -> None:
        """Opens, extends and closes pulses by the next bar.

        The two directions are weighed apart, because a crash that is still inside the 24 h window would else hide its
        own rebound. In each the strongest move counts.
        """
        self._history.append(bar)
        moves = [] if self._is_guarded(bar) else list(triggering_moves(self._history))
        for direction, pulses in self._pulses.items():
            latest = pulses[-1] if pulses else None
            going = [move for move in moves if move.direction == direction and not _is_told(move, latest)]
            if going:
                self._take(max(going, key=lambda move: move.score), pulses)
            latest = pulses[-1] if pulses else None
            if latest and latest.ended_at is None and latest.ends_by <= bar.at + self._history.rules.step:
                pulses[-1] = replace(latest, ended_at=latest.ends_by)

    def _is_guarded(self, bar: Bar) -> bool:
        listed_at, value = self.context.listed_at, self._history.value_24h()
        fresh = listed_at is not None and bar.at < listed_at + LISTING_NOISE
        return fresh or (value is not None and value < LEAST_VALUE_24H)

    def _take(self, move: TriggeringMove, pulses: list[PulseEvent]) -> None:
        """Opens a pulse or extends the last one; a move that does neither is absorbed."""
        latest = pulses[-1] if pulses else None
        if latest is None or move.closed_at > latest.extended_at + QUIET_AFTER:
            pulses.append(self._describe(move))
        elif not latest.ended_at and move.closed_at <= latest.ends_by and has_grown(move.move, latest.move):
            pulses[-1] = latest.extended_to(self._describe(move))

    def _describe(self, move: TriggeringMove) -> PulseEvent:
        scope = scope_of(move, self._elsewhere)
        collapsed = move.bar.close < COLLAPSED_BELOW * self._history.high_30d()
        pct = move.move * 100
        # The same however often the bars are read again.
        name = f"{self.asset}|{move.direction}|{move.rules.name}|{move.bar.at.isoformat()}"
        return PulseEvent(
            id=hashlib.sha256(name.encode()).hexdigest()[:16],
            asset=self.asset,
            interval=move.rules.name,
            direction=move.direction,
            magnitude_pct=round(min(pct, COLLAPSED_CAP) if collapsed else pct, 2),
            move=move.move,
            started_at=move.bar.at,
            detected_at=move.closed_at,
            extended_at=move.closed_at,
            ended_at=None,
            horizon_hours=round(move.horizon.bars * move.rules.step / timedelta(hours=1)),
            extremum=move.extremum,
            confidence=confidence(move, scope=scope, headlines=self.context.headlines, collapsed=collapsed),
            scope=scope,
            price=move.price,
            volume_ratio=move.volume_ratio,
            collapsed=collapsed,
        )


def has_grown(size: float, told: float) -> bool:
    """Whether a move of this size is told again after one of that."""
    return abs(size) >= GROWTH_TO_EXTEND * abs(told)


def _is_told(move: TriggeringMove, latest: PulseEvent | None) -> bool:
    """Whether an ended pulse said this already: three days reach back over a pulse that ended after one, so a window
    that does must have grown as much as an extension would."""
    if latest is None or latest.ended_at is None:
        return False
    return move.measured_from < latest.extended_at and not has_grown(move.move, latest.move)


def detect(
    bars: Iterable[Bar],
    *,
    asset: str,
    interval: BarRules,
    context: MarketContext | None = None,
    now: datetime | None = None,
) -> list[PulseEvent]:
    """All pulses of `bars` (any order, doubles allowed), oldest first; bars still open at `now` are left out."""
    detector = Detector(asset, interval, context or MarketContext())
    for bar in closed_in_order(bars, interval, now):
        detector.feed(bar)
    return detector.pulses
