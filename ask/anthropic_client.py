"""The Anthropic Messages API: the only import of its SDK, which costs two seconds and 66 MB and so is made late.

``send`` hides the SDK, its retries and its environment variables. It gives a ``Received`` that was looked at field by
field, for a 200 may be a gateway's HTML or have holes; everything else is an ``UpstreamError`` that says whether the
call may have to be paid. No SDK object, which would carry the key, leaves this module.
"""

import functools
import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from celery.exceptions import SoftTimeLimitExceeded

from ask.ledger import Outcome
from ask.wire import AnswerTooLongError, Deadline, DeadlinePassedError, DeadlineTransport, Exchange

if TYPE_CHECKING:
    import anthropic

VENDOR_URL = "https://api.anthropic.com"
TOKENS_MAX = 10**9  # no request has more; larger figures are not figures
# The vendor does not bill these.
_FREE = frozenset({Outcome.REJECTED, Outcome.THROTTLED, Outcome.UNREACHED})
_THROTTLES = frozenset({429, 529})

Block = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the API is, and the key to it."""

    base_url: str
    api_key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer says it used; ``reported`` is the whole object, as prices read it."""

    input_tokens: int
    output_tokens: int
    web_searches: int
    reported: Mapping[str, Any] = field(repr=False)

    @property
    def is_possible(self) -> bool:
        """Whether it can be true: no request is read and no answer written without a token."""
        read = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        return self.output_tokens > 0 and any(self.reported.get(name) for name in read)


@dataclass(frozen=True, slots=True)
class Received:
    """A message of the model. ``content`` has objects with a ``type``; text blocks have a ``text``."""

    message_id: str
    model: str
    stop_reason: str
    content: tuple[Block, ...]
    usage: Usage

    @property
    def text(self) -> str:
        """The text blocks, joined; other blocks (thinking, tool use) say nothing to a reader."""
        return _storable("".join(block["text"] for block in self.content if block["type"] == "text"))


class UpstreamError(Exception):
    """A call without a usable answer. ``usage`` and ``model`` are there when the answer at least told them."""

    def __init__(
        self,
        outcome: Outcome,
        detail: str,
        *,
        status: int | None = None,
        usage: Usage | None = None,
        model: str = "",
    ) -> None:
        super().__init__(outcome.value, detail)
        self.outcome = outcome
        self.detail = detail
        self.status = status
        self.usage = usage
        self.model = model

    @property
    def is_free(self) -> bool:
        """Whether the vendor bills nothing for it."""
        return self.outcome in _FREE

    @property
    def may_pass(self) -> bool:
        """Whether the same request may succeed in a second."""
        return self.outcome == Outcome.THROTTLED


def send(request: Mapping[str, Any], endpoint: Endpoint, deadline: Deadline) -> Received:
    """Send one request, once, and give its answer before the deadline. Raises UpstreamError.

    A worker's soft time limit, which may be reached at any place in here, is raised as what it is.
    """
    exchange = Exchange(deadline)
    answer = _exchange(request, endpoint, exchange)
    # Raised outside any `except`, so that no exception of the SDK, with the key in its headers, travels along.
    if isinstance(answer, Exception):
        raise answer
    status, body = answer
    return read_message(body, status)


def _exchange(
    request: Mapping[str, Any], endpoint: Endpoint, exchange: Exchange
) -> tuple[int, bytes] | UpstreamError | SoftTimeLimitExceeded:
    sdk = _sdk()
    try:
        with (
            _client(endpoint, exchange) as client,
            client.messages.with_streaming_response.create(**request) as response,
        ):
            return response.status_code, b"".join(response.iter_bytes())
    except sdk.APIStatusError as error:
        return _status_error(error.status_code, error.type)
    except (
        Exception
    ) as error:  # the SDK and the wire under it raise more kinds than their documentation names
        # The SDK hides whatever is raised below it in an error of its own.
        if any(isinstance(one, SoftTimeLimitExceeded) for one in _causes(error)):
            return SoftTimeLimitExceeded()
        return _wire_error(error, exchange)


