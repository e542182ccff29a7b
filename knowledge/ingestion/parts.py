"""The parts of a source that are fetched and stored each by itself: a market, a series, a path, or all there is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from knowledge.models import Source
from knowledge.sources.adapters import ADAPTERS


@dataclass(frozen=True, slots=True)
class Part:
    """What an adapter reads at a time: a market, series or path as the settings have it, or the source's own address
    (``entry`` None).

    ``name`` is what the part is stored under ("" for the address).
    """

    name: str = ""
    entry: Any = None


def parts_of(source: Source) -> list[Part]:
    """The parts of a source in the order of its settings; one without a list of them is a single part."""
    adapter = ADAPTERS.get(source.adapter)
    if adapter is None or not isinstance(source.settings, dict):
        return [Part()]  # it cannot be read, and reading it says so
    entries = source.settings.get(adapter.parts)
    if not entries or not isinstance(entries, list):
        return [Part()]
    return [Part(_name(adapter.part_name, entry), entry) for entry in entries]


def _name(part_name: Callable[[Any], str], entry: object) -> str:
    try:
        return str(part_name(entry))
    except (KeyError, TypeError):
        # An entry of another form fails in its turn, and that needs a name too.
        return str(entry)[:40]
