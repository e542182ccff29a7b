"""Loads the starter canon, or any file of the same form, into the knowledge base.

A file is a JSON object with any of ``units``, ``reader_questions``, ``redirects``, ``personas``, ``relations``,
``sources``, ``markets``, ``series``; see ``README.md`` here for the records. Loading is idempotent and one
transaction a call.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import orjson
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import DatabaseError, OperationalError, transaction
from django.forms.models import model_to_dict

from knowledge import curation
from knowledge.canon import units
from knowledge.canon.records import Counts, Form, UpsertResult, upsert_unless_edited, write_fields
from knowledge.models import (
    Entity,
    Market,
    Persona,
    PersonaPost,
    Relation,
    Series,
    SeriesPattern,
    Source,
    Status,
    Unit,
    UnitType,
    Venue,
)
from knowledge.receivers import gathered_relinking
from knowledge.series import declarations, markets
from knowledge.times import moment

# Events speak of units and personas of creators, so those come first.
STARTER_FILES = (
    "assets",
    "organisations",
    "people",
    "topics",
    "creators",
    "questions_assets",
    "questions_organisations",
    "questions_people",
    "questions_topics",
    "questions_creators",
    "questions_events",
    "personas",
    "relations",
    "events",
    "sources",
    "markets",
    "series",
)
RELATION_FIELDS = ("ended", "reference", "withdrawn")
PERSONA_FIELDS = ("glyph", "voice", "disclosure", "disclosure_en")
SOURCE_FIELDS = (
    *("name", "kind", "adapter", "url", "homepage", "lang", "naive_timezone", "settings", "key_setting"),
    *("crypto", "primary", "requires_unit", "interval_minutes"),
)


class CanonError(ValueError):
    """A canon file that cannot be loaded; the message names the file, the record and the fix."""


# What an invalid record raises: by its form, or by the database's constraints and the rules of curation.
_WRONG_FORM = (KeyError, TypeError, ValueError, AttributeError, ValidationError)
_REFUSED = (DatabaseError, curation.CurationError, ObjectDoesNotExist)


def starter_paths() -> list[Path]:
    return [Path(__file__).parent / f"{name}.json" for name in STARTER_FILES]


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
    """Load parsed canon files; counts by kind of record. Raises CanonError and stores nothing on a bad record.

    Stored documents are linked again, once, where names are new or changed.
    """
    with gathered_relinking():
        return _load(list(files), now)


def _load(files: Sequence[Mapping[str, Any]], now: datetime) -> dict[str, Counts]:
    # With what a unit's canonical form needs, in a few queries.
    stored = Unit.objects.prefetch_related("aliases", "event_units__unit")
    present = {unit.public_id: unit for unit in stored}
    counts = {"units": _load_units(_units_with_questions(files), present)}
    steps: dict[str, Callable[[Mapping[str, Any]], UpsertResult]] = {
        "redirects": lambda record: _load_redirect(record, present, now),
        "personas": lambda record: _load_persona(record, present),
        "relations": _load_relation,
        "sources": _load_source,
        "markets": _load_market,
        "series": _load_series,
    }
    counts |= {
        kind: Counter(_guard(step, record) for file in files for record in file.get(kind, []))
        for kind, step in steps.items()
    }
    counts["posts"] = Counter(
        _guard(partial(_load_post, persona_slug=persona["slug"]), post)
        for file in files
        for persona in file.get("personas", [])
        for post in persona.get("posts", [])
    )
    return counts


def _units_with_questions(files: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The records of units, each with its readers' questions, which may stand in files of their own. Raises CanonError
    for questions of another form, and of a unit that none of the files holds."""
    asked: dict[str, list[str]] = {}
    for file in files:
        try:
            told = file.get("reader_questions", {})
            asked |= {public_id: units.lines_of(questions) for public_id, questions in told.items()}
        except _WRONG_FORM as error:
            raise CanonError(f"reader_questions: {type(error).__name__}: {error}") from error
    records = [
        {**record, "reader_questions": asked.pop(public_id)}
        if (public_id := _public_id_in(record)) in asked
        else record
        for file in files
        for record in file.get("units", [])
    ]
    if asked:
        raise CanonError(f"{next(iter(asked))}: reader_questions of a unit that is in none of these files")
    return records


def _guard(step: Callable[[Mapping[str, Any]], UpsertResult], record: Mapping[str, Any]) -> UpsertResult:
    """Run one record's loading; whatever is wrong with it is said with its slug."""
    if not isinstance(record, dict):
        raise CanonError(f"a record must be a JSON object, not {type(record).__name__}")
    try:
        return step(record)
    except OperationalError:
        raise
    except (*_WRONG_FORM, *_REFUSED) as error:
        named = record.get("slug") or record.get("subject", "?")
        raise CanonError(f"{named}: {type(error).__name__}: {error}") from error


def _load_units(records: Sequence[Mapping[str, Any]], present: Mapping[str, Unit]) -> Counts:
    """New units first, for stored ones may speak of them, and together. Where that is refused, one by one, for the name
    of the one that is wrong."""
    stored = [record for record in records if _is_present(record, present)]
    others = [record for record in records if not _is_present(record, present)]
    new: list[tuple[Unit, Form]] = []
    step = partial(units.load, present=present, write=lambda unit, form: new.append((unit, form)))
    counts = Counter(_guard(step, record) for record in others)
    try:
        with transaction.atomic():
            units.create(new, present)
    except OperationalError:
        raise
    except (*_WRONG_FORM, *_REFUSED):
        for record in others:
            _guard(partial(units.load, present=present), record)
    return counts + Counter(_guard(partial(units.load, present=present), record) for record in stored)


