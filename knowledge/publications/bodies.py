"""A body as it is stored: its bytes in each encoding and the validators that go with them."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import brotli
from django.utils.http import http_date

# Above these the time grows faster than the bytes shrink (measured on 10 MB of index: 0.5 s for both).
GZIP_LEVEL = 6
BROTLI_QUALITY = 5
ETAG_HEX_DIGITS = 32
# Best first; a client that likes two codings equally gets the earlier.
CODINGS = ("br", "gzip", "identity")
ETAG_SUFFIXES = {"br": "-br", "gzip": "-gz", "identity": ""}


@dataclass(frozen=True, slots=True)
class Variant:
    """One encoding of a body. ``etag`` is strong and quoted, and names these very bytes."""

    coding: str
    content: bytes
    etag: str


@dataclass(frozen=True, slots=True)
class StoredBody:
    """A publication in memory. ``last_modified`` is whole seconds since 1970."""

    name: str
    version: int
    content_type: str
    count: int
    etag: str
    built_at: datetime
    last_modified: int
    http_last_modified: str
    variants: Mapping[str, Variant]


def etag_of(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:ETAG_HEX_DIGITS]


def encoded(body: bytes, coding: str) -> bytes:
    """``body`` in one of CODINGS; without a timestamp, so that equal bodies give equal bytes in every process."""
    if coding == "gzip":
        return gzip.compress(body, GZIP_LEVEL, mtime=0)
    return brotli.compress(body, quality=BROTLI_QUALITY) if coding == "br" else body


def compressed(body: bytes) -> tuple[bytes, bytes]:
    """``(gzip, br)``."""
    return encoded(body, "gzip"), encoded(body, "br")


def stored_body(
    name: str,
    version: int,
    content_type: str,
    count: int,
    etag: str,
    built_at: datetime,
    contents: Mapping[str, bytes],
) -> StoredBody:
    """``contents`` maps each coding that may be asked for to its bytes."""
    last_modified = int(built_at.timestamp())
    return StoredBody(
        name=name,
        version=version,
        content_type=content_type,
        count=count,
        etag=etag,
        built_at=built_at,
        last_modified=last_modified,
        http_last_modified=http_date(last_modified),
        variants={
            coding: Variant(coding, contents[coding], f'"{etag}{ETAG_SUFFIXES[coding]}"')
            for coding in CODINGS
            if coding in contents
        },
    )
