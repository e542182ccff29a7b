"""Draft creators are published once their own feed names them."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge import curation
from knowledge.models import Alias, Source, Status
from knowledge.normalise import normalise_alias
from knowledge.sources.base import DocumentItem


def publish_if_verified(source: Source, items: Sequence[DocumentItem]) -> str:
    """Publish the source's draft creator if the feed's author is the creator's name or alias.

    Channel ids are copied from public lists and some are wrong; a feed whose author is somebody else proves nothing.
    Returns what the run's row should say of it: empty when all is well.
    """
    creator = source.creator
    authors = sorted({item.author for item in items if item.author})
    if creator is None or creator.status != Status.DRAFT or not authors:
        return ""
    names = set(Alias.names.filter(unit=creator).values_list("norm", flat=True))
    if {normalise_alias(author) for author in authors} & names:
        curation.publish(creator)
        return ""
    return f"the feed is by {authors[0]}, so {creator.public_id} stays a draft"
