"""Units and aliases out as CSV or JSON, and back in: what is exported imports with no change."""

from knowledge.exchange.formats import CSV, JSON, UnreadableFileError
from knowledge.exchange.resources import AliasResource, UnitResource

__all__ = ["CSV", "JSON", "AliasResource", "UnitResource", "UnreadableFileError"]
