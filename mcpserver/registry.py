"""The twelve tools: listed, and called.

What a caller got wrong about a tool's arguments comes back as a result with ``isError`` and a text that teaches
(``mcpserver.teaching``); what is not about them is a JSON-RPC error. Every call leaves one log line: tool, outcome,
milliseconds; never an argument.
"""

import logging
import time
from collections.abc import Mapping
from typing import Any

import orjson
from django.db import InterfaceError, OperationalError
from psycopg_pool import PoolTimeout

from knowledge.errors import Refusal
from mcpserver.kept import found, keep, key_of
from mcpserver.languages import speaking
from mcpserver.protocol import INVALID_PARAMS, LIMITED, UNAVAILABLE, Result, RpcError, echo
from mcpserver.teaching import Lesson, lesson_of
from mcpserver.tool import Caller, Record, Tool
from mcpserver.tools import TOOLS

logger = logging.getLogger("mcpserver.calls")

BY_NAME = {tool.name: tool for tool in TOOLS}
LISTING = [tool.listing() for tool in TOOLS]
# The list never changes while a process lives, so its bytes are made once and put into each answer as they are.
LISTING_JSON = orjson.Fragment(orjson.dumps(LISTING))
STORE_RETRY_SECONDS = 5
STORE_ERRORS = (OperationalError, InterfaceError, PoolTimeout)
FAILED = (
    "Something failed on our side; the arguments were not at fault. Try again later, or use another tool."
)


def listed(params: Mapping[str, Any]) -> orjson.Fragment:
    """``tools/list`` as ready JSON: all tools stand on one page, so no cursor is ever handed out."""
    if params.get("cursor") is not None:
        raise RpcError(
            INVALID_PARAMS, "This cursor is unknown: all tools stand on one page, leave cursor out."
        )
    return LISTING_JSON


def call(params: Mapping[str, Any], caller: Caller) -> Result:
    """``tools/call``. Raises RpcError for an unknown tool, arguments that are no object, and refusals by limits."""
    tool = _tool(params)
    began = time.monotonic()
    outcome = "failed"
    try:
        arguments = params.get("arguments", {})
        if not isinstance(arguments, dict):
            outcome = "invalid"
            raise RpcError(
                INVALID_PARAMS, f'"arguments" must be an object, for example {_json(tool.example)}.'
            )
        outcome, result = _outcome(tool, arguments, caller)
        return result
    except RpcError as error:
        outcome = {LIMITED: "limited", UNAVAILABLE: "unavailable"}.get(error.code, "invalid")
        raise
    finally:
        milliseconds = round((time.monotonic() - began) * 1000)
        fields = {"tool": tool.name, "outcome": outcome, "ms": milliseconds}
        logger.info("tool=%(tool)s outcome=%(outcome)s ms=%(ms)d", fields, extra=fields)


def _tool(params: Mapping[str, Any]) -> Tool:
    name = params.get("name")
    tool = BY_NAME.get(name) if isinstance(name, str) else None
    if tool is None:
        logger.info(
            "tool=unknown outcome=invalid ms=0", extra={"tool": "unknown", "outcome": "invalid", "ms": 0}
        )
        raise RpcError(
            INVALID_PARAMS,
            f'There is no tool "{echo(name)}": call tools/list for the names.',
            data={"tools": list(BY_NAME)},
        )
    return tool


def _outcome(tool: Tool, arguments: Mapping[str, Any], caller: Caller) -> tuple[str, Result]:
    """The word for the log, and the result. Raises RpcError where the tool may be refused and was."""
    lesson = lesson_of(tool, arguments)
    if lesson is not None:
        return "invalid", _failure(lesson.text(tool, arguments))
    given = tool.canonical(arguments)
    key = key_of(tool.name, given) if tool.keeps else None
    if (known := found(key)) is not None:
        return "kept", known
    try:
        with speaking(given):
            result = _success(tool.run(given, caller))
        keep(key, result)
        return "ok", result
    except Lesson as taught:
        return taught.outcome, _failure(taught.text(tool, arguments))
    except Refusal as refusal:
        caller.refusals.append(refusal)
        if tool.refuses and refusal.status_code in (429, 503):
            raise _refused(refusal) from refusal
        return "refused", _failure(_with_wait(refusal))
    except STORE_ERRORS as error:
        logger.warning("store unreachable: %s", type(error).__name__)
        return "unavailable", _failure(
            f"The store cannot be reached at the moment. Try again in {STORE_RETRY_SECONDS} seconds."
        )
    except Exception:
        logger.exception("tool %s failed", tool.name)
        return "failed", _failure(FAILED)


def _refused(refusal: Refusal) -> RpcError:
    """The refusal of a limit or a cap, under HTTP's own status."""
    code = LIMITED if refusal.status_code == 429 else UNAVAILABLE
    wait = refusal.retry_after if refusal.retry_after is not None else STORE_RETRY_SECONDS
    free = "Free here as well: search_answers, search and every other tool."
    message = f"{refusal.english} Retry after {wait} seconds. {free}"
    return RpcError(
        code, message, status=refusal.status_code, data={"reason": refusal.default_code}, retry_after=wait
    )


def _with_wait(refusal: Refusal) -> str:
    if refusal.retry_after is None:
        return refusal.english
    return f"{refusal.english} Try again in {refusal.retry_after} seconds."


def _success(record: Record) -> Result:
    return {
        "content": [{"type": "text", "text": _json(record)}],
        "structuredContent": record,
        "isError": False,
    }


def _failure(text: str) -> Result:
    return {"content": [{"type": "text", "text": text}], "isError": True}


def _json(record: Mapping[str, Any]) -> str:
    return orjson.dumps(record).decode()
