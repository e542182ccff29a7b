"""How the web process listens and works: ``gunicorn config.wsgi``, started in this folder, reads it by itself."""

import os

bind = f"{os.environ.get('HOST') or '0.0.0.0'}:{os.environ.get('PORT') or '8000'}"  # noqa: S104  a proxy stands in front
workers = int(os.environ.get("WEB_CONCURRENCY") or 2)
threads = int(os.environ.get("WEB_THREADS") or 64)
worker_class = "config.web_server.Worker"
logger_class = "config.web_server.Logger"
timeout = 60
graceful_timeout = 45
keepalive = 75
control_socket_disable = True
# The worker's own parser builds on it.
http_parser = "python"
# Nobody in front of the service sets SCRIPT_NAME or PATH_INFO, so that whoever sends them is a client.
forwarder_headers = ""
