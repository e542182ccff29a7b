"""2025-06-18 and 2025-11-25: ``initialize`` first, then requests that say the agreed version in a header.

Nothing is kept between requests, so a client that skips the handshake is served as well.
"""

from collections.abc import Mapping

from mcpserver import registry
from mcpserver.identity import instructions, server_info
from mcpserver.protocol import (
    HANDSHAKE_VERSIONS,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    OLDEST,
    Request,
    Result,
    RpcError,
    echo,
)
from mcpserver.tool import Caller

METHODS = ("initialize", "ping", "tools/list", "tools/call")


class HandshakeEra:
    """One request of the handshake era; ``version`` follows the header, or what ``initialize`` agrees on."""

    def __init__(self, version: str) -> None:
        self.version = version if version in HANDSHAKE_VERSIONS else ""

    def respond(self, request: Request, headers: Mapping[str, str], caller: Caller) -> Result:
        match request.method:
            case "initialize":
                return self._initialize(request)
            case "ping":
                return {}
            case "tools/list":
                return {"tools": registry.listed(request.params)}
            case "tools/call":
                return registry.call(request.params, caller)
        raise RpcError(
            METHOD_NOT_FOUND,
            f'There is no method "{echo(request.method)}" here; this server has {", ".join(METHODS)}.',
        )

    def _initialize(self, request: Request) -> Result:
        asked = request.params.get("protocolVersion")
        if not isinstance(asked, str):
            raise RpcError(INVALID_PARAMS, f'"protocolVersion" must be a string such as "{OLDEST}".')
        self.version = asked if asked in HANDSHAKE_VERSIONS else OLDEST
        return {
            "protocolVersion": self.version,
            "capabilities": {"tools": {}},
            "serverInfo": server_info(),
            "instructions": instructions(),
        }
