"""Which addresses the HTTP client may reach.

Feeds and their redirects are hostile: a link to 169.254.169.254 or to a neighbour's database must never be followed. So
a host is resolved once, every address it has is checked, and the connection goes to an address that was checked.
"""

import queue
import re
import socket
import threading
from collections.abc import Callable, Sequence
from functools import partial
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

import httpx2

from knowledge.sources.errors import SourceError

# (host, port) -> numeric addresses, best first.
Resolver = Callable[[str, int], Sequence[str]]
_forbidden = partial(SourceError, "forbidden_address")

# What is not the open internet, from the IANA special-purpose registries (read 2026-11); Python's own is_private has
# changed between patch releases. Of IPv6 only 2000::/3 is open at all.
_GLOBAL_V6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_FORBIDDEN = [
    ip_network(block)
    for block in (
        *("0.0.0.0/8", "127.0.0.0/8"),  # "this host": the first reaches loopback on Linux
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"),  # private, carrier-grade NAT
        "169.254.0.0/16",  # link-local, cloud metadata
        *("192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.175.48.0/24"),
        *("192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),  # documentation, benchmarks
        *("224.0.0.0/4", "240.0.0.0/4"),  # multicast, reserved, broadcast
        # Protocol assignments (Teredo among them), documentation.
        *("2001::/23", "2001:db8::/32", "3fff::/20"),
        "2002::/16",  # 6to4 carries an IPv4 address of the writer's choice
    )
]

_WHILE_DEVELOPING = "while developing, FETCH_ALLOW_PRIVATE=true allows this machine and http"
_HOST_NAME = re.compile(r"[\w-]+(?:\.[\w-]+)*\.?")
# inet_aton also reads 2130706433, 0x7f.1 and 0177.0.0.1 as addresses; no source is named so.
_NUMERIC_LAST_LABEL = re.compile(r"(?:^|\.)(?:[0-9]+|0[xX][0-9a-fA-F]*)\.?$")
_DOTTED_QUAD = re.compile(r"^(?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})$")


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address belongs to the open internet; IPv4 inside IPv6 is judged as IPv4."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address in _NAT64:
            return is_public(IPv4Address(address.packed[-4:]))
        if address not in _GLOBAL_V6:
            return False
    return not any(address in block for block in _FORBIDDEN)


def is_loopback(address: IPv4Address | IPv6Address) -> bool:
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback


def check_url(url: httpx2.URL, *, allow_private: bool) -> None:
    """Refuse what may not even be resolved: other schemes, odd ports, user names, numbers dressed up as hosts.

    ``allow_private`` lets plain http and any port through, for replay servers; where they may stand is decided by
    ``checked_addresses``.
    """
    host = url.host
    if url.scheme not in ("https", "http"):
        raise _forbidden(f"the scheme {url.scheme!r} is not fetched")
    if url.userinfo:
        raise _forbidden("an address with a user name is not fetched")
    # IPv6 has colons, and a zone a percent sign.
    if "%" in host or not (":" in host or _HOST_NAME.fullmatch(host)):
        raise _forbidden("the address names no proper host")
    if _NUMERIC_LAST_LABEL.search(host) and not _DOTTED_QUAD.match(host) and ":" not in host:
        raise _forbidden(f"{host!r} is a number dressed up as a host")
    if allow_private:
        return
    if url.scheme != "https":
        raise _forbidden(f"only https is fetched; {_WHILE_DEVELOPING}")
    if url.port is not None and url.port not in (80, 443):
        raise _forbidden(f"port {url.port} is not fetched")


def checked_addresses(
    host: str, port: int, resolver: Resolver, timeout: float, *, allow_private: bool
) -> list[str]:
    """Numeric addresses of a host, every one of them allowed; raises ``SourceError`` dns or forbidden_address.

    One forbidden address condemns the host: an answer that mixes public and private ones is how rebinding begins.
    """
    addresses = _resolve(host, port, resolver, timeout)
    for text in addresses:
        address = ip_address(text)
        if not (is_public(address) or (allow_private and is_loopback(address))):
            raise _forbidden(
                f"{host} stands at {address}, which is not on the open internet; {_WHILE_DEVELOPING}"
            )
    return addresses


def system_resolver(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def _resolve(host: str, port: int, resolver: Resolver, timeout: float) -> list[str]:
    """getaddrinfo has no timeout of its own, so it runs in a thread that may be left behind."""
    answers: queue.SimpleQueue[list[str] | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put([str(ip_address(text)) for text in resolver(host, port)])
        except (OSError, ValueError) as error:  # ValueError: a name that IDNA cannot encode
            answers.put(error)

    threading.Thread(target=ask, name="resolve", daemon=True).start()
    try:
        answer = answers.get(timeout=max(timeout, 0.001))
    except queue.Empty:
        raise SourceError("dns", f"{host} was not resolved in time") from None
    if isinstance(answer, Exception) or not answer:
        raise SourceError("dns", f"{host} cannot be resolved")
    return answer
