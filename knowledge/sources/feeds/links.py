"""Addresses of documents, and what makes two documents the same."""

import hashlib
import re
from collections.abc import Iterable
from urllib.parse import urljoin, urlsplit, urlunsplit

from knowledge.invisible import one_line, visible

MAX_URL_LENGTH = 1000
MAX_IDENTITY_LENGTH = 300

# Parameters that say how a reader came, not where to.
_TRACKING = re.compile(r"(?i)^(?:utm_.*|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|igshid|mc_[ce]id)$")
_HOST = re.compile(r"[\w.-]+|[0-9a-f:.]+")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def canonical_url(raw: str, base: str = "") -> str:
    """An absolute http(s) address with the host lowered and trackers and fragment dropped; empty when there is none.

    Addresses with a user name are refused: they are made to look like other sites.
    """
    text = visible(raw).strip()
    if not text:
        return ""
    try:
        parts = urlsplit(urljoin(base, text) if base else text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS or not _HOST.fullmatch(host) or parts.username is not None:
        return ""
    netloc = f"[{host}]" if ":" in host else host
    if port is not None and port != _DEFAULT_PORTS[scheme]:
        netloc = f"{netloc}:{port}"
    pairs = (pair for pair in parts.query.split("&") if not _TRACKING.match(pair.partition("=")[0]))
    url = urlunsplit((scheme, netloc, _encoded(parts.path) or "/", _encoded("&".join(pairs)), ""))
    return url if len(url) <= MAX_URL_LENGTH else ""


def _encoded(text: str) -> str:
    """Characters that end an address in text or markup, percent-encoded; everything else as it came."""
    return re.sub(
        r"[\s<>\"'`\\^{}|]", lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), text
    )


def identity(*names: str, said: Iterable[str] = ()) -> str:
    """A document's stable external id: the first name that says anything, else what it says; a long one as its hash."""
    name = next(filter(None, map(one_line, names)), "")
    if name and len(name) <= MAX_IDENTITY_LENGTH:
        return name
    text = name or "\0".join(said)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
