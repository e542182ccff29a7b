"""The knowledge base's own publications: entities, topics, events, and the pulses of the longest window."""

from collections.abc import Callable, Collection
from datetime import datetime

import orjson

from knowledge.publications.registry import Definition, Records
from knowledge.queries import records
from knowledge.times import iso_kst

VERSION = "v1"


def _index(
    name: str, rows: Callable[[datetime], Records], scopes: Collection[str], counts: Collection[str] = ()
) -> Definition:
    """The publication of ``{version, count, generated_at, <name>: [...]}``."""

    def body(rows: Records, built_at: datetime) -> bytes:
        return orjson.dumps(
            {"version": VERSION, "count": len(rows), "generated_at": iso_kst(built_at), name: rows}
        )

    return Definition(name, frozenset(scopes), rows, body, counts=frozenset(counts))


PULSES = _index("pulses", records.pulses, ["pulse", "entity"])
OWN = (
    _index("entities", records.entities, ["entity"], counts=["entity"]),
    _index("topics", records.topics, ["topic"], counts=["topic"]),
    # Its records name entities and topics, which come and go.
    _index("events", records.events, ["event", "entity", "topic"], counts=["event"]),
    PULSES,
)
