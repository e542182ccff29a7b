"""2026-07-28: every request says its version and capabilities itself, in ``_meta`` and mirrored in headers."""

import base64
import binascii
import re
from collections.abc import Mapping

from mcpserver import registry
from mcpserver.identity import instructions, server_info
from mcpserver.protocol import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    STATELESS,
    SUPPORTED_VERSIONS,
    UNSUPPORTED_VERSION,
    Request,
    Result,
    RpcError,
    echo,
)
from mcpserver.tool import Caller

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"
METHODS = ("server/discover", "tools/list", "tools/call")
# The list of tools changes only when the service is deployed anew.
LIST_TTL_MS = 3_600_000
ENCODED = re.compile(r"=\?base64\?(.*)\?=")


class StatelessEra:
    """One request of the stateless era."""

    def __init__(self, version: str) -> None:
        self.version = version if version == STATELESS else ""

    def respond(self, request: Request, headers: Mapping[str, str], caller: Caller) -> Result:
        admit(request, headers)
        self.version = STATELESS
        try:
            result = self._result(request, caller)
        except RpcError as error:
            # In this era an error has the HTTP status of its kind, unless it has one already.
            if error.code == INVALID_PARAMS and error.status == 200:
                error.status = 400
            raise
        return {"resultType": "complete", **result, "_meta": {SERVER_INFO_KEY: server_info()}}

    def _result(self, request: Request, caller: Caller) -> Result:
        match request.method:
            case "server/discover":
                return cacheable(
                    {
                        "supportedVersions": list(SUPPORTED_VERSIONS),
                        "capabilities": {"tools": {}},
                        "instructions": instructions(),
                    }
                )
            case "tools/list":
                return cacheable({"tools": registry.listed(request.params)})
            case "tools/call":
                return registry.call(request.params, caller)
        raise RpcError(
            METHOD_NOT_FOUND,
            f'There is no method "{echo(request.method)}" in {STATELESS}; this server has {", ".join(METHODS)}.',
            status=404,
        )


def cacheable(result: Result) -> Result:
    return {**result, "ttlMs": LIST_TTL_MS, "cacheScope": "public"}


def admit(request: Request, headers: Mapping[str, str]) -> None:
    """Refuse a request whose envelope is incomplete, contradicts its headers or names another version."""
    header = headers.get("MCP-Protocol-Version", "")
    if VERSION_KEY not in request.meta and header and header != STATELESS:
        raise unsupported(header)
    missing = [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in request.meta]
    if missing:
        raise RpcError(
            INVALID_PARAMS,
            f"params._meta needs {' and '.join(missing)}: in {STATELESS} every request says its protocol version and "
            "client capabilities.",
            status=400,
        )
    version = request.meta[VERSION_KEY]
    if not isinstance(version, str) or not isinstance(request.meta[CAPABILITIES_KEY], dict):
        raise RpcError(
            INVALID_PARAMS,
            f"In params._meta {VERSION_KEY} must be a string and {CAPABILITIES_KEY} an object.",
            status=400,
        )
    _mirrored("MCP-Protocol-Version", header, version)
    _mirrored("Mcp-Method", headers.get("Mcp-Method"), request.method)
    if version != STATELESS:
        raise unsupported(version)
    if request.method == "tools/call" and isinstance(name := request.params.get("name"), str):
        _mirrored("Mcp-Name", decoded(headers.get("Mcp-Name")), name)


def _mirrored(header: str, sent: str | None, body: str) -> None:
    if sent != body:
        raise RpcError(
            HEADER_MISMATCH,
            f'The header {header} must repeat the body\'s "{echo(body)}"'
            + (f'; it says "{echo(sent)}".' if sent else "; it is missing."),
            status=400,
        )


def unsupported(version: str) -> RpcError:
    return RpcError(
        UNSUPPORTED_VERSION,
        f'Protocol version "{echo(version)}" is not supported; use {", ".join(SUPPORTED_VERSIONS)}.',
        status=400,
        data={"supported": list(SUPPORTED_VERSIONS), "requested": echo(version)},
    )


def decoded(value: str | None) -> str | None:
    """A header's value, out of ``=?base64?…?=`` where it is wrapped in it; None for a wrapping that does not read."""
    found = ENCODED.fullmatch(value) if value else None
    if found is None:
        return value
    try:
        raw = base64.b64decode(found[1], validate=True)
        return raw.decode() if base64.b64encode(raw).decode() == found[1] else None
    except (binascii.Error, ValueError):
        return None
