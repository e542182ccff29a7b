"""Logs on stderr: JSON in production, text with DEBUG; never an address, a question or a key."""

from config.settings.environment import DEBUG, chosen

LOG_LEVEL = chosen("LOG_LEVEL", ("info", "debug", "warning", "error"))
# What libraries say for their own makers, each SQL statement among it, is no help to an operator.
_OWN = ("archive", "ask", "bulk", "config", "desk", "feeds", "knowledge", "mcpserver", "requests", "tasks")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {"()": "config.log_lines.JsonLines"},
        "text": {
            "()": "config.log_lines.TextLines",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
        },
    },
    "filters": {"paths": {"()": "config.log_paths.ShownPaths"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "text" if DEBUG else "json"}},
    "root": {"handlers": ["stderr"], "level": "INFO" if LOG_LEVEL == "debug" else LOG_LEVEL.upper()},
    "loggers": {
        **({name: {"level": "DEBUG"} for name in _OWN} if LOG_LEVEL == "debug" else {}),
        # They log full request URLs, which may carry a source's key.
        "httpx2": {"level": "WARNING"},
        "httpcore2": {"level": "WARNING"},
        # It logs paths, and each request has its line already; a failure's traceback is worth a second one.
        "django.request": {"level": "ERROR", "filters": ["paths"]},
        "django.security.csrf": {"level": "ERROR", "filters": ["paths"]},
        # It tells every sign-in and every failure.
        "axes": {"level": "ERROR"},
        # Scanners call by any host name, and each request has its line already.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        # Celery's own lines of a task repeat what the one line of config.celery says.
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
    },
}
