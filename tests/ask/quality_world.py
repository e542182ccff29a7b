"""The starter canon, values of its series, and an invented world of documents: each is asked about by its own file."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from knowledge.canon import loader, units
from knowledge.evaluation.observations import read_observations, record_observations
from knowledge.linking.store import link_documents
from knowledge.models import Document, Source
from knowledge.search import indexing

NOW = datetime(2026, 11, 22, 3, 5, tzinfo=UTC)  # a few minutes after the last of the observations
FILES = Path(__file__).parent / "quality"


def build_canon() -> None:
    loader.load(map(loader.read, loader.starter_paths()), now=NOW)
    indexing.refresh_everything()


def observe() -> None:
    record_observations(read_observations(FILES / "observations.jsonl"), now=NOW)


def invent() -> None:
    """Coins, companies and documents that no canon has."""
    world = json.loads((FILES / "world.json").read_text())
    loader.load([{"units": world["units"]}], now=NOW)
    sources = {record["slug"]: _source(record) for record in world["sources"]}
    documents = [_document(record, at, sources) for at, record in enumerate(world["documents"])]
    link_documents(documents)
    indexing.refresh_everything()


def _source(record: dict[str, Any]) -> Source:
    creator = units.resolve(record["creator"]) if "creator" in record else None
    return Source.objects.create(
        slug=record["slug"],
        name=record["name"],
        kind=record["kind"],
        lang=record["lang"],
        adapter="rss",
        url=f"https://{record['slug']}.example/feed",
        crypto=True,
        creator=creator,
    )


def _document(record: dict[str, Any], number: int, sources: dict[str, Source]) -> Document:
    source = sources[record["source"]]
    return Document.objects.create(
        source=source,
        kind=source.kind,
        external_id=str(number),
        url=f"https://{source.slug}.example/{number}",
        title=record["title"],
        summary=record["summary"],
        lang=source.lang,
        published_at=NOW - timedelta(days=record["days"]),
        fetched_at=NOW,
        content_sha256=str(number),
    )
