"""R2 and R1: /openapi.json tried against the service. No server error, and no answer that it does not describe."""

import random
import resource
from collections import Counter
from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import CHECKS, load_all_checks

from feeds.openapi import described
from tests.factories.world import World

# The WSGI transport does not unpack what it asks for.
PLAIN = {"Host": "localhost", "Accept-Encoding": "identity"}
LEAN, FULL = 150, 1_000
MALFORMED = 5_000
pytestmark = pytest.mark.usefixtures("one_transaction")
load_all_checks()
TRUTHS = CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
    ]
)
# Slugs of the world: a generated one would never meet anything.
KNOWN = ["marucoin", "maru-premium", "do-yeonwoo", "maru-ledger", "2026-03-maru-listing", "maru-rate"]


def cases() -> st.SearchStrategy[Any]:
    """Requests of every operation: as described, and against the description."""
    schema = schemathesis.openapi.from_dict(described.document())
    schema.app = get_wsgi_application()
    strategies = []
    for result in schema.get_all_operations():
        operation = result.ok()
        strategies.append(operation.as_strategy(schemathesis.GenerationMode.POSITIVE))
        if any(operation.iter_parameters()) or operation.body:
            strategies.append(operation.as_strategy(schemathesis.GenerationMode.NEGATIVE))
    return st.one_of(strategies)


def try_out(examples: int) -> Counter[int]:
    """Put ``examples`` cases to the service; gives how often each status was answered."""
    answered: Counter[int] = Counter()

    @given(case=cases(), slug=st.none() | st.sampled_from(KNOWN))
    @settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def put(case: Any, slug: str | None) -> None:
        if slug and "slug" in case.path_parameters:
            case.path_parameters["slug"] = slug
        if slug and "id" in case.path_parameters:
            case.path_parameters["id"] = f"asset:{slug}"
        response = case.call_and_validate(checks=TRUTHS, headers=PLAIN)
        answered[response.status_code] += 1

    put()
    return answered


def test_answers_are_as_described(world: World) -> None:
    answered = try_out(LEAN)
    assert answered.total() >= LEAN
    assert answered.keys() >= {200, 400, 404}


@pytest.mark.soak
def test_a_thousand_answers_are_as_described(world: World) -> None:
    answered = try_out(FULL)
    assert answered.total() >= FULL
    assert answered.keys() >= {200, 400, 404}


def malformed(dice: random.Random, paths: list[str]) -> dict[str, Any]:
    """A request that no program of good will sends."""
    junk = "".join(chr(dice.choice([0, 9, 37, 46, 47, 59, 92, 127, 233, 255, 60, 34])) for _ in range(9))
    path = dice.choice(
        [*paths, "/" + quote(junk), f"/asset/{quote(junk)}", "/%ff%fe", "//x", "/" + "a" * 3000, "/..%2f"]
    )
    query = dice.choice(
        [
            "",
            "q=%00",
            "hours=" + "9" * 400,
            "days=-1",
            "date=0000-00-00",
            "q[]=1",
            "%",
            "&&=",
            "q=" + "%EA%B0%80" * 900,
        ]
    )
    body = dice.choice(
        [b"", b"{", b"\xff\xfe", b'{"question":1e999}', b"[" * 3000, junk.encode(), b"a=1&" * 500]
    )
    headers = {
        "HTTP_ACCEPT_ENCODING": dice.choice(["", "*;q=0", "identity;q=0,*;q=0", "gzip;q=x", junk]),
        "HTTP_IF_NONE_MATCH": dice.choice(["", "*", '"', 'W/"a', junk]),
        "HTTP_IF_MODIFIED_SINCE": dice.choice(["", "never", "Thu, 99 Foo 0000", junk]),
        "HTTP_ACCEPT_LANGUAGE": dice.choice(["", "ko;q=nan", "x" * 700, junk]),
        "HTTP_AUTHORIZATION": dice.choice(["", "Bearer", "Basic =", junk]),
        "HTTP_COOKIE": dice.choice(["", "sessionid=x", "=;=", junk]),
        "HTTP_HOST": dice.choice(["testserver", "testserver", "testserver", "evil.example", "a b", ""]),
        "HTTP_RANGE": dice.choice(["", "bytes=-1", "bytes=9-1"]),
        "HTTP_X_FORWARDED_FOR": dice.choice(["", "1.2.3", "::1, ::2", junk]),
        "CONTENT_LENGTH": dice.choice([str(len(body)), str(len(body)), "0", "-1", "x"]),
    }
    method = dice.choice(["GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW", "TRACE"])
    kind = dice.choice(["application/json", "text/xml", "multipart/form-data", "", junk])
    return {
        "method": method,
        "path": path,
        "data": body,
        "content_type": kind,
        "QUERY_STRING": query,
        "headers": headers,
    }


def refused(count: int) -> Counter[int]:
    dice = random.Random(11)
    paths = [
        *described.document()["paths"],
        "/",
        "/ask",
        "/search",
        "/city",
        "/asset/marucoin",
        "/admin/login/",
    ]
    client = Client(raise_request_exception=False)
    answered: Counter[int] = Counter()
    for _ in range(count):
        sent = malformed(dice, paths)
        headers = {name: value for name, value in sent.pop("headers").items() if value}
        response = client.generic(**sent, **headers)
        # 503 is the honest word for a model or a place that is not to be had.
        assert response.status_code < 500 or response.status_code == 503, (sent, headers)
        answered[response.status_code] += 1
    return answered


def test_malformed_requests_are_refused_and_nothing_breaks(world: World) -> None:
    assert refused(400).keys() >= {200, 400, 404, 405}


@pytest.mark.soak
def test_five_thousand_malformed_requests_leave_nothing_behind(world: World) -> None:
    refused(1_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused(MALFORMED)
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < 50
