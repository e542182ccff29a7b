"""The editors' desk over the knowledge base, by subject."""

from knowledge.admin import (
    aliases,
    candidates,
    creators,
    documents,
    mentions,
    merges,
    personas,
    possible_merges,
    pulses,
    series,
    sources,
    units,
)

__all__ = [
    "aliases",
    "candidates",
    "creators",
    "documents",
    "mentions",
    "merges",
    "personas",
    "possible_merges",
    "pulses",
    "series",
    "sources",
    "units",
]
