"""Sources that are no rows, read part by part as a run does."""

from datetime import UTC, datetime
from typing import Any

from knowledge.models import Source
from knowledge.sources.adapters import ADAPTERS
from knowledge.sources.base import SourceItem
from knowledge.sources.http.client import Fetched, HttpClient


def unsaved(adapter: str, url: str, **fields: Any) -> Source:
    """A source that is no row."""
    return Source(adapter=adapter, url=url, **fields)


def read(source: Source, http: HttpClient, since: datetime | None = None) -> list[Any]:
    """Every item of a source: of each market, series or path of its settings, else of its own address."""
    adapter = ADAPTERS[source.adapter]
    if not adapter.parts or adapter.parts not in source.settings:
        return adapter.read(source, http)[1]
    found: list[SourceItem] = []
    for entry in source.settings[adapter.parts]:
        found.extend(adapter.fetch(source, entry, since, http))
    return found


def parsed(
    adapter: str,
    body: bytes,
    *,
    now: datetime = datetime(2026, 9, 1, 12, 0, tzinfo=UTC),
    url: str = "",
    content_type: str = "",
    **fields: Any,
) -> list[Any]:
    """What an adapter reads in a body; ``fields`` are its source's, which says nothing of its language by itself."""
    headers = {"content-type": content_type}
    answer = Fetched(status=200, body=body, headers=headers, asked=url, url=url, fetched_at=now)
    return ADAPTERS[adapter].items(answer, unsaved(adapter, url, **({"lang": ""} | fields)))
