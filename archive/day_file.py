"""The day file: put together, taken apart, and proved. Pure but for the settings' names and addresses."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.conf import settings

from archive.canonical import canonical_bytes, sha256_hex, sha256_of
from archive.city_inputs import Inputs, numbers_of
from knowledge.licence import LICENCE, attribution
from knowledge.times import iso_kst

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Previous:
    """The newest file before a day: its first revision's hash links the chain."""

    day: date
    sha256: str


@dataclass(frozen=True, slots=True)
class DayParts:
    """All that goes into one file."""

    day: date
    sealed_at: datetime
    status: str
    late: bool
    rehearsal: bool
    signals: list[dict[str, Any]]
    inputs: Inputs
    context: dict[str, Any]
    state: dict[str, Any]
    notable: list[Any]
    reflection: dict[str, Any]
    previous: Previous | None
    revision: int = 1
    supersedes: dict[str, Any] | None = None


def document_of(parts: DayParts) -> dict[str, Any]:
    """The day file as a value."""
    state = parts.state
    return {
        "schemaVersion": SCHEMA_VERSION,
        "rulesVersion": state["rulesVersion"],
        "date": parts.day.isoformat(),
        "revision": parts.revision,
        **({"supersedes": parts.supersedes} if parts.supersedes else {}),
        "sealedAt": iso_kst(parts.sealed_at),
        "status": parts.status,
        "late": parts.late,
        "rehearsal": parts.rehearsal,
        "site": settings.CITY_URL,
        "license": LICENCE,
        "attribution": attribution(f"{settings.CITY_URL}/city/{parts.day.isoformat()}"),
        "signals": parts.signals,
        "inputs": parts.inputs.norms_json(),
        "context": parts.context,
        "city": state["city"],
        "districts": state["districts"],
        "notable": parts.notable,
        "delta": state["delta"],
        "reflection": parts.reflection,
        "integrity": {
            "stateSha256": sha256_of(state),
            "prevDate": parts.previous.day.isoformat() if parts.previous else None,
            "prevSha256": parts.previous.sha256 if parts.previous else None,
        },
    }


def state_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a file that the rules made, as ``city.derive`` gives it."""
    return {key: document[key] for key in ("rulesVersion", "date", "city", "districts", "delta")}


def row_of(content: bytes) -> dict[str, Any]:
    """The fields of a file's ``Snapshot`` row, from the file alone. ValueError for what is no day file."""
    document = parse(content)
    return {
        "status": document["status"],
        "late": document["late"],
        "rehearsal": document["rehearsal"],
        "size": len(content),
        "sha256": sha256_hex(content),
        "sealed_at": datetime.fromisoformat(document["sealedAt"]),
        "facts": {
            "state": state_of(document),
            "heard": {
                entry["service"]: numbers_of(entry["service"], entry["raw"])
                for entry in document["signals"]
                if entry["state"] == "ok"
            },
            "reflection": document["reflection"]["text"],
        },
    }


def parse(content: bytes) -> dict[str, Any]:
    """A file's bytes as a value; ValueError unless they are canonical JSON."""
    document = json.loads(content)
    if not isinstance(document, dict) or canonical_bytes(document) != content:
        raise ValueError("not in canonical form")
    return document
