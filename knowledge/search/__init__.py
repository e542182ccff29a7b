"""Retrieval: Korean BM25 inside Postgres, from a question (``ranking``) to public passages (``indexing``)."""
