"""Loads the starter canon, or any file of the same form, into the knowledge base.

A file is a JSON object with any of ``units``, ``redirects``, ``personas``, ``sources``; see ``README.md`` here for
the records. Loading is idempotent and one transaction a call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import DatabaseError, OperationalError, transaction

from knowledge import curation
from knowledge.canon import units
from knowledge.canon.records import Counts, Form, UpsertResult, upsert_unless_edited
from knowledge.models import Entity, Persona, PersonaPost, Source, Status, Unit, UnitType

STARTER_FILES = (
    "assets.json",
    "organisations.json",
    "people.json",
    "topics.json",
    "creators.json",
    "personas.json",
    "events.json",
    "sources.json",
)


class CanonError(ValueError):
    """A canon file that cannot be loaded; the message names the file, the record and the fix."""


# What an invalid record raises: by its form, or by the database's constraints.
_WRONG_RECORD = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    ValidationError,
    DatabaseError,
    curation.CurationError,
    ObjectDoesNotExist,
)


def starter_paths() -> list[Path]:
    return [Path(__file__).parent / name for name in STARTER_FILES]


def read(path: Path) -> dict[str, Any]:
    """The parsed file. Raises CanonError when it is not a JSON object."""
    try:
        data = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise CanonError(f"{path.name}: {error}") from error
    if not isinstance(data, dict):
        raise CanonError(f"{path.name}: the file must hold a JSON object")
    return data


@transaction.atomic
def load(files: Iterable[Mapping[str, Any]], *, now: datetime) -> dict[str, Counts]:
    """Load parsed canon files; counts by kind of record. Raises CanonError and stores nothing on a bad record."""
    files = list(files)
    counts: dict[str, Counts] = {"units": Counter(), "redirects": Counter(), "personas": Counter()}
    counts |= {"posts": Counter(), "sources": Counter()}
    present = units.present_units()
    for record in _records(files, "units"):
        counts["units"][_guard(units.load, record, present)] += 1
    for record in _records(files, "redirects"):
        counts["redirects"][_guard(_load_redirect, record, present, now)] += 1
    for record in _records(files, "personas"):
        counts["personas"][_guard(_load_persona, record, present)] += 1
        for post in record.get("posts", []):
            counts["posts"][_guard(_load_post, post, record["slug"])] += 1
    for record in _records(files, "sources"):
        counts["sources"][_guard(_load_source, record)] += 1
    return counts


def _records(files: Iterable[Mapping[str, Any]], key: str) -> list[Mapping[str, Any]]:
    return [record for file in files for record in file.get(key, [])]


def _guard(step: Any, record: Mapping[str, Any], *rest: Any) -> UpsertResult:
    """Run one record's loading; whatever is wrong with it is said with its slug."""
    if not isinstance(record, dict):
        raise CanonError(f"a record must be a JSON object, not {type(record).__name__}")
    try:
        outcome: UpsertResult = step(record, *rest)
    except OperationalError:
        raise
    except _WRONG_RECORD as error:
        raise CanonError(f"{record.get('slug', '?')}: {type(error).__name__}: {error}") from error
    return outcome


def _load_redirect(record: Mapping[str, Any], present: Mapping[str, Unit], now: datetime) -> UpsertResult:
    """A unit that only leads to another, as a renamed asset does."""
    survivor = units.resolve(record["into"])
    known = present.get(units.public_id_of(record))
    if known is not None:
        return UpsertResult.UNCHANGED if known.merged_into_id else UpsertResult.KEPT
    units.load(record, present)
    curation.merge(units.resolve(units.public_id_of(record)), survivor, now=now, note="canon")
    return UpsertResult.CREATED


def _load_persona(record: Mapping[str, Any], present: Mapping[str, Unit]) -> UpsertResult:
    units.load({**record, "type": UnitType.CREATOR}, present)
    entity = Entity.objects.get(prefix="creator", slug=record["slug"])
    fields = ("glyph", "voice", "disclosure", "disclosure_en")

    def write(known: Persona | None, form: Form, mark: str) -> None:
        persona = known or Persona(entity=entity)
        for name in fields:
            setattr(persona, name, form[name])
        persona.canon_sha256 = mark
        persona._change_reason = units.REASON  # type: ignore[attr-defined]
        persona.full_clean()
        persona.save()

    return upsert_unless_edited(
        Persona.objects.filter(entity_id=entity.pk).first(),
        {name: record[name] for name in fields},
        read=lambda persona: {name: getattr(persona, name) for name in fields},
        write=write,
    )


def _load_post(record: Mapping[str, Any], persona_slug: str) -> UpsertResult:
    persona = Persona.objects.get(entity__slug=persona_slug)

    def write(present: PersonaPost | None, form: Form, mark: str) -> None:
        post = present or PersonaPost(persona=persona, slug=record["slug"], status=Status.PUBLISHED)
        post.body = form["body"]
        post.published_at = datetime.fromisoformat(form["published_at"])
        post.canon_sha256 = mark
        post.save()
        post.units.set(units.resolve(public_id) for public_id in form["units"])

    return upsert_unless_edited(
        PersonaPost.objects.filter(persona=persona, slug=record["slug"]).first(),
        {
            "body": record["body"],
            "units": sorted(record["units"]),
            "published_at": units.instant(record["published_at"]),
        },
        read=lambda post: {
            "body": post.body,
            "units": sorted(unit.public_id for unit in post.units.all()),
            "published_at": units.instant(post.published_at.isoformat()),
        },
        write=write,
    )


SOURCE_DEFAULTS: dict[str, Any] = {
    "homepage": "",
    "lang": "ko",
    "naive_timezone": "",
    "settings": {},
    "key_setting": "",
    "crypto": False,
    "primary": False,
    "requires_unit": False,
    "interval_minutes": 15,
}
SOURCE_FIELDS = ("name", "kind", "adapter", "url", *SOURCE_DEFAULTS)


def _load_source(record: Mapping[str, Any]) -> UpsertResult:
    def write(present: Source | None, form: Form, mark: str) -> None:
        # The switch belongs to operators: the file sets it once, when the source is new.
        source = present or Source(slug=record["slug"], enabled=record.get("enabled", True))
        for name in SOURCE_FIELDS:
            setattr(source, name, form[name])
        source.creator = units.resolve(form["creator"]) if form["creator"] else None
        source.canon_sha256 = mark
        source.full_clean()
        source.save()

    return upsert_unless_edited(
        Source.objects.filter(slug=record["slug"]).select_related("creator").first(),
        {
            **{name: record.get(name, default) for name, default in SOURCE_DEFAULTS.items()},
            **{name: record[name] for name in ("name", "kind", "adapter", "url")},
            "creator": record.get("creator") or "",
        },
        read=lambda source: {
            **{name: getattr(source, name) for name in SOURCE_FIELDS},
            "creator": source.creator.public_id if source.creator else "",
        },
        write=write,
    )
