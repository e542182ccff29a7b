"""The world outside the city on a day: what the knowledge base says of it."""

from datetime import date
from typing import Any

from archive.days import end_of, start_of
from knowledge.models import Direction, Document, Premium, Pulse, PulseKind

PREMIUM_SYMBOL = "BTC"
PREMIUM_PLACES = 4


def context_of(day: date) -> dict[str, Any]:
    """``{pulsesUp, pulsesDown, kimchiPremium, documents}``: published pulses of prices and documents detected, the
    day's last premium of bitcoin as a fraction (null when there was none), public documents published.
    """
    within = (start_of(day), end_of(day))
    pulses = Pulse.objects.published().filter(detected_at__gte=within[0], detected_at__lt=within[1])
    pulses = pulses.exclude(kind=PulseKind.PREMIUM)  # the city tells of the premium by its value
    premium = (
        Premium.objects.filter(asset__symbol=PREMIUM_SYMBOL, at__gte=within[0], at__lt=within[1])
        .order_by("-at")
        .first()
    )
    documents = Document.objects.published().filter(published_at__gte=within[0], published_at__lt=within[1])
    return {
        "pulsesUp": pulses.filter(direction=Direction.UP).count(),
        "pulsesDown": pulses.filter(direction=Direction.DOWN).count(),
        "kimchiPremium": round(premium.value, PREMIUM_PLACES) if premium else None,
        "documents": documents.count(),
    }
