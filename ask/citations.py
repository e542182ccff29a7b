"""A passage's citation: the canonical page it stands on, under a name that says where it comes from.

Citations lead to our own pages only. A document's is the unit it chiefly speaks of (``landing_unit``), whose page
lists the document with its original link.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from django.utils import timezone

from knowledge.models import Document, Unit
from knowledge.models.search import SearchPassage


class CitationRecord(TypedDict):
    """A citation as the contract shows it. ``url`` is site-relative."""

    label: str
    url: str
    type: str


@dataclass(frozen=True, slots=True)
class Citation:
    label: str
    url: str
    type: str  # entity, topic, event, asset or creator

    def record(self) -> CitationRecord:
        return {"label": self.label, "url": self.url, "type": self.type}


def cite(hit: SearchPassage) -> Citation | None:
    """The citation of a passage; None where no canonical page carries it, so it cannot be evidence."""
    if hit.landing_unit is None:
        return None
    return Citation(
        _label(hit, hit.landing_unit), hit.landing_unit.get_absolute_url(), hit.landing_unit.url_prefix
    )


def _label(hit: SearchPassage, page: Unit) -> str:
    if hit.post is not None:
        return hit.post.persona.byline
    if hit.document is not None:
        return ", ".join(part for part in (page.label, hit.document.source.name, _day(hit.document)) if part)
    return page.label


def _day(document: Document) -> str:
    moment: datetime | None = document.published_at
    return timezone.localtime(moment).strftime("%Y-%m-%d") if moment else ""
