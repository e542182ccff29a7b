"""Document items → documents, each stored once, linked, counted and indexed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta

import orjson

from knowledge.ingestion.counts import ItemCounts
from knowledge.linking import store as linking
from knowledge.models import SUMMARY_MAX_LENGTH, Document, Source
from knowledge.search import indexing
from knowledge.sources.base import DocumentItem

# A first poll brings weeks of backlog: it is stored, and raises nothing older than this.
BACKLOG_AFTER = timedelta(hours=12)
CHANGED_FIELDS = (
    "url",
    "title",
    "summary",
    "author",
    "lang",
    "published_at",
    "published_raw",
    "source_updated_at",
    "content_sha256",
)


def store(source: Source, items: Sequence[DocumentItem], *, now: datetime) -> ItemCounts:
    """Store new and changed documents of one source; the same items again change nothing.

    Runs inside the caller's transaction, so a document is never there without its mentions and its passage.
    """
    unique = {item.external_id: item for item in items}
    present = {
        document.external_id: document
        for document in Document.objects.filter(source=source, external_id__in=list(unique))
    }
    new = [
        _new(source, item, now)
        for external_id, item in unique.items()
        if external_id not in present and wanted(source, item)
    ]
    changed = [document for key, document in present.items() if _apply(source, document, unique[key])]
    _save(new, changed)
    return ItemCounts(
        fetched=len(unique),
        created=len(new),
        updated=len(changed),
        unchanged=len(present) - len(changed),
    )


def wanted(source: Source, item: DocumentItem) -> bool:
    """General papers are kept only where they speak of something in the canon."""
    return not source.requires_unit or linking.speaks_of_a_unit(_text(item), crypto_channel=source.crypto)


def content_sha256(item: DocumentItem) -> str:
    """A hash of what readers see. ``updated_at`` is not in it: on YouTube it moves with the view count."""
    seen = [item.url, item.title, item.summary, item.author, item.published_at]
    return hashlib.sha256(orjson.dumps(seen)).hexdigest()


def _new(source: Source, item: DocumentItem, now: datetime) -> Document:
    published = item.published_at
    backlog = source.first_success_at is None and (published is None or published < now - BACKLOG_AFTER)
    document = Document(kind=source.kind, external_id=item.external_id, fetched_at=now, seen_only=backlog)
    _fill(source, document, item, content_sha256(item))
    return document


def _apply(source: Source, document: Document, item: DocumentItem) -> bool:
    """Take over what changed; False when nothing a reader sees did, or when nobody is to see it."""
    sha256 = content_sha256(item)
    if document.withdrawn or document.content_sha256 == sha256:
        return False
    _fill(source, document, item, sha256)
    return True


def _fill(source: Source, document: Document, item: DocumentItem, sha256: str) -> None:
    document.source = source
    document.url = item.url
    document.title = item.title[:500]
    document.summary = item.summary[:SUMMARY_MAX_LENGTH]
    document.author = item.author[:200]
    document.lang = item.lang or source.lang
    # A later body that lost its date does not make the known one unknown.
    document.published_at = item.published_at or document.published_at
    document.published_raw = item.published_raw[:80]
    document.source_updated_at = item.updated_at
    document.content_sha256 = sha256


def _save(new: Sequence[Document], changed: Sequence[Document]) -> None:
    if not new and not changed:
        return
    Document.objects.bulk_create(new)
    Document.objects.bulk_update(changed, CHANGED_FIELDS)
    linking.link_documents([*new, *changed])
    indexing.index_documents([document.pk for document in (*new, *changed)])


def _text(item: DocumentItem) -> str:
    return f"{item.title}\n{item.summary}" if item.summary else item.title
