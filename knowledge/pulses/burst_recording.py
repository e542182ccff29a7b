"""Documents in the database → bursts: candidates for editors, and pulses where price and headlines agree."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from knowledge.models import (
    Candle,
    ClusterStatus,
    Document,
    EventCluster,
    Interval,
    Pulse,
    PulseKind,
    Unit,
    UnitType,
)
from knowledge.pulses.bursts import HISTORY_DAYS, Burst, BurstDocument, detect_bursts
from knowledge.pulses.recording import DOCUMENTS_SHOWN, SAME_MOVE_WITHIN, write
from knowledge.pulses.summary import direction_word_ko, subject_particle

RECENT = timedelta(days=2)
LEAST_MOVE_PCT = 1.0  # a burst whose asset hardly moved is news, not a pulse
ONE_HOUR = timedelta(hours=1)
LOOK_BACK = timedelta(hours=4)  # bars without trades are absent
CONFIDENCE_BASE, CONFIDENCE_PER_OUTLET, CONFIDENCE_MAX = 0.3, 0.05, 0.7


@transaction.atomic
def record_bursts(*, now: datetime) -> int:
    """Show the clusters that bursts are made of, and store the pulses; how many pulses were written."""
    written = 0
    for unit in _busy_units(now):
        for burst in _bursts_on(unit, now):
            _promote_clusters(burst)
            written += _record_pulse(unit, burst, now)
    return written


def _busy_units(now: datetime) -> list[Unit]:
    recent = Document.objects.published().filter(
        published_at__gt=now - RECENT, published_at__lte=now, seen_only=False
    )
    named = Unit.objects.survivors().filter(
        Q(mentions__document__in=recent) | Q(merged_units__mentions__document__in=recent)
    )
    return list(named.distinct().order_by("pk"))


def _bursts_on(unit: Unit, now: datetime) -> list[Burst]:
    since = now - RECENT - timedelta(days=HISTORY_DAYS + 1)
    named = Q(mentions__unit=unit) | Q(mentions__unit__merged_into=unit)
    documents = Document.objects.published().filter(named, published_at__gte=since, published_at__lte=now)
    columns = ("published_at", "source__name", "title", "url", "pk")
    told = [
        BurstDocument(at=at, outlet=outlet, title=title, url=url)
        for at, outlet, title, url, _pk in documents.distinct().values_list(*columns)
        if at is not None
    ]
    return detect_bursts(
        told, unit=unit.public_id, now=now, since=now - RECENT, observed_since=_listening_since(since)
    )


def _listening_since(since: datetime) -> datetime | None:
    """Since when documents are read here: the days before were not silent, nobody listened."""
    arrivals = Document.objects.filter(seen_only=False).order_by("fetched_at")
    first = arrivals.values_list("fetched_at", flat=True).first()
    return first if first is not None and first > since else None


def _promote_clusters(burst: Burst) -> None:
    addresses = [document.url for document in burst.documents if document.url]
    gathering = EventCluster.objects.filter(status=ClusterStatus.GATHERING, documents__url__in=addresses)
    EventCluster.objects.filter(pk__in=gathering.values("pk")).update(status=ClusterStatus.OPEN)


def _record_pulse(unit: Unit, burst: Burst, now: datetime) -> bool:
    if unit.type != UnitType.ASSET or burst.direction is None or _already_told(unit, burst):
        return False
    move = _price_move(unit, burst)
    if move is None or abs(move) < LEAST_MOVE_PCT or (move > 0) != (burst.direction == "up"):
        return False
    word = direction_word_ko(burst.direction)
    label = f"{unit.label}{subject_particle(unit.label)}"
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
        "confidence": _confidence(burst),
        "summary": f"{label} 움직이며 {word} 보도가 몰림: 매체 {burst.outlets}곳에서 문서 {burst.count}건.",
        "summary_en": f"{unit.symbol or unit.label}: {burst.count} reports from {burst.outlets} outlets at once.",
        "sources": [{"url": document.url} for document in burst.documents[:DOCUMENTS_SHOWN] if document.url],
    }
    return write(burst.id, fields)


def _already_told(unit: Unit, burst: Burst) -> bool:
    """No asset pulses twice one way within a day; the price's own pulse says more, and may have extended this one."""
    if Pulse.objects.filter(key=burst.id).exclude(kind=PulseKind.BURST).exists():
        return True
    near = Pulse.objects.filter(asset=unit, direction=burst.direction).exclude(key=burst.id)
    window = (burst.detected_at - SAME_MOVE_WITHIN, burst.detected_at + SAME_MOVE_WITHIN)
    return near.filter(detected_at__range=window).exists()


def _price_move(unit: Unit, burst: Burst) -> float | None:
    """The asset's move in percent over the burst: from the last close before it to the close of the hour in which it
    was detected. None without both bars, as until that hour is over."""
    asset = Q(market__asset=unit) | Q(market__asset__merged_into=unit)
    bars = Candle.objects.filter(asset, market__delisted_at=None, interval=Interval.HOUR)
    last_closed = (burst.started_at - LOOK_BACK, burst.started_at - ONE_HOUR)
    # "upbit" after "binance": the Korean market leads.
    before = bars.filter(at__range=last_closed).order_by("-market__venue", "-at").first()
    if before is None:
        return None
    detected = bars.filter(
        market=before.market_id, at__lte=burst.detected_at, at__gt=burst.detected_at - ONE_HOUR
    )
    after = detected.first()
    return None if after is None else (after.close / before.close - 1) * 100


def _confidence(burst: Burst) -> float:
    return round(min(CONFIDENCE_BASE + CONFIDENCE_PER_OUTLET * burst.outlets, CONFIDENCE_MAX), 2)