def _is_present(record: Mapping[str, Any], present: Mapping[str, Unit]) -> bool:
    return _public_id_in(record) in present


def _public_id_in(record: Mapping[str, Any]) -> str:
    """Empty for an invalid record: what is wrong with it is said where it is loaded."""
    try:
        return units.public_id_of(record)
    except _WRONG_FORM:
        return ""


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
    return upsert_unless_edited(
        Persona.objects.filter(entity_id=entity.pk).first() or Persona(entity=entity),
        {name: record[name] for name in PERSONA_FIELDS},
        read=lambda persona: model_to_dict(persona, PERSONA_FIELDS),
    )


def _load_post(record: Mapping[str, Any], persona_slug: str) -> UpsertResult:
    persona = Persona.objects.get(entity__slug=persona_slug)
    own = {"persona": persona, "slug": record["slug"]}
    return upsert_unless_edited(
        PersonaPost.objects.filter(**own).first() or PersonaPost(**own, status=Status.PUBLISHED),
        {
            "body": record["body"],
            "units": sorted(record["units"]),
            "published_at": moment(record["published_at"]).isoformat(),
        },
        read=lambda post: {
            "body": post.body,
            "units": sorted(unit.public_id for unit in post.units.all()),
            "published_at": post.published_at.isoformat(),
        },
        write=_write_post,
    )


def _write_post(post: PersonaPost, form: Form) -> None:
    post.body, post.published_at = form["body"], moment(form["published_at"])
    post.save()
    post.units.set(units.resolve(public_id) for public_id in form["units"])


def _load_relation(record: Mapping[str, Any]) -> UpsertResult:
    """A relation is known by its ends, its kind and its start, whatever the ends have been merged into since; one that
    an editor withdrew stays withdrawn, and of two ends that editors made one unit nothing is said."""
    subject, target = units.resolve(record["subject"]), units.resolve(record["object"])
    if subject != target and subject.survivor == target.survivor:
        return UpsertResult.KEPT
    own = {"kind": record["kind"], "started": record.get("started", "")}
    stored = Relation.objects.filter(
        **own,
        subject__in=Unit.objects.family(subject.survivor),
        object__in=Unit.objects.family(target.survivor),
    )
    wanted = {name: record.get(name, "") for name in RELATION_FIELDS} | {"withdrawn": False}
    return upsert_unless_edited(
        stored.first() or Relation(**own, subject=subject.survivor, object=target.survivor),
        wanted,
        read=lambda relation: model_to_dict(relation, RELATION_FIELDS),
    )


def _load_source(record: Mapping[str, Any]) -> UpsertResult:
    slug = record["slug"]
    wanted = Source(**{name: record[name] for name in (*SOURCE_FIELDS, "name_en") if name in record})
    return upsert_unless_edited(
        # The switch belongs to operators: the file sets it once, when the source is new.
        Source.objects.filter(slug=slug).select_related("creator").first()
        or Source(slug=slug, enabled=record.get("enabled", True)),
        _source_form(wanted, record.get("creator") or ""),
        read=lambda source: _source_form(source, source.creator.public_id if source.creator else ""),
        write=lambda source, form: write_fields(
            source, {**form, "creator": units.resolve(form["creator"]) if form["creator"] else None}
        ),
    )


def _source_form(source: Source, creator: str) -> Form:
    """The English name only where there is one: what was stored before sources had any keeps its fingerprint."""
    form = {**model_to_dict(source, SOURCE_FIELDS), "creator": creator}
    return form | {"name_en": source.name_en} if source.name_en else form


def _load_market(record: Mapping[str, Any]) -> UpsertResult:
    """A market that is open from the start. Once it is known, the exchange's own list says what becomes of it."""
    own = {"venue": Venue(record["venue"]), "symbol": record["symbol"]}
    if Market.objects.filter(**own).exists():
        return UpsertResult.UNCHANGED
    markets.open_market(**own, asset=units.resolve(record["asset"]).survivor)
    return UpsertResult.CREATED


def _load_series(record: Mapping[str, Any]) -> UpsertResult:
    """One series, or the pattern of one for each asset with a market, which is then made for those there are."""
    if "<" not in record["slug"]:
        return _upsert_series(record)
    pattern = SeriesPattern.objects.filter(slug=record["slug"]).first() or SeriesPattern(slug=record["slug"])
    outcome = upsert_unless_edited(
        pattern, {"record": dict(record)}, read=lambda pattern: {"record": pattern.record}
    )
    won = Market.objects.filter(venue=Venue.UPBIT, delisted_at=None)
    records = [each for each, _asset in declarations.records_of([pattern], won)]
    _upsert_series(*records)
    return outcome


def _upsert_series(*records: Mapping[str, Any]) -> UpsertResult:
    """What came of the last of them."""
    slugs = [record["slug"] for record in records]
    rows = Series.objects.filter(slug__in=slugs).select_related("holder").prefetch_related("inputs")
    present = {series.slug: series for series in rows}
    outcome = UpsertResult.UNCHANGED
    for record in records:
        outcome = upsert_unless_edited(
            present.get(record["slug"]) or Series(slug=record["slug"]),
            declarations.wanted_form(record),
            read=declarations.form_of,
            write=lambda series, form: declarations.write(series, form, units.resolve(form["holder"])),
        )
    return outcome
