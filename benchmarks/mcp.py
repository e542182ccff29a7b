"""CPU of an MCP call against a bare Django view that reads the same body and gives the same record as JSON.

All are called in one process as a WSGI server would, through the same middleware, in turns; each turn gives a ratio.
CPU time is that of this process: what Postgres does for a look-up is not in it, the driver is.
"""

import io
import json
import logging
import sys
import time
from collections.abc import Callable, Iterable
from statistics import median
from typing import Any

from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.test import override_settings
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from benchmarks.scratch import scratch_database, seed
from knowledge.publications import publication_cache
from mcpserver import kept as kept_results
from mcpserver import registry

SIZE = 1_000
ROUNDS = 15
CALLS = 40
LIST_MAX, LOOK_UP_MAX = 1.5, 3.0
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
LOOK_UP = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "get_entity", "arguments": {"id": "asset:made-up-7"}},
}
QUIET = {
    "ROOT_URLCONF": "benchmarks.mcp",
    "DEBUG": False,
    "WHITENOISE_AUTOREFRESH": False,
    "ALLOWED_HOSTS": ["127.0.0.1"],
    "SECURE_SSL_REDIRECT": False,
}

Application = Callable[[dict[str, Any], Callable[..., Any]], Any]
kept: dict[str, Any] = {}


@csrf_exempt
def bare(request: HttpRequest, name: str) -> HttpResponse:
    """The least that Django can do for the same body and the same record."""
    json.loads(request.body)
    return JsonResponse(kept[name], json_dumps_params={"ensure_ascii": False})


urlpatterns = [path("", include("mcpserver.urls")), path("bare/<str:name>", bare)]


def run() -> dict[str, Any]:
    """Microseconds of CPU a call, the ratios, and the two gates."""
    logging.getLogger(registry.logger.name).setLevel(logging.WARNING)
    with scratch_database(), override_settings(**QUIET):
        seed(SIZE)
        for name in kept_names():
            publication_cache.get(name)
        application = WSGIHandler()
        for name, body in (("list", LIST), ("look_up", LOOK_UP)):
            kept[name] = json.loads(call(application, "/api/mcp", body))
        figures = {
            name: compared(application, name, body) for name, body in (("list", LIST), ("look_up", LOOK_UP))
        }
        figures["look_up"]["from_the_store_us"] = from_the_store(application)
    return {
        **figures,
        "gates": {
            "tools/list": gate(figures["list"]["of_bare"], LIST_MAX),
            "a look-up": gate(figures["look_up"]["of_bare"], LOOK_UP_MAX),
        },
    }


def kept_names() -> Iterable[str]:
    return sorted(kept_results.NEEDED)


def from_the_store(application: Application) -> float:
    """The same look-up when nothing is kept of it."""
    taken = []
    for _ in range(ROUNDS):
        kept_results.kept.clear()
        began = time.process_time()
        call(application, "/api/mcp", LOOK_UP)
        taken.append((time.process_time() - began) * 1e6)
    return median(taken)


def gate(measured: float, most: float) -> dict[str, Any]:
    return {"measured": measured, "required": most, "holds": measured <= most}


def compared(application: Application, name: str, body: dict[str, Any]) -> dict[str, float]:
    ours, theirs = [], []
    for turn in range(ROUNDS + 1):
        pair = microseconds(application, "/api/mcp", body), microseconds(application, f"/bare/{name}", body)
        if turn:  # the first turn only warms up
            ours.append(pair[0])
            theirs.append(pair[1])
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    return {"ours_us": median(ours), "bare_us": median(theirs), "of_bare": median(ratios)}


def microseconds(application: Application, address: str, body: dict[str, Any]) -> float:
    began = time.process_time()
    for _ in range(CALLS):
        call(application, address, body)
    return (time.process_time() - began) / CALLS * 1e6


def call(application: Application, address: str, body: dict[str, Any]) -> bytes:
    """One POST; gives the body of the answer, which must be a 200."""
    sent = json.dumps(body).encode()
    started: list[str] = []
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": address,
        "QUERY_STRING": "",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "127.0.0.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_ACCEPT": "application/json, text/event-stream",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(sent)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(sent),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    answer = application(environ, lambda status, _headers, _failure=None: started.append(status))
    content = b"".join(answer)
    answer.close()
    if not started[0].startswith("200"):
        raise RuntimeError(f"{address} answered {started[0]}: {content[:200]!r}")
    return content
