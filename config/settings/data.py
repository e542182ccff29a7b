"""Postgres, Redis and where they are."""

from __future__ import annotations

from typing import Any

from config.settings.environment import env, required

_database: dict[str, Any] = env.db_url_config(
    required(
        "DATABASE_URL",
        "Set it to the Postgres address, for example postgres://user:password@host:5432/madang.",
    )
)
_database["OPTIONS"] = {
    **_database.get("OPTIONS", {}),
    # A thread that waits longer than 5 s for a connection answers 503 rather than pile up.
    "pool": {"min_size": 1, "max_size": 8, "timeout": 5},
}
# The pool keeps connections; a persistent one per thread beside it would hold 64 of them.
_database["CONN_MAX_AGE"] = 0
# After a restart of Postgres the pool's old connections are dead; each is tried before it is handed out.
_database["CONN_HEALTH_CHECKS"] = True

DATABASES = {"default": _database}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = required("REDIS_URL", "Set it to the Redis or Valkey address, for example redis://host:6379/0.")
if REDIS_URL.startswith("rediss://") and "ssl_cert_reqs=" not in REDIS_URL:
    # Celery would take any certificate; the cache checks it.
    REDIS_URL += f"{'&' if '?' in REDIS_URL else '?'}ssl_cert_reqs=required"

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "madang",
        # A Redis that hangs must cost a request no more than one that refuses.
        "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5},
    }
}
