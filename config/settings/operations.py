"""What operators see of the service, and where it keeps files and processes."""

from config.settings.environment import BASE_DIR, REHEARSAL, VAR_DIR, env, whole

METRICS_TOKEN: str = env.str("METRICS_TOKEN", default="")
SENTRY_DSN: str = "" if REHEARSAL else env.str("SENTRY_DSN", default="")

ARCHIVE_ROOT = BASE_DIR / env.str("ARCHIVE_ROOT", default=str(VAR_DIR / "archive"))

# Read by gunicorn.conf.py and the Procfile's shell; named here so that one place knows every variable.
HOST: str = env.str("HOST", default="0.0.0.0")  # noqa: S104 (a balancer has to reach it; `make run` sets loopback)
WEB_CONCURRENCY = whole("WEB_CONCURRENCY", 2, most=999)
WEB_THREADS = whole("WEB_THREADS", 64, most=999)
# Whether each web process has another one beside it that answers questions.
ASK_PROCESS: bool = env.bool("ASK_PROCESS", default=True)
CELERY_CONCURRENCY = whole("CELERY_CONCURRENCY", 2, most=999)
