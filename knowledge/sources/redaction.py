"""Keys of sources never reach a log line, an exception or a stored row."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

MASK = "***"
# Shorter values would blot out half of an ordinary message; no key of ours is that short.
_SHORTEST_SECRET = 4
_KEY_PARAMETER = re.compile(r"(?i)\b((?:api|auth|service|access)?_?-?(?:key|token|secret))=[^&\s\"'#]+")


class Redaction:
    """``hide(text)`` with every known secret, and every parameter that is called a key, masked."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms = {
            form
            for secret in secrets
            if len(secret) >= _SHORTEST_SECRET
            for form in (secret, quote(secret, safe=""), quote_plus(secret))
        }
        self._forms = sorted(forms, key=len, reverse=True)

    def hide(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, MASK)
        return _KEY_PARAMETER.sub(rf"\1={MASK}", text)
