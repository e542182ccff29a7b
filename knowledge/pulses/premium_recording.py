"""Stored premiums → premium pulses. A rerun finds its own rows and changes nothing."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction

from knowledge.models import HeldValue, Interval, Market, Premium, PulseKind, Unit
from knowledge.pulses.premiums import WINDOW, PremiumPoint, PremiumPulse, detect_premium_pulses
from knowledge.pulses.recording import WRITABLE, candle_address, write
from knowledge.pulses.summary import premium_summary_en, premium_summary_ko
from knowledge.series.premium import KEY, newest_rate

# A premium that stays where it moved to is its own median after 30 days, so that nothing older says whether the same
# direction may open again; and the oldest of those days is measured against 30 more.
MEMORY = WRITABLE + 2 * WINDOW


def record_premium_pulses(*, now: datetime) -> int:
    """Detect over every asset with a premium and store what is new or changed; how many rows were written."""
    lately = Premium.objects.filter(at__gt=now - WRITABLE, at__lte=now)
    written = 0
    assets = Unit.objects.filter(pk__in=lately.values("asset")).select_related("merged_into")
    for asset in assets.order_by("pk"):
        with transaction.atomic():
            for pulse in detect_premium_pulses(_premiums(asset, now), asset=asset.public_id):
                if pulse.extended_at > now - WRITABLE:
                    written += write(pulse.id, _fields(asset, pulse))
    return written


def _premiums(asset: Unit, now: datetime) -> Iterator[PremiumPoint]:
    """Those that no rule took for mistakes: a price a thousand times too large is no pulse."""
    rows = Premium.objects.filter(asset=asset, at__gt=now - MEMORY, at__lte=now)
    rows = rows.exclude(at__in=HeldValue.objects.filter(input__key=KEY.format(asset.slug)).values("at"))
    for at, value in rows.values_list("at", "value").iterator():
        yield PremiumPoint(at, value * 100)


def _fields(asset: Unit, pulse: PremiumPulse) -> dict[str, object]:
    told = asset.survivor
    return {
        "asset": told,
        "kind": PulseKind.PREMIUM,
        "direction": pulse.direction,
        "magnitude_pct": round(pulse.distance, 2),
        "started_at": pulse.detected_at,
        "detected_at": pulse.detected_at,
        "ended_at": pulse.ended_at,
        "horizon_hours": WINDOW // timedelta(hours=1),
        "extremum": "close",
        "scope": "local",
        "confidence": pulse.confidence,
        "summary": premium_summary_ko(pulse, told.label),
        "summary_en": premium_summary_en(pulse, told.symbol or told.label),
        "sources": [{"url": url} for url in _legs(asset, pulse.extended_at)],
    }


def _legs(asset: Unit, at: datetime) -> Iterator[str]:
    """Where the two prices and the exchange rate can be read again."""
    for market in Market.objects.filter(asset=asset, delisted_at=None).order_by("-venue", "pk"):
        yield candle_address(market, Interval.HOUR, at)
    rate = newest_rate(at)
    if rate is not None and rate.input.source is not None and rate.input.source.homepage:
        yield rate.input.source.homepage
