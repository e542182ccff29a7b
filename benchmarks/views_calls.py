"""``python -m benchmarks.views_calls DATABASE``: microseconds of a request inside one process, as JSON.

Sockets and the load generator weigh the same for every rival and hide small differences; here the application
is called as a WSGI server would, and nothing else is in the figure.
"""

import io
import json
import sys
import time
from statistics import median
from typing import Any

from benchmarks import web_app

ENTITIES = "/api/canonical/entities.json"
ROUNDS = 25
CALLS = 60
SERIALIZED_CALLS = 5


def main(database: str) -> None:
    application = web_app.plain(database)
    etag = dict(call(application, ENTITIES)[1])["ETag"]
    requests = {
        "ours": (ENTITIES, {}),
        "bare_django": ("/bench/bare-django", {}),
        "bare_apiview": ("/bench/bare-apiview", {}),
        "not_modified": (ENTITIES, {"HTTP_IF_NONE_MATCH": etag}),
    }
    rounds: dict[str, list[float]] = {name: [] for name in requests}
    for turn in range(ROUNDS + 1):
        for name, (path, headers) in requests.items():
            taken = microseconds(application, path, headers, CALLS)
            if turn:  # the first round only warms up
                rounds[name].append(taken)
    figures = {f"{name}_us": median(taken) for name, taken in rounds.items()}
    figures["serialized_us"] = microseconds(application, "/bench/serialized", {}, SERIALIZED_CALLS)
    figures["of_serialized"] = figures["serialized_us"] / figures["ours_us"]
    for rival in ("bare_django", "bare_apiview"):
        figures[f"of_{rival}"] = median(
            theirs / ours for theirs, ours in zip(rounds[rival], rounds["ours"], strict=True)
        )
    print(json.dumps(figures))


def microseconds(application: Any, path: str, headers: dict[str, str], calls: int) -> float:
    began = time.perf_counter()
    for _ in range(calls):
        call(application, path, headers)
    return (time.perf_counter() - began) / calls * 1e6


def call(
    application: Any, path: str, headers: dict[str, str] | None = None
) -> tuple[str, list[tuple[str, str]]]:
    """One GET; gives its status line and headers."""
    started: list[tuple[str, list[tuple[str, str]]]] = []
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "127.0.0.1",
        "HTTP_X_FORWARDED_PROTO": "https",
        "HTTP_ACCEPT_ENCODING": "gzip",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        **(headers or {}),
    }
    body = application(environ, lambda status, fields, failure=None: started.append((status, fields)))
    for _chunk in body:
        pass
    body.close()
    return started[0]


if __name__ == "__main__":
    main(sys.argv[1])
