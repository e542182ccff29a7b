"""The knowledge base's own publications: entities, topics, events, and the pulses of the longest window."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import orjson

from knowledge.publications.registry import Definition, Records
from knowledge.queries import records
from knowledge.times import iso_kst

VERSION = "v1"


def _index(name: str) -> Callable[[Records, datetime], bytes]:
    """The renderer of ``{version, count, generated_at, <name>: [...]}``."""

    def body(rows: Records, built_at: datetime) -> bytes:
        return orjson.dumps(
            {"version": VERSION, "count": len(rows), "generated_at": iso_kst(built_at), name: rows}
        )

    return body


ENTITIES = Definition(
    name="entities",
    scopes=frozenset({"entity"}),
    counts=frozenset({"entity"}),
    records=records.entities,
    body=_index("entities"),
)
TOPICS = Definition(
    name="topics",
    scopes=frozenset({"topic"}),
    counts=frozenset({"topic"}),
    records=records.topics,
    body=_index("topics"),
)
EVENTS = Definition(
    name="events",
    # Its records name entities and topics, which come and go.
    scopes=frozenset({"event", "entity", "topic"}),
    counts=frozenset({"event"}),
    records=records.events,
    body=_index("events"),
)
PULSES = Definition(
    name="pulses",
    scopes=frozenset({"pulse", "entity"}),
    records=records.pulses,
    body=_index("pulses"),
)
OWN = (ENTITIES, TOPICS, EVENTS, PULSES)
