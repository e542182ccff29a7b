"""Series as the canon declares them: one record each, or one pattern for a series of every asset with a market."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from django.db.models import F

from knowledge.models import Market, Series, SeriesInput, SeriesPattern, Unit, Venue

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
        "redistributable",
    ),
    *("note", "note_en", "least", "most", "largest_jump", "stale_after_hours"),
)
# What a pattern needs of an asset: a market in won, or one abroad as well, whose prices can be compared.
BOTH_VENUES = "both"
REASON = "market"  # what a history says of a series that came with its market


def wanted_form(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record with the defaults of what it leaves out; KeyError for what it must say."""
    blank = Series()
    form = {name: record.get(name, getattr(blank, name)) for name in FIELDS}
    return form | {"holder": record["holder"], "inputs": [each["key"] for each in record["inputs"]]}


def form_of(series: Series) -> dict[str, Any]:
    """The present form of a stored series, as ``wanted_form`` gives it."""
    inputs = series.inputs.order_by("position", "pk").values_list("key", flat=True)
    form = {name: getattr(series, name) for name in FIELDS}
    return form | {"holder": series.holder.public_id, "inputs": list(inputs)}


def write(series: Series, form: Mapping[str, Any], holder: Unit) -> None:
    for name in FIELDS:
        setattr(series, name, form[name])
    series.holder = holder
    series.full_clean()
    series.save()
    series.inputs.exclude(key__in=form["inputs"]).update(series=None)
    for position, key in enumerate(form["inputs"]):
        SeriesInput.objects.update_or_create(key=key, defaults={"series": series, "position": position})


def fingerprint(form: Mapping[str, Any]) -> str:
    """A hash of a canonical form, independent of key order: by it the loader knows what an editor changed."""
    return hashlib.sha256(orjson.dumps(form, option=orjson.OPT_SORT_KEYS)).hexdigest()


def declare(market: Market) -> None:
    """Make what the patterns say of the asset of a market that was opened; series that are there get its inputs."""
    patterns = list(SeriesPattern.objects.order_by("pk"))
    won = Market.objects.filter(asset=market.asset_id, venue=Venue.UPBIT, delisted_at=None)
    for each in won.select_related("asset"):
        for record in expanded(patterns, each):
            _declare(record["slug"], wanted_form(record), each.asset)


def _declare(slug: str, form: Mapping[str, Any], holder: Unit) -> None:
    series = Series.objects.filter(slug=slug).first()
    if series is None:
        series = Series(slug=slug, canon_sha256=fingerprint(form))
        series._change_reason = REASON  # type: ignore[attr-defined]
        write(series, form, holder)
        return
    # A renamed asset trades under another ticker: what was said under the former one stays, behind it.
    known = set(series.inputs.values_list("key", flat=True))
    for key in (key for key in form["inputs"] if key not in known):
        series.inputs.update(position=F("position") + 1)
        SeriesInput.objects.update_or_create(key=key, defaults={"series": series, "position": 0})


def expanded(patterns: Iterable[SeriesPattern], market: Market) -> list[dict[str, Any]]:
    """The records that patterns make of an asset's market in won."""
    words = {
        "<asset>": market.asset.slug,
        "<holder>": market.asset.public_id,
        "<label>": market.asset.label,
        "<ticker>": market.asset.symbol,
        "<symbol>": market.symbol,
    }
    abroad = Market.objects.filter(asset=market.asset, venue=Venue.BINANCE, delisted_at=None).exists()
    return [
        filled(pattern.record, words)
        for pattern in patterns
        if (abroad or pattern.record.get("markets") != BOTH_VENUES)
        and market.asset.public_id not in pattern.record.get("except", ())
    ]


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
