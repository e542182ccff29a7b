"""Canonical JSON: one value has one form, so that a hash of it means something.

Keys sorted by code point, no spaces, UTF-8 unescaped, no NaN or infinity, floats in their shortest exact form, no
final newline.
"""

import hashlib
import json
from typing import Any


def canonical_bytes(value: Any) -> bytes:
    """``value`` in canonical form. Raises ValueError for what has none (NaN, infinities, lone surrogates)."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8")


def sha256_hex(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def sha256_of(value: Any) -> str:
    """The hash of the canonical form."""
    return sha256_hex(canonical_bytes(value))
