"""Sources that are no rows, read part by part as a run does."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from knowledge.models import Source
from knowledge.sources.adapters import ADAPTERS
from knowledge.sources.base import SourceItem
from knowledge.sources.http.client import HttpClient


def unsaved(adapter: str, url: str, **fields: Any) -> Source:
    """A source that is no row."""
    return Source(adapter=adapter, url=url, **fields)


def read(source: Source, http: HttpClient, since: datetime | None = None) -> list[Any]:
    """Every item of a source: of each market, series or path of its settings, else of its own address."""
    adapter = ADAPTERS[source.adapter]
    if adapter.fetch is None or adapter.parts not in source.settings:
        return adapter.read(source, http)[1]
    found: list[SourceItem] = []
    for entry in source.settings[adapter.parts]:
        found.extend(adapter.fetch(source, entry, since, http))
    return found
