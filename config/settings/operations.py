"""What operators see of the service, and where it keeps files and processes."""

from __future__ import annotations

from config.settings.environment import BASE_DIR, env

METRICS_TOKEN: str = env.str("METRICS_TOKEN", default="")
SENTRY_DSN: str = env.str("SENTRY_DSN", default="")

ARCHIVE_ROOT = BASE_DIR / env.str("ARCHIVE_ROOT", default="var/archive")

# Read by gunicorn.conf.py and the Procfile's shell; named here so that one place knows every variable.
HOST: str = env.str("HOST", default="0.0.0.0")  # noqa: S104 (a balancer has to reach it; `make run` sets loopback)
WEB_CONCURRENCY: int = env.int("WEB_CONCURRENCY", default=2)
WEB_THREADS: int = env.int("WEB_THREADS", default=64)
CELERY_CONCURRENCY: int = env.int("CELERY_CONCURRENCY", default=2)