def _client(endpoint: Endpoint, exchange: Exchange) -> "anthropic.Anthropic":
    """A client for one exchange. Its own retries sleep for as long as a ``Retry-After`` says, and may bill twice."""
    seconds = exchange.deadline.within(None)
    http = _http().Client(transport=DeadlineTransport(exchange), timeout=seconds, trust_env=False)
    client: anthropic.Anthropic = _sdk().Anthropic(
        api_key=endpoint.api_key,
        base_url=endpoint.base_url,
        timeout=seconds,
        max_retries=0,
        http_client=http,
        open_telemetry=False,
    )
    return client


def load() -> None:
    """Import the SDK now."""
    _sdk()


@functools.cache
def _sdk() -> Any:
    import anthropic

    # At debug level, which ANTHROPIC_LOG can set, it logs requests with the questions in them.
    logging.getLogger("anthropic").setLevel(logging.WARNING)
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    return anthropic


@functools.cache
def _http() -> Any:
    import httpx2

    return httpx2


def _status_error(status: int, kind: object) -> UpstreamError:
    outcome = Outcome.REJECTED if 400 <= status < 500 else Outcome.FAILED
    if status in _THROTTLES:
        outcome = Outcome.THROTTLED
    # The message may quote the request; the kind is one of a dozen words.
    word = kind if isinstance(kind, str) and kind.replace("_", "").isalpha() and len(kind) < 40 else "unnamed"
    return UpstreamError(outcome, f"HTTP {status} {word}", status=status)


def _wire_error(error: BaseException, exchange: Exchange) -> UpstreamError:
    chain = list(_causes(error))
    names = ", ".join(dict.fromkeys(type(one).__name__ for one in chain))
    if not exchange.request_sent:
        return UpstreamError(Outcome.UNREACHED, names)
    if any(isinstance(one, AnswerTooLongError) for one in chain):
        return UpstreamError(Outcome.UNREADABLE, names)
    late = any(isinstance(one, DeadlinePassedError | TimeoutError) or _is_timeout(one) for one in chain)
    return UpstreamError(Outcome.TIMED_OUT if late else Outcome.CUT, names)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _is_timeout(error: BaseException) -> bool:
    return any(base.__name__ in ("TimeoutException", "APITimeoutError") for base in type(error).__mro__)


def read_message(body: bytes, status: int = 200) -> Received:
    """The message in a 2xx body. Raises UpstreamError: unreadable, with the usage where that can be read."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        raise UpstreamError(Outcome.UNREADABLE, "no JSON", status=status) from None
    if not isinstance(message, dict):
        raise UpstreamError(Outcome.UNREADABLE, "no object", status=status)
    usage = _usage(message.get("usage"))
    model = _word(message.get("model"))
    content = _content(message.get("content"))
    stop_reason = _word(message.get("stop_reason"))
    shaped = message.get("type") == "message" and message.get("role") == "assistant"
    if usage is None or content is None or not (shaped and stop_reason):
        raise UpstreamError(Outcome.UNREADABLE, "no message", status=status, usage=usage, model=model)
    return Received(_word(message.get("id")), model, stop_reason, content, usage)


def _word(value: object, longest: int = 80) -> str:
    return _storable(value)[:longest] if isinstance(value, str) else ""


def _storable(value: str) -> str:
    """Without what JSON can escape and Postgres cannot hold: NUL and halves of surrogate pairs."""
    return value.replace("\x00", "").encode(errors="ignore").decode()


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    tokens = _count(value.get("input_tokens")), _count(value.get("output_tokens"))
    tools = value.get("server_tool_use")
    searches = _count(tools.get("web_search_requests") or 0) if isinstance(tools, dict) else 0
    if tokens[0] is None or tokens[1] is None or searches is None:
        return None
    return Usage(tokens[0], tokens[1], searches, value)


def _count(value: object) -> int | None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and isinstance(value, int) and 0 <= value <= TOKENS_MAX else None


def _content(value: object) -> tuple[Block, ...] | None:
    if not isinstance(value, list):
        return None
    for block in value:
        if not isinstance(block, dict) or not isinstance(block.get("type"), str):
            return None
        if block["type"] == "text" and not isinstance(block.get("text"), str):
            return None
    return tuple(value)
