"""Values of series from a JSON Lines file, as ``ingest --dry-run --json`` prints them."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from knowledge.evaluation.files import MalformedFileError, json_lines
from knowledge.models import HeldValue, SeriesInput
from knowledge.series.recording import record_all
from knowledge.sources.base import ObservationItem


def read_observations(path: Path) -> list[ObservationItem]:
    """Lines of ``{"series", "at", "value", "unit", "period"}``; ``series`` is the key of an input, and the last two may
    be left out. Raises MalformedFileError."""
    return [
        ObservationItem(
            line.string("series"),
            line.moment("at"),
            line.number("value"),
            line.string("unit", ""),
            line.string("period", ""),
        )
        for line in json_lines(path)
    ]


def record_observations(items: Iterable[ObservationItem], *, now: datetime) -> None:
    """Store them by the rules for what sources give. Raises MalformedFileError for a key that no series has, and for a
    value that would wait for an editor."""
    by_key: defaultdict[str, list[ObservationItem]] = defaultdict(list)
    for item in items:
        by_key[item.series].append(item)
    inputs = {of.key: of for of in SeriesInput.objects.filter(key__in=by_key, series__isnull=False)}
    if unknown := sorted(by_key.keys() - inputs.keys()):
        raise MalformedFileError(f"no series has the input {', '.join(unknown)}")
    record_all({inputs[key]: found for key, found in by_key.items()}, now=now)
    if held := HeldValue.objects.select_related("input").first():
        raise MalformedFileError(
            f"{held.input.key} at {held.at.isoformat()}: {held.value} is doubtful: {held.reason}"
        )
