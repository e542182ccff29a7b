"""What an operator hands to the MCP Registry: ``server.json``, from the settings alone."""

import re
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse

from mcpserver.identity import VERSION

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
DESCRIPTION = "Korean crypto knowledge with its sources, and a virtual city's daily archive. Free, no key."
TITLE_MAX = 100
# The registry's own pattern of what follows the slash.
NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]")
# RFC 1123: what a domain that somebody can prove to be theirs is made of. At least two labels, the last no number.
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
DOMAIN = re.compile(rf"(?:{LABEL}\.)+(?!\d+$){LABEL}")
PRIVATE = frozenset({"localhost", "local", "internal", "lan", "home", "corp", "test", "invalid"})


class NotForTheRegistry(ValueError):  # noqa: N818 - what the settings are
    """The settings describe no server that the registry would list; ``str()`` says which to change."""


def server_json() -> dict[str, Any]:
    """The file as a value; NotForTheRegistry where the settings are of no public server."""
    if settings.REHEARSAL:
        raise NotForTheRegistry("a rehearsal's records are invented and are not published (REHEARSAL is on)")
    if len(settings.SERVICE_NAME) > TITLE_MAX:
        raise NotForTheRegistry(f"SERVICE_NAME is longer than {TITLE_MAX} characters")
    return {
        "$schema": SCHEMA,
        "name": f"{_namespace(settings.BASE_URL)}/{_name(settings.SERVICE_SLUG)}",
        "title": settings.SERVICE_NAME,
        "description": DESCRIPTION,
        "version": VERSION,
        "websiteUrl": settings.BASE_URL,
        "remotes": [{"type": "streamable-http", "url": f"{settings.BASE_URL}{reverse('mcp')}"}],
    }


def _namespace(origin: str) -> str:
    """The host in reverse: the publisher proves that the domain is theirs."""
    parts = urlsplit(origin)
    host = (parts.hostname or "").rstrip(".")
    if parts.scheme != "https":
        raise NotForTheRegistry(f"the registry lists https addresses only: BASE_URL is {origin!r}")
    labels = host.split(".")
    if _is_address(host) or DOMAIN.fullmatch(host) is None or labels[-1] in PRIVATE:
        raise NotForTheRegistry(
            f"the server is named after a public domain, and BASE_URL is {origin!r}: set it to the address "
            "that clients reach, such as https://madang.example"
        )
    return ".".join(reversed(labels))


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _name(slug: str) -> str:
    if NAME.fullmatch(slug) is None:
        raise NotForTheRegistry(
            f"SERVICE_SLUG is {slug!r}; the registry takes two or more of letters, digits, '.', '_' and '-'"
        )
    return slug
