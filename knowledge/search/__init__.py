"""Retrieval: Korean BM25 inside Postgres, from a question to ranked public passages.

``ranking.search`` is what asking, the search page, its API and MCP call; ``indexing`` is what the worker calls;
``statistics.rebuild_statistics`` is for every night.
"""
