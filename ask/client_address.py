"""Who asks, as far as limits need to know: one IPv4 address, or one IPv6 /64, which is what a household gets.

What a client writes into ``X-Forwarded-For`` stands on the left of what our own proxies append, so hops are counted
from the right and only as many as there are proxies of ours. Nothing here raises: an address that cannot be read
falls back to the connection's, and that one to a bucket that all such requests share.
"""

import ipaddress

from django.conf import settings
from django.http import HttpRequest

UNKNOWN = "unknown"  # a unix socket has no address
HOUSEHOLD_BITS = 64

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def client_address(request: HttpRequest) -> str:
    """The asker's address: an IPv4 address, an IPv6 network such as ``2001:db8::/64``, or ``unknown``."""
    connected = _parsed(request.META.get("REMOTE_ADDR", ""))
    forwarded = _forwarded(request.META.get("HTTP_X_FORWARDED_FOR", ""), settings.TRUSTED_PROXY_COUNT)
    return _household(forwarded or connected)


def _forwarded(header: str, proxies: int) -> Address | None:
    """The hop that the outermost of our proxies wrote; None when there are fewer hops than proxies."""
    hops = header.split(",") if header else []
    return _parsed(hops[-proxies]) if 0 < proxies <= len(hops) else None


def _parsed(written: str) -> Address | None:
    """An address as proxies write it: with a port, in brackets, with a zone; None when it is none."""
    host = written.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    # A dual-stack socket writes every IPv4 client as ::ffff:a.b.c.d, and all of those share one /64.
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _household(address: Address | None) -> str:
    if address is None:
        return UNKNOWN
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(ipaddress.ip_network((address, HOUSEHOLD_BITS), strict=False))
