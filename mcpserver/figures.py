"""What series say, as tools hand it out: a line's worth each, or the whole record."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from knowledge.queries.series_serializers import ChangeRecord, SeriesRecord
from knowledge.series.values import json_number
from mcpserver.languages import in_english
from mcpserver.records import Record, absolute


def figures(records: list[SeriesRecord], *, detailed: bool) -> list[Record]:
    """The series that have a value, and in detail those too that have none yet."""
    return [detailed_figure(one) if detailed else figure(one) for one in records if detailed or one["latest"]]


def figure(record: SeriesRecord) -> Record:
    """Label, value with unit, time and how it moved; ``stale`` only where it is overdue."""
    latest = record["latest"]
    found: Record = {"id": record["id"], "label": label_of(record)}
    if latest is None:
        return found
    found |= {"value": json_number(latest["value"]), "unit": record["unit"], "at": latest["at"]}
    if latest["period"]:
        found["period"] = latest["period"]
    if change := change_text(record):
        found["change"] = change
    return found | {"stale": True} if latest["stale"] else found


def label_of(record: SeriesRecord) -> str:
    return (in_english() and record["labelEn"]) or record["label"]


def detailed_figure(record: SeriesRecord) -> Record:
    """The record of ``/api/series.json``; ``points_url`` gives its history."""
    latest, source = record["latest"], record["source"]
    found: Record = {
        "id": record["id"],
        "label": label_of(record),
        **{name: record[name] for name in ("unit", "cadence")},
        "label_en": record["labelEn"],
        **_plain(latest or {}),
        "changes": {name: _plain(change) for name, change in record["changes"].items() if change},
        "licence": record["licence"],
        "licence_en": record["licenceEn"],
        "redistributable": record["redistributable"],
        "url": absolute(record["url"]),
        "points_url": absolute(f"/api/series/{record['id'].partition(':')[2]}.json"),
    }
    if source:
        found |= {"source": source["label"], "source_en": source["labelEn"], "source_url": source["url"]}
    if record["updatedAt"]:
        found["fetched_at"] = record["updatedAt"]
    return found


def _plain(values: Mapping[str, Any]) -> Record:
    """The members with decimals as JSON's own numbers, none in scientific notation."""
    return {name: json_number(one) if isinstance(one, Decimal) else one for name, one in values.items()}


def change_text(record: SeriesRecord) -> str:
    """``+5.2 (+0.35%) since 2026-11-19T09:00:00+09:00``: over a day where there is one, else from the former point."""
    changes = record["changes"]
    change = changes.get("day") or changes.get("previous")
    return f"{_moved(change)} since {change['since']}" if change else ""


def _moved(change: ChangeRecord) -> str:
    if "points" in change:
        return f"{change['points']:+f} points"
    percent = change["percent"]
    return f"{change['absolute']:+f}" + (f" ({percent:+.2f}%)" if percent is not None else "")


def figure_line(record: SeriesRecord) -> str:
    """The series in a line of text."""
    latest, source = record["latest"], record["source"]
    name = f"{record['label']} ({record['labelEn']})"
    if latest is None:
        return f"{name}: no value yet"
    parts = [
        f"{name}: {latest['value']:f} {record['unit']}",
        latest["at"],
        change_text(record),
        f"source: {source['label']}" if source else "",
        "overdue: the source has no newer value" if latest["stale"] else "",
    ]
    return "; ".join(part for part in parts if part)
