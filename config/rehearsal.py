"""What every response of a rehearsed world says: these records are invented.

All public bodies pass here, whoever made them: JSON objects get ``"rehearsal": true`` first, pages a band. Installed by
``config.middleware.PublicHeaders`` where ``REHEARSAL`` is set, and nowhere else.
"""

import gzip
import re
from collections.abc import Callable, Iterable, Iterator

import brotli
import orjson
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from knowledge.publications.bodies import encoded

MARK = b'"rehearsal":true'
# An OpenAPI document takes no keys but its own and those that begin so.
OPENAPI_PATH, OPENAPI_MARK = "/openapi.json", b'"x-rehearsal":true'
# JSON-RPC fixes the keys of its envelope; MCP says it in its instructions.
UNMARKED = frozenset({"/api/mcp", "/api/mcp/"})
JSON = re.compile(r"application/(?:[a-z.-]+\+)?json\b")
BODY = re.compile(rb"<body[^>]*>")
ENGLISH = re.compile(rb'<html[^>]*\slang="en')
DECODED: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.decompress, "br": brotli.decompress, "": bytes}
BANDS = {
    False: '<aside class="invented" aria-label="연습용 데이터"><p>연습용 데이터입니다. '
    "시세·뉴스·사건·글은 모두 지어낸 것이며 실제와 관계가 없습니다.</p></aside>",
    True: '<aside class="invented" aria-label="Rehearsal data"><p>Rehearsal data: every price, story, event and post '
    "here is invented.</p></aside>",
}  # fmt: skip


class RehearsalLabels:
    """``X-Robots-Tag``, the band and the key."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = request.method
        if asked == "HEAD":  # its length is that of the body that a GET would bring
            request.method = "GET"
        try:
            response = self.get_response(request)
        finally:
            request.method = asked
        response.headers["X-Robots-Tag"] = "noindex"
        return labelled(response, request.path_info)


def labelled(response: HttpResponse, path: str) -> HttpResponse:
    """The response with its label, where it has a body that can carry one."""
    kind = response.headers.get("Content-Type", "")
    if kind.startswith("text/html"):
        _rewrite(response, with_band)
    elif JSON.match(kind) and path not in UNMARKED:
        mark = OPENAPI_MARK if path == OPENAPI_PATH else MARK
        _rewrite(response, lambda body: with_mark(body, mark))
    return response


def with_band(page: bytes) -> bytes:
    band = BANDS[ENGLISH.search(page[:1000]) is not None].encode()
    return BODY.sub(lambda found: found[0] + b"\n" + band, page, count=1)


def with_mark(body: bytes, mark: bytes = MARK) -> bytes:
    """A JSON object with the mark as its first key; a day's file, which has it already, stays as it was sealed."""
    start = body.lstrip()[:1]
    if start != b"{" or (b'"rehearsal":true' in body and orjson.loads(body).get("rehearsal") is True):
        return body
    opened = body.index(b"{") + 1
    rest = body[opened:].lstrip()
    comma = b"" if rest.startswith(b"}") else b","
    return body[:opened] + mark + comma + body[opened:]


def _rewrite(response: HttpResponseBase, change: Callable[[bytes], bytes]) -> None:
    if getattr(response, "streaming", False):
        response.streaming_content = _first_changed(response.streaming_content, change)  # type: ignore[attr-defined]
        del response.headers["Content-Length"]
        return
    assert isinstance(response, HttpResponse)
    coding = response.headers.get("Content-Encoding", "")
    if not response.content:
        return
    response.content = encoded(change(DECODED[coding](response.content)), coding)
    response.headers["Content-Length"] = str(len(response.content))


def _first_changed(chunks: Iterable[bytes], change: Callable[[bytes], bytes]) -> Iterator[bytes]:
    """A stream begins with the opening of its object, which is all that changes."""
    for number, chunk in enumerate(chunks):
        yield chunk if number else change(chunk)
