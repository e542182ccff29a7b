"""The service on a real socket, over the connection of the test: its clients see what a shared world never commits."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from wsgiref.simple_server import WSGIRequestHandler, make_server

from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.handlers.wsgi import WSGIHandler
from django.db import DEFAULT_DB_ALIAS, connections


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged: a test says itself what it asked."""


@contextmanager
def served() -> Iterator[str]:
    """Its origin. One request at a time, while the test waits: two threads must not use the connection at once."""
    ours = connections[DEFAULT_DB_ALIAS]
    ours.inc_thread_sharing()
    # The end of a request would close the connection, and with it the transaction of the test.
    ours.close_if_unusable_or_obsolete = lambda: None  # type: ignore[method-assign]
    with make_server("127.0.0.1", 0, StaticFilesHandler(WSGIHandler()), handler_class=_Quiet) as server:

        def serve() -> None:
            connections[DEFAULT_DB_ALIAS] = ours
            server.serve_forever(poll_interval=0.05)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
            del ours.close_if_unusable_or_obsolete
            ours.dec_thread_sharing()
