"""Series as the canon declares them: one record each, or one pattern for a series of every asset with a market."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import orjson
from django.db.models import F, QuerySet
from simple_history.utils import bulk_create_with_history

from knowledge.models import (
    SERIES_SLUG_LENGTH,
    Market,
    Series,
    SeriesInput,
    SeriesPattern,
    Unit,
    Venue,
)

BOUNDS = ("least", "most", "largest_jump")
FIELDS = (
    *(
        "label",
        "label_en",
        "aliases",
        "unit",
        "cadence",
        "position",
        "decimals",
        "licence",
        "licence_en",
        "redistributable",
    ),
    *("note", "note_en", "stale_after_hours", "event_on", *BOUNDS),
)
# What a pattern needs of an asset: a market in won, or one abroad as well, whose prices can be compared.
BOTH_VENUES = "both"
REASON = "market"  # what a history says of a series that came with its market
# Units have longer names than series, which are called "… 김치 프리미엄" after them.
NAMED_AFTER = 90


def wanted_form(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record with the defaults of what it leaves out; KeyError for what it must say."""
    blank = Series()
    form = {name: record.get(name, getattr(blank, name)) for name in FIELDS}
    # As their columns give them back: 0 and 0.0 are two texts.
    form |= {name: float(form[name]) for name in BOUNDS if form[name] is not None}
    return form | {"holder": record["holder"], "inputs": [each["key"] for each in record["inputs"]]}


def form_of(series: Series) -> dict[str, Any]:
    """The present form of a stored series, as ``wanted_form`` gives it."""
    inputs = sorted(series.inputs.all(), key=lambda each: (each.position, each.pk))
    form = {name: getattr(series, name) for name in FIELDS}
    return form | {"holder": series.holder.public_id, "inputs": [each.key for each in inputs]}


def write(series: Series, form: Mapping[str, Any], holder: Unit) -> None:
    for name in FIELDS:
        setattr(series, name, form[name])
    series.holder = holder
    series.full_clean(validate_constraints=False)  # which the database sees to
    series.save()
    series.inputs.exclude(key__in=form["inputs"]).update(series=None)
    for position, key in enumerate(form["inputs"]):
        SeriesInput.objects.update_or_create(key=key, defaults={"series": series, "position": position})


def fingerprint(form: Mapping[str, Any]) -> str:
    """A hash of a canonical form, independent of key order: by it the loader knows what an editor changed."""
    return hashlib.sha256(orjson.dumps(form, option=orjson.OPT_SORT_KEYS)).hexdigest()


def declare(markets: Iterable[Market]) -> None:
    """Make what the patterns say of the assets of markets that were opened; series that are there get their inputs."""
    assets = {market.asset_id for market in markets}
    won = Market.objects.filter(asset__in=assets, venue=Venue.UPBIT, delisted_at=None).order_by("pk")
    wanted = {
        record["slug"]: (wanted_form(record), asset)
        for record, asset in records_of(SeriesPattern.objects.order_by("pk"), won)
    }
    present = set(Series.objects.filter(slug__in=wanted).values_list("slug", flat=True))
    _make({slug: each for slug, each in wanted.items() if slug not in present})
    _extend({slug: wanted[slug][0]["inputs"] for slug in present})


def _make(wanted: Mapping[str, tuple[Mapping[str, Any], Unit]]) -> None:
    """In bulk, for a venue is first seen with hundreds of markets."""
    rows = []
    for slug, (form, holder) in wanted.items():
        fields = {name: form[name] for name in FIELDS}
        rows.append(Series(slug=slug, holder=holder, canon_sha256=fingerprint(form), **fields))
        rows[-1].clean_fields()
    if not rows:
        return
    made = bulk_create_with_history(rows, Series, default_change_reason=REASON)
    inputs = [
        SeriesInput(key=key, series=series, position=position)
        for series in made
        for position, key in enumerate(wanted[series.slug][0]["inputs"])
    ]
    SeriesInput.objects.bulk_create(
        inputs, update_conflicts=True, unique_fields=["key"], update_fields=["series", "position"]
    )


def _extend(wanted: Mapping[str, list[str]]) -> None:
    """A renamed asset trades under another ticker: what was said under the former one stays, behind it."""
    for series in Series.objects.filter(slug__in=wanted).prefetch_related("inputs"):
        known = {each.key for each in series.inputs.all()}
        for key in (key for key in wanted[series.slug] if key not in known):
            series.inputs.update(position=F("position") + 1)
            SeriesInput.objects.update_or_create(key=key, defaults={"series": series, "position": 0})


def records_of(
    patterns: Iterable[SeriesPattern], markets: QuerySet[Market]
) -> Iterator[tuple[dict[str, Any], Unit]]:
    """The records that patterns make of markets in won, each with its asset."""
    records = list(patterns)
    abroad = set(Market.objects.filter(venue=Venue.BINANCE, delisted_at=None).values_list("asset", flat=True))
    for market in markets.select_related("asset"):
        for record in expanded(records, market, abroad=market.asset_id in abroad):
            yield record, market.asset


def expanded(patterns: Iterable[SeriesPattern], market: Market, *, abroad: bool) -> list[dict[str, Any]]:
    """The records that patterns make of an asset's market in won; ``abroad`` if it trades there as well.

    One whose slug would be too long is left out, and keeps no other from its own.
    """
    words = {
        "<asset>": market.asset.slug,
        "<holder>": market.asset.public_id,
        "<label>": market.asset.label[:NAMED_AFTER],
        "<ticker>": market.asset.symbol,
        "<symbol>": market.symbol,
    }
    records = (
        filled(pattern.record, words)
        for pattern in patterns
        if (abroad or pattern.record.get("markets") != BOTH_VENUES)
        and market.asset.public_id not in pattern.record.get("except", ())
    )
    return [record for record in records if len(record["slug"]) <= SERIES_SLUG_LENGTH]


def filled(value: Any, words: Mapping[str, str]) -> Any:
    """The value with each word in angle brackets replaced, whatever it is nested in."""
    if isinstance(value, str):
        for word, text in words.items():
            value = value.replace(word, text)
        return value
    if isinstance(value, list):
        return [filled(each, words) for each in value]
    if isinstance(value, dict):
        return {name: filled(each, words) for name, each in value.items()}
    return value
