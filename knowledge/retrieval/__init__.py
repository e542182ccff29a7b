"""Retrieval: Korean BM25 inside Postgres, from a question to ranked public passages.

``search`` is what asking, the search page, its API and MCP call; ``knowledge.retrieval.indexing`` is what the
worker calls; ``rebuild_statistics`` is for every night.
"""

from knowledge.retrieval.hits import Hit
from knowledge.retrieval.ranking import LIMIT_MAX, Linker, search
from knowledge.retrieval.statistics import rebuild_statistics

__all__ = ["LIMIT_MAX", "Hit", "Linker", "rebuild_statistics", "search"]
