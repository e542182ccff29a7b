"""Series as the public JSON says them, and the series that units hold: every face asks here."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from datetime import datetime
from decimal import Context, Decimal
from typing import Any

from django.conf import settings
from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Concat
from rapidfuzz import process

from knowledge.models import (
    PREMIUM_KEYS,
    Series,
    SeriesInput,
    SeriesPattern,
    Unit,
    UnitType,
)
from knowledge.queries.series_serializers import (
    ChangeRecord,
    LatestRecord,
    PointRecord,
    SeriesRecord,
    SeriesSource,
)
from knowledge.series.values import Change, Figures, Latest, figures_of, points_of
from knowledge.times import iso_kst

# Python's own 28 digits are fewer than a column has, and one value too long for them would take all others with it.
_EXACT = Context(prec=80)


def find(slug: str, *, now: datetime) -> Figures | None:
    """The public series with this slug and what it says at ``now``."""
    rows = Series.objects.public().select_related("holder__merged_into").filter(slug=slug)
    return next(iter(figures_of(rows, now=now)), None)


def named(slug: str) -> Series | None:
    """The series with this slug, public or not, with the unit that its holder was merged into."""
    return Series.objects.select_related("holder__merged_into").filter(slug=slug).first()


def nearest(slug: str, count: int = 3) -> list[str]:
    """The slugs of public series that look most like this one."""
    slugs = list(Series.objects.public().order_by("slug").values_list("slug", flat=True))
    return [found for found, _score, _at in process.extract(slug[:80].lower(), slugs, limit=count)]


def shown_series(unit: Unit) -> list[Series]:
    """The series that one unit shows, as ``series_by_unit`` has them."""
    return series_by_unit([unit.pk], assets=unit.type == UnitType.ASSET).get(unit.pk, [])


def series_by_unit(
    units: Collection[int] | QuerySet[Any, Any], *, assets: bool = True
) -> dict[int, list[Series]]:
    """The series that each of the units with these keys shows: those that it holds, itself or by one merged into it,
    the headline first, then of an asset its kimchi premium where a public topic holds that. Two queries, or one where
    there can be no ``assets`` among them; where any are shown, up to five more for what they belong to."""
    shown: defaultdict[int, list[Series]] = defaultdict(list)
    held = Series.objects.filter(holder__in=Unit.objects.families(units).values("pk")).in_order()
    for series in held.prefetch_related("holder__merged_into"):
        shown[series.holder.survivor.pk].append(series)
    if assets:
        for asset, premium in _premiums(units):
            if premium not in shown[asset]:
                shown[asset].append(premium)
    return shown


def _premiums(units: Collection[int] | QuerySet[Any, Any]) -> Iterator[tuple[int, Series]]:
    """The keys of the assets among these units, each with the public series of its kimchi premium."""
    assets = Unit.objects.filter(pk__in=units, type=UnitType.ASSET)
    inputs = SeriesInput.objects.filter(
        key__in=assets.values(premium=Concat(Value(PREMIUM_KEYS), "slug", output_field=CharField()))
    )
    series = {
        one.key.removeprefix(PREMIUM_KEYS): one.series
        for one in inputs.order_by("key").prefetch_related("series__holder__merged_into")
        if one.series is not None and one.series.is_public
    }
    if series:
        keys = dict(assets.filter(slug__in=list(series)).values_list("slug", "pk"))
        yield from ((keys[slug], one) for slug, one in series.items() if slug in keys)


def records(now: datetime) -> list[SeriesRecord]:
    """All public series, by id, with what they say at ``now``."""
    rows = Series.objects.public().select_related("holder__merged_into").order_by("slug")
    return [record_of(figures) for figures in figures_of(rows, now=now)]


def record_of(figures: Figures) -> SeriesRecord:
    """One series as its index shows it."""
    series = figures.series
    return {
        "id": series.public_id,
        "label": series.label,
        "labelEn": series.label_en,
        "aliases": series.aliases,
        "unit": series.unit,
        "cadence": series.cadence,
        "holder": series.holder.survivor.public_id,
        "latest": _latest(figures.latest, series.decimals) if figures.latest else None,
        "changes": {name: _change(change, series.decimals) for name, change in figures.changes.items()},
        "source": source_of(figures),
        "licence": series.licence,
        "licenceEn": series.licence_in_english,
        "redistributable": series.redistributable,
        "updatedAt": iso_kst(figures.latest.fetched_at) if figures.latest else None,
        "url": series.get_absolute_url(),
    }


def all_points(now: datetime) -> Iterator[PointRecord]:
    """The points of every public series that may be passed on, by series, oldest first, read a few at a time."""
    rows = Series.objects.public().filter(redistributable=True).select_related("holder__merged_into")
    for figures in figures_of(rows.order_by("slug"), now=now):
        series = figures.series
        for row in points_of(figures, now=now).iterator():
            yield {
                "series": series.public_id,
                "at": iso_kst(row.at),
                "period": row.period or None,
                "value": rounded(row.value, series.decimals),
                "revision": row.revision,
            }


def not_passed_on() -> Counter[str]:
    """The public series whose points may be shown and not passed on: how many of each pattern, such as
    ``price-<asset>``, and the slugs of those of none."""
    patterns = {slug.partition("<")[0]: slug for slug in SeriesPattern.objects.values_list("slug", flat=True)}
    rows = Series.objects.public().filter(redistributable=False).order_by("slug")
    found: Counter[str] = Counter()
    for slug in rows.values_list("slug", flat=True):
        begins = max((each for each in patterns if slug.startswith(each)), key=len, default="")
        found[patterns.get(begins, slug)] += 1
    return found


def source_of(figures: Figures) -> SeriesSource | None:
    """Who measured the values shown; None while there are none, or where their source is no longer known."""
    if figures.input is None:
        return None
    if figures.input.is_derived:
        name = settings.SERVICE_NAME
        return {"label": name, "labelEn": name, "url": settings.BASE_URL}
    source = figures.input.source
    if source is None:
        return None
    return {
        "label": source.name,
        "labelEn": source.name_en or source.name,
        "url": source.homepage or source.url,
    }


def rounded(value: Decimal, decimals: int) -> Decimal:
    """The value with at most so many places, and no zeros behind the last that counts."""
    found = value.quantize(Decimal(1).scaleb(-decimals), context=_EXACT).normalize(_EXACT)
    whole = found.to_integral_value() == found
    return _EXACT.plus(found.quantize(Decimal(1), context=_EXACT) if whole else found)  # never -0


def _latest(latest: Latest, decimals: int) -> LatestRecord:
    return {
        "at": iso_kst(latest.at),
        "period": latest.period or None,
        "value": rounded(latest.value, decimals),
        "stale": latest.stale,
    }


def _change(change: Change | None, decimals: int) -> ChangeRecord | None:
    if change is None:
        return None
    if change.points is not None:
        return {"since": iso_kst(change.since), "points": rounded(change.points, decimals)}
    assert change.absolute is not None
    percent = None if change.percent is None else rounded(Decimal(repr(change.percent)), 2)
    return {
        "since": iso_kst(change.since),
        "absolute": rounded(change.absolute, decimals),
        "percent": percent,
    }
