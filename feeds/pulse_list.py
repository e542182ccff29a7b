"""The pulses page: days, in them the groups of pulses, in these each pulse with its line and the outlets."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any

import orjson

from knowledge.languages import ENGLISH, current_language
from knowledge.publications.indexes import pulses_within
from knowledge.queries.charts import Point, around_pulses
from knowledge.queries.pulse_groups import PulseGroup, grouped_pulses, outlets_at
from knowledge.queries.units import english_titles


@dataclass(frozen=True, slots=True)
class ShownPulse:
    """``outlets`` are names with the addresses at which they say it."""

    record: Mapping[str, Any]
    points: Sequence[Point]
    outlets: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ShownGroup:
    group: PulseGroup
    pulses: Sequence[ShownPulse]


def days_of_pulses(records: Sequence[Mapping[str, Any]]) -> list[tuple[date, list[ShownGroup]]]:
    """The groups of public records by their day in Seoul, the newest first."""
    lines = _lines(records)
    outlets = outlets_at({source["url"] for record in records for source in record["sources"]})
    shown = [
        ShownGroup(group, [_shown(record, lines, outlets) for record in group.pulses])
        for group in grouped_pulses(records)
    ]
    return [(day, list(groups)) for day, groups in groupby(shown, key=lambda one: one.group.hour.date())]


def _shown(
    record: Mapping[str, Any], lines: Mapping[str, Sequence[Point]], outlets: Mapping[str, str]
) -> ShownPulse:
    addresses = [source["url"] for source in record["sources"]]
    return ShownPulse(record, lines.get(_key(record), ()), [(outlets[one], one) for one in addresses])


def _lines(records: Sequence[Mapping[str, Any]]) -> Mapping[str, Sequence[Point]]:
    keys = defaultdict(list)
    for record in records:
        keys[str(record["kind"])].append(_key(record))
    return around_pulses(keys)


def _key(record: Mapping[str, Any]) -> str:
    return str(record["id"]).removeprefix("pulse:")


def pulse_records(hours: int, now: datetime) -> list[dict[str, Any]]:
    """The public records of a window, newest first; the asset is called as in the language of the page."""
    body = pulses_within(hours, now=now).plain
    records: list[dict[str, Any]] = orjson.loads(body)["pulses"]
    if current_language() == ENGLISH:
        titles = english_titles({record["asset"] for record in records})
        return [
            record | {"assetLabel": titles.get(record["asset"], record["assetLabel"])} for record in records
        ]
    return records
