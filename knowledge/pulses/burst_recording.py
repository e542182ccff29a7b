"""Documents in the database → bursts: candidates for editors, and pulses where price and headlines agree."""

from collections import defaultdict
from datetime import datetime, timedelta

from django.db import transaction

from knowledge.models import (
    Candle,
    ClusterStatus,
    Document,
    EventCluster,
    Interval,
    Mention,
    Pulse,
    PulseKind,
    Unit,
    UnitType,
    survivor_key,
)
from knowledge.particles import subject_particle
from knowledge.pulses.bursts import HISTORY_DAYS, Burst, detect_bursts
from knowledge.pulses.headlines import Headline
from knowledge.pulses.recording import DOCUMENTS_SHOWN, SAME_MOVE_WITHIN, write
from knowledge.pulses.summary import SHARP_KO

RECENT = timedelta(days=2)
HISTORY = RECENT + timedelta(days=HISTORY_DAYS + 1)
LEAST_MOVE_PCT = 1.0  # a burst whose asset hardly moved is news, not a pulse
ONE_HOUR = timedelta(hours=1)
LOOK_BACK = timedelta(hours=4)  # bars without trades are absent
CONFIDENCE_BASE, CONFIDENCE_PER_OUTLET, CONFIDENCE_MAX = 0.3, 0.05, 0.7


@transaction.atomic
def record_bursts(*, now: datetime) -> int:
    """Show the clusters that bursts are made of, and store the pulses; how many pulses were written."""
    told = _told_of_busy_units(now)
    # The days before the first document was read were not silent: nobody listened.
    arrivals = Document.objects.filter(seen_only=False).order_by("fetched_at")
    observed_since = arrivals.values_list("fetched_at", flat=True).first()
    written = 0
    for key, unit in sorted(Unit.objects.in_bulk(told).items()):
        bursts = detect_bursts(
            told[key], unit=unit.public_id, now=now, since=now - RECENT, observed_since=observed_since
        )
        for burst in bursts:
            keys = [headline.key for headline in burst.headlines]
            gathering = EventCluster.objects.filter(status=ClusterStatus.GATHERING, documents__in=keys)
            gathering.update(status=ClusterStatus.OPEN)
            written += _record_pulse(unit, burst)
    return written


def _told_of_busy_units(now: datetime) -> dict[int, list[Headline]]:
    """By unit (key) what was told of it lately and before, of those of which anything was told lately.

    All documents of the time are read once, and all mentions in them: most units are busy on most days.
    """
    rows = Document.objects.published().filter(published_at__range=(now - HISTORY, now))
    headlines, recent = {}, set()
    columns = ("pk", "published_at", "source__name", "title", "url", "seen_only")
    for key, at, outlet, title, url, seen_only in rows.values_list(*columns).iterator():
        headlines[key] = Headline(at, outlet, title, url, key)
        if at > now - RECENT and not seen_only:
            recent.add(key)
    mentions = Mention.objects.filter(document__in=rows.values("pk"))
    named = mentions.annotate(survivor=survivor_key("unit")).values_list("survivor", "document")
    told: dict[int, list[Headline]] = defaultdict(list)
    busy = set()
    for unit, key in named.distinct().iterator():
        if key in headlines:
            told[unit].append(headlines[key])
            if key in recent:
                busy.add(unit)
    return {unit: told[unit] for unit in busy}


def _record_pulse(unit: Unit, burst: Burst) -> bool:
    if unit.type != UnitType.ASSET or burst.direction is None or _is_told(unit, burst):
        return False
    move = _price_move(unit, burst)
    if move is None or abs(move) < LEAST_MOVE_PCT or (move > 0) != (burst.direction == "up"):
        return False
    word = SHARP_KO[burst.direction]
    label = f"{unit.label}{subject_particle(unit.label)}"
    confidence = min(CONFIDENCE_BASE + CONFIDENCE_PER_OUTLET * burst.outlets, CONFIDENCE_MAX)
    fields: dict[str, object] = {
        "asset": unit,
        "kind": PulseKind.BURST,
        "direction": burst.direction,
        "magnitude_pct": round(move, 2),
        "started_at": burst.started_at,
        "detected_at": burst.detected_at,
        "ended_at": burst.ended_at,
        "horizon_hours": 2,
        "extremum": "close",
        "scope": "unknown",
        "confidence": round(confidence, 2),
        "summary": f"{label} 움직이며 {word} 보도가 몰림: 매체 {burst.outlets}곳에서 문서 {burst.count}건.",
        "summary_en": f"{unit.symbol or unit.label}: {burst.count} reports from {burst.outlets} outlets at once.",
        "sources": [{"url": headline.url} for headline in burst.headlines[:DOCUMENTS_SHOWN] if headline.url],
    }
    return write(burst.id, fields)


def _is_told(unit: Unit, burst: Burst) -> bool:
    """No asset pulses twice one way within a day; the price's own pulse says more, and may have extended this one."""
    if Pulse.objects.filter(key=burst.id).exclude(kind=PulseKind.BURST).exists():
        return True
    window = (burst.detected_at - SAME_MOVE_WITHIN, burst.detected_at + SAME_MOVE_WITHIN)
    near = Pulse.objects.filter(asset=unit, direction=burst.direction, detected_at__range=window)
    near = near.exclude(kind=PulseKind.PREMIUM)  # of another number than the price
    return near.exclude(key=burst.id).exists()


def _price_move(unit: Unit, burst: Burst) -> float | None:
    """The asset's move in percent over the burst: from the last close before it to the close of the hour in which it
    was detected. None without both bars, as until that hour is over."""
    assets = Unit.objects.family(unit)
    bars = Candle.objects.filter(market__asset__in=assets, market__delisted_at=None, interval=Interval.HOUR)
    last_closed = (burst.started_at - LOOK_BACK, burst.started_at - ONE_HOUR)
    # "upbit" after "binance": the Korean market leads.
    before = bars.filter(at__range=last_closed).order_by("-market__venue", "-at").first()
    if before is None:
        return None
    in_that_hour = {"at__gt": burst.detected_at - ONE_HOUR, "at__lte": burst.detected_at}
    after = bars.filter(market=before.market_id, **in_that_hour).first()
    return None if after is None else (after.close / before.close - 1) * 100
