"""The revisions of the protocol that this server speaks, each era in a module of its own."""

from collections.abc import Mapping
from typing import Protocol

from mcpserver.eras import handshake, stateless
from mcpserver.protocol import HANDSHAKE_VERSIONS, STATELESS, Request, Result
from mcpserver.tool import Caller


class Era(Protocol):
    """``version`` is what the answer's header says, empty where the client did not say and none was agreed."""

    @property
    def version(self) -> str: ...

    def respond(self, request: Request, headers: Mapping[str, str], caller: Caller) -> Result:
        """The result of a request; RpcError where there is none."""
        ...


def era_of(request: Request, headers: Mapping[str, str]) -> Era:
    """Which revision a request speaks.

    The stateless one is known by its header or by the version in ``_meta``. ``initialize`` belongs to the handshake
    under any other header, since negotiating is what it is for; another unknown version is refused by the stateless
    era, whose error names what is supported.
    """
    version = headers.get("MCP-Protocol-Version", "")
    if stateless.VERSION_KEY in request.meta or version == STATELESS:
        return stateless.StatelessEra(version)
    if not version or version in HANDSHAKE_VERSIONS or request.method == "initialize":
        return handshake.HandshakeEra(version)
    return stateless.StatelessEra(version)
