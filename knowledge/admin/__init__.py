"""The editors' desk over the knowledge base, by subject."""

from knowledge.admin import (  # noqa: F401  each registers what it shows
    aliases,
    candidates,
    creators,
    documents,
    markets,
    mentions,
    personas,
    pulses,
    relations,
    series,
    sources,
    units,
)
