"""Which publications exist, and what makes each of them stale."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from knowledge.models import OutboxEntry

Records = Sequence[Any]


class PublicationGroup(Enum):
    """Publications that are built together. The value is the outbox's mark of what they do not show yet."""

    INDEXES = "for_indexes"  # that programs poll, and whatever else has to be current within a second
    CRAWLERS = "for_crawlers"  # files that may be half a minute old, which the worker builds


@dataclass(frozen=True, slots=True)
class Definition:
    """One publication.

    ``records(now)`` reads the rows and gives what orjson can write, and decimals, in their final order: equal records
    mean that the stored body stays, so nothing in them may depend on the moment, unless the publication ``ages``: a
    value becomes overdue by time alone, so those records are looked at every few minutes. ``body(records, built_at)``
    renders them. ``scopes`` are the kinds of change that make it stale (``entity``, ``topic``, ``event``, ``pulse``,
    ``post``, or one whose rows an app has ``watched``); ``counts`` those of them whose document and video counts it
    shows. Raise ``revision`` when ``body`` changes what it makes of the same records.
    """

    name: str
    scopes: frozenset[str]
    records: Callable[[datetime], Records]
    body: Callable[[Records, datetime], bytes]
    content_type: str = "application/json"
    counts: frozenset[str] = frozenset()
    revision: int = 1
    group: PublicationGroup = PublicationGroup.INDEXES
    ages: bool = False

    def shows(self, change: OutboxEntry) -> bool:
        """Whether a noted change can be seen in this publication."""
        return change.scope in (self.counts if change.counts_only else self.scopes)


_definitions: dict[str, Definition] = {}


def register(*definitions: Definition) -> None:
    """Add publications; from ``AppConfig.ready()`` only, so that every process knows the same ones."""
    for definition in definitions:
        if _definitions.setdefault(definition.name, definition) is not definition:
            raise ValueError(f"a publication named {definition.name!r} is registered already")


def registered(names: Iterable[str] | None = None) -> list[Definition]:
    """The named publications, or all of them. An unknown name is a KeyError."""
    return list(_definitions.values()) if names is None else [_definitions[name] for name in names]
