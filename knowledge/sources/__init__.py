"""Outside sources: one module a kind reads what they answer, over one HTTP client that is safe to point anywhere."""
