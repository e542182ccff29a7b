"""Postgres, Redis and where they are."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config.settings.environment import REHEARSAL, env, required
from config.settings.operations import WEB_THREADS
from knowledge.postgres.breaker import pool_gave_up

# A network that swallows packets must look like a lost connection within seconds, not after TCP's quarter of
# an hour. What the address itself says wins.
_LIVENESS: dict[str, Any] = {
    "connect_timeout": 3,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 15_000,
}
_POOL_SIZE = 8

_database: dict[str, Any] = env.db_url_config(
    required(
        "DATABASE_URL",
        "Set it to the Postgres address, for example postgres://user:password@host:5432/madang.",
    )
)
# A rehearsed world never mixes with real data: its database is known by its name.
REHEARSAL_DATABASE = "_rehearsal"
if str(_database["NAME"]).endswith(REHEARSAL_DATABASE) != REHEARSAL:
    raise ImproperlyConfigured(
        f"The database {_database['NAME']!r} is no rehearsal's, whose names end in {REHEARSAL_DATABASE}: "
        "invented records are not mixed into it. Use `make demo`, which brings its own."
        if REHEARSAL
        else f"The database {_database['NAME']!r} holds a rehearsal's invented records and is not served as a real "
        "one. Use another, or `make demo`, which sets REHEARSAL by itself."
    )
# Django's, with a circuit breaker before the pool and its own look at each connection that the pool gives.
_database["ENGINE"] = "knowledge.postgres"
_database["OPTIONS"] = {
    **_LIVENESS,
    **_database.get("OPTIONS", {}),
    "pool": {
        "min_size": 1,
        "max_size": _POOL_SIZE,
        # A thread that waits longer than 5 s for a connection answers 503 rather than pile up.
        "timeout": 5,
        # Three quarters of a process's threads may hold or await one; the rest go on serving what needs none.
        "max_waiting": max(1, WEB_THREADS * 3 // 4 - _POOL_SIZE),
        # Its pauses between attempts would grow to minutes; so whoever needs a connection makes it begin anew.
        "reconnect_timeout": 10,
        "reconnect_failed": pool_gave_up,
    },
}
# The pool keeps connections; a persistent one per thread beside it would hold 64 of them.
_database["CONN_MAX_AGE"] = 0

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
