"""The editors' desk over the knowledge base, by subject."""

from knowledge.admin import candidates, documents, personas, pulses, series, units

__all__ = ["candidates", "documents", "personas", "pulses", "series", "units"]
