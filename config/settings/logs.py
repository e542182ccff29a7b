"""Logs: plain lines on stderr; never an address, a question or a key."""

from __future__ import annotations

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        # It logs full request URLs, which may carry a source's key.
        "httpx2": {"level": "WARNING"},
        "httpcore2": {"level": "WARNING"},
        "django.request": {"level": "ERROR"},
    },
}
