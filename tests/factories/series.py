"""Series of the canon and their values."""

from datetime import datetime
from typing import Any

from knowledge.models import Observation, Series, SeriesInput, Unit, UnitType
from knowledge.series.recording import stored_value
from tests.factories.knowledge import NOON, make_unit


def make_series(slug: str = "us-10y", *keys: str, holder: Unit | None = None, **fields: Any) -> Series:
    """A series with its inputs, the first of ``keys`` (or its slug) first."""
    given: dict[str, Any] = {
        "label": slug,
        "label_en": slug,
        "unit": "%",
        "cadence": "business_daily",
        "decimals": 2,
        "licence": "CC BY 4.0",
        "redistributable": True,
        "holder": holder or make_unit(f"topic-of-{slug}", f"{slug}의 주제", type=UnitType.TOPIC),
    }
    series = Series.objects.create(slug=slug, **(given | fields))
    for position, key in enumerate(keys or [slug]):
        SeriesInput.objects.update_or_create(key=key, defaults={"series": series, "position": position})
    return series


def observe(key: str, at: datetime, value: float, **fields: Any) -> Observation:
    """A value of an input, stored as it is."""
    of, _created = SeriesInput.objects.get_or_create(key=key)
    given = {"fetched_at": NOON, "value": stored_value(value)} | fields
    return Observation.objects.create(input=of, at=at, **given)
