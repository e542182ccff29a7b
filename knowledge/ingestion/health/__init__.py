"""How ingestion fares: how old the last success is, how each source stands, what its last runs brought."""
