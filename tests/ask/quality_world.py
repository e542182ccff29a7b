"""The starter canon and an invented world of coins, companies and documents, ready to be asked about."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from knowledge.canon import loader, units
from knowledge.linking.store import link_documents
from knowledge.models import Document, Source
from knowledge.search import indexing

NOW = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)
_HERE = Path(__file__).parent / "quality"


def questions() -> list[dict[str, Any]]:
    """``{question, nuggets, pages}``: regexes an answer must match, pages it may cite; both empty: unanswerable."""
    found: list[dict[str, Any]] = json.loads((_HERE / "questions.json").read_text())
    return found


def build_world() -> None:
    world = json.loads((_HERE / "world.json").read_text())
    files = [loader.read(path) for path in loader.starter_paths()]
    loader.load([*files, {"units": world["units"]}], now=NOW)
    sources = {record["slug"]: _source(record) for record in world["sources"]}
    documents = [_document(record, at, sources) for at, record in enumerate(world["documents"])]
    link_documents(documents)
    while indexing.refresh(limit=500):
        pass


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
