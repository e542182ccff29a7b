"""Document items → documents, each stored once, linked, counted and indexed."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.db import transaction

from knowledge import curation
from knowledge.linking import store as linking
from knowledge.models import SUMMARY_MAX_LENGTH, Alias, Document, SearchPassage, Source, Status
from knowledge.normalise import normalise_alias
from knowledge.search import indexing
from knowledge.search.passages import passages_of
from knowledge.sources.base import DocumentItem

# A first poll brings weeks of backlog: it is stored, and raises nothing older than this.
BACKLOG_AFTER = timedelta(hours=12)


@transaction.atomic(savepoint=False)
def store(source: Source, items: Sequence[DocumentItem], *, now: datetime) -> Counter[str]:
    """Store new and changed documents of one source; the same items again change nothing.

    Runs in one transaction, the caller's where there is one: a document is never there without its mentions and its
    passage.
    """
    unique = {item.external_id: item for item in items}
    present = {row.external_id: row for row in source.documents.filter(external_id__in=unique)}
    new, changed = [], []
    for external_id, item in unique.items():
        document, facts = present.get(external_id), _facts_of(source, item)
        if document is None:
            document = _new(source, item, facts, now)
            if not source.requires_unit or linking.units_named(document.text, crypto_channel=source.crypto):
                new.append(document)
        elif not document.withdrawn and document.content_sha256 != facts["content_sha256"]:
            # A later body that lost its date does not make the known one unknown.
            facts["published_at"] = facts["published_at"] or document.published_at
            for name, value in facts.items():
                setattr(document, name, value)
            changed.append(document)
    passages = _insert(new)
    if changed:
        Document.objects.bulk_update(changed, list(facts))
        linking.link_documents(changed)
        indexing.index_documents([document.pk for document in changed])
    indexing.add(passages)
    return Counter(
        fetched=len(unique),
        created=len(new),
        updated=len(changed),
        unchanged=len(present) - len(changed),
    )


def _insert(new: Sequence[Document]) -> list[SearchPassage]:
    """Store new documents with their mentions; returns their passages. Writing those holds up other writers, and comes
    last."""
    if not new:
        return []
    Document.objects.bulk_create(new)
    return list(passages_of(new, linking.link_new(new)))


def _facts_of(source: Source, item: DocumentItem) -> dict[str, Any]:
    """What an item says, as its document has it."""
    # What readers see. updated_at is not in it: on YouTube it moves with the view count.
    seen = [item.url, item.title, item.summary, item.author, item.published_at]
    return {
        "url": item.url,
        "title": item.title[:500],
        "summary": item.summary[:SUMMARY_MAX_LENGTH],
        "author": item.author[:200],
        "lang": item.lang or source.lang,
        "published_at": item.published_at,
        "published_raw": item.published_raw[:80],
        "source_updated_at": item.updated_at,
        "content_sha256": hashlib.sha256(orjson.dumps(seen)).hexdigest(),
    }


def _new(source: Source, item: DocumentItem, facts: Mapping[str, Any], now: datetime) -> Document:
    published = item.published_at
    seen = source.first_success_at is None and (published is None or published < now - BACKLOG_AFTER)
    own = {"kind": source.kind, "external_id": item.external_id, "fetched_at": now, "seen_only": seen}
    return Document(source=source, **own, **facts)


def publish_creator_if_verified(source: Source, items: Sequence[DocumentItem]) -> str:
    """Publish the source's draft creator if the feed's author is the creator's name or alias.

    Channel ids are copied from public lists and some are wrong; a feed whose author is somebody else proves nothing.
    Returns what the run's row should say of it: empty when all is well.
    """
    creator = source.creator
    authors = sorted({item.author for item in items if item.author})
    if creator is None or creator.status != Status.DRAFT or not authors:
        return ""
    if Alias.names.filter(unit=creator, norm__in=list(map(normalise_alias, authors))).exists():
        curation.set_status(creator, Status.PUBLISHED)
        return ""
    return f"the feed is by {authors[0]}, so {creator.public_id} stays a draft"
