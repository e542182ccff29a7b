"""Django's Postgres backend with a circuit breaker before its pool, and connections beside the pool."""
