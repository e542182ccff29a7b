"""Series as the canon declares them: one record each, or one pattern for a series of every asset with a market."""

from collections.abc import Iterable, Mapping
from typing import Any

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
