"""Retrieval: Korean BM25 inside Postgres, from a question to ranked public passages.

``search`` is what asking, the search page, its API and MCP call; ``knowledge.retrieval.indexing`` is what the
worker calls; ``rebuild_statistics`` is for every night.
"""

from knowledge.retrieval.hits import Hit, unit_hit
from knowledge.retrieval.ranking import LIMIT_MAX, Linker, search
from knowledge.retrieval.scoring import Filters
from knowledge.retrieval.statistics import rebuild_statistics

__all__ = ["LIMIT_MAX", "Filters", "Hit", "Linker", "rebuild_statistics", "search", "unit_hit"]
