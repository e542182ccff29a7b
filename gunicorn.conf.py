"""How the web process listens and works: ``gunicorn config.asgi``, started in this folder, reads it by itself."""

import os

bind = f"{os.environ.get('HOST') or '0.0.0.0'}:{os.environ.get('PORT') or '8000'}"  # noqa: S104  a proxy stands in front
workers = int(os.environ.get("WEB_CONCURRENCY") or 2)
worker_class = "config.front.worker.Worker"
# Its own debug lines repeat its settings.
loglevel = {"warning": "warning", "error": "error"}.get(os.environ.get("LOG_LEVEL", "").lower(), "info")
logger_class = "config.server_log.Logger"
timeout = 60
graceful_timeout = 45
keepalive = 75
control_socket_disable = True
