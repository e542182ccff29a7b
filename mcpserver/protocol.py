"""JSON-RPC 2.0 as MCP uses it: bytes to one message, results and errors to bytes. No Django, no database.

A body is refused before anything else looks at it when two readers could understand it differently (a key that
stands twice, a number beyond the doubles, a lone surrogate), the store could not hold it (NUL), or it is nested
without end.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Protocol

import orjson

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022
# Ours: HTTP's own numbers behind a prefix outside of what JSON-RPC and MCP reserve.
LIMITED = -31429
UNAVAILABLE = -31503

OLDEST, MIDDLE, STATELESS = "2025-06-18", "2025-11-25", "2026-07-28"
HANDSHAKE_VERSIONS = (MIDDLE, OLDEST)
SUPPORTED_VERSIONS = (STATELESS, *HANDSHAKE_VERSIONS)

BODY_MAX_BYTES = 256 * 1024
NESTING_MAX = 100  # levels; writing a value down again takes the interpreter's stack, a level for each
DROPPED_PIECES_MAX = 32  # of 256 KiB: 8 MiB
SAFE_INTEGER = 2**53 - 1  # an id beyond it does not survive a reader that has only doubles
ECHO_MAX_LENGTH = 60

RequestId = str | int
Result = dict[str, Any]


class RpcError(Exception):
    """A JSON-RPC error with the HTTP status it travels under.

    ``retry_after`` (seconds) becomes the header ``Retry-After`` and ``data.retryAfterSeconds``.
    """

    def __init__(
        self,
        code: int,
        message: str,
        *,
        status: int = 200,
        data: Mapping[str, Any] | None = None,
        retry_after: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.status = code, message, status
        self.data = dict(data or {})
        self.headers = dict(headers or {})
        if retry_after is not None:
            self.data["retryAfterSeconds"] = retry_after
            self.headers["Retry-After"] = str(retry_after)


@dataclass(frozen=True, slots=True)
class Request:
    """A message that is owed an answer."""

    id: RequestId
    method: str
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def meta(self) -> Mapping[str, Any]:
        """``params._meta`` where it is an object, else nothing."""
        found = self.params.get("_meta")
        return found if isinstance(found, dict) else {}


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def drop(source: Readable) -> int:
    """Read what is left of a body that is too long, at most 8 MiB, and say how much it was.

    It is likely to be on its way, and a client that is cut off while it sends never sees why.
    """
    pieces = (len(source.read(BODY_MAX_BYTES)) for _piece in range(DROPPED_PIECES_MAX))
    return sum(takewhile(bool, pieces))


def decode(body: bytes) -> Any:
    """The JSON value in ``body``; RpcError -32700 (400) where it is none, or not the same one to every reader."""
    try:
        orjson.loads(body)  # strict UTF-8: no BOM, no lone surrogate, no NaN, bounded nesting
        value = json.loads(body.decode(), object_pairs_hook=_without_repeats, parse_float=_finite)
        _require_plain(value)
    except (ValueError, RecursionError) as error:
        raise RpcError(
            PARSE_ERROR,
            "The body is not one JSON value in UTF-8 (each key once, finite numbers, no U+0000, at most "
            f"{NESTING_MAX} levels). "
            "Send one JSON-RPC 2.0 request object.",
            status=400,
        ) from error
    return value


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number beyond the doubles")
    return number


def _require_plain(value: Any) -> None:
    """Refuse U+0000 in a string, and lists and objects inside of each other to no end."""
    level = [value]
    for _depth in range(NESTING_MAX + 1):
        if any(isinstance(one, str) and "\0" in one for one in level):
            raise ValueError("U+0000 in a string")
        level = [part for one in level for part in _parts(one)]
        if not level:
            return
    raise ValueError("nested too deep")


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    return value if isinstance(value, list) else []


def message_of(value: Any) -> Request | None:
    """The request in a decoded body; None for what gets no answer (notifications, responses).

    Raises RpcError: -32600 (400) for a batch or anything that is no message, -32602 for params that are no object.
    """
    if isinstance(value, list):
        raise invalid_request("Batches are not part of this protocol: send one JSON-RPC message a request.")
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise invalid_request('Send one JSON object with "jsonrpc": "2.0", an "id" and a "method".')
    if "method" not in value and ("result" in value or "error" in value):
        return None
    method = value.get("method")
    if not isinstance(method, str):
        raise invalid_request('"method" must be a string such as "tools/list".')
    if "id" not in value:
        return None
    request_id = valid_id(value)
    if request_id is None:
        raise invalid_request('"id" must be a string or an integer (at most 2^53 - 1).')
    params = value.get("params", {})
    if not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, '"params" must be an object, for example {}.')
    return Request(request_id, method, params)


def valid_id(value: Any) -> RequestId | None:
    """The id of a decoded message, where it has one that an answer can carry."""
    found = value.get("id") if isinstance(value, dict) else None
    if isinstance(found, bool) or not isinstance(found, str | int):
        return None
    return found if isinstance(found, str) or abs(found) <= SAFE_INTEGER else None


def invalid_request(message: str, *, status: int = 400, **headers: str) -> RpcError:
    return RpcError(INVALID_REQUEST, message, status=status, headers=headers)


def encode_result(request_id: RequestId, result: Mapping[str, Any]) -> bytes:
    return orjson.dumps({"jsonrpc": "2.0", "id": request_id, "result": result})


def encode_error(request_id: RequestId | None, error: RpcError) -> bytes:
    said: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.data:
        said["data"] = error.data
    return orjson.dumps({"jsonrpc": "2.0", "id": request_id, "error": said})


def echo(value: object) -> str:
    """What a caller sent, as a message may repeat it: printable, at most 60 characters."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    flat = printable(text[:400])
    return flat if len(flat) <= ECHO_MAX_LENGTH else flat[: ECHO_MAX_LENGTH - 1] + "…"


def printable(text: str) -> str:
    """The text as one line without what is not to be seen in it."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
