"""Canon records of units, with their aliases and relations, to and from the database."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from simple_history.utils import bulk_create_with_history, bulk_update_with_history

from knowledge.canon.records import REASON, Form, UpsertResult, upsert_unless_edited
from knowledge.invisible import one_line
from knowledge.models import CATEGORIES_OF, COUNTRIES, Alias, EventUnit, Status, Unit, UnitType, prefix_of
from knowledge.models.reader_questions import ReaderQuestion, check_number, unanswered
from knowledge.models.source_urls import checked
from knowledge.normalise import normalise_alias
from knowledge.receivers import relink_later
from knowledge.series.declarations import fingerprint
from knowledge.times import moment

TEXT_FIELDS = ("label", "summary", "summary_en", "symbol", "website")
KIND_FIELDS = ("category", "country")
LIST_FIELDS = ("asked_as", "source_urls", "reader_questions")
AT_ONCE = 2_000  # rows a statement
ALIAS_FLAGS = ("lang", "case_sensitive", "ambiguous", "blocked_contexts")


def public_id_of(record: Mapping[str, Any]) -> str:
    return f"{prefix_of(record['type'])}:{record['slug']}"


def resolve(public_id: str) -> Unit:
    """The unit with this id. Raises Unit.DoesNotExist with the id in its message."""
    unit = Unit.objects.find(public_id)
    if unit is None:
        raise Unit.DoesNotExist(f"no unit {public_id}")
    return unit


def load(
    record: Mapping[str, Any], present: Mapping[str, Unit], write: Callable[[Unit, Form], None] | None = None
) -> UpsertResult:
    """Bring one unit to the form of ``record``; raises ValueError or KeyError for an invalid record. ``write`` may put
    off the writing, to ``create``."""
    if record["type"] not in UnitType.values:
        raise ValueError(f"unknown type {record['type']!r}")
    unit = present.get(public_id_of(record)) or Unit(
        slug=record["slug"], status=record.get("status", Status.PUBLISHED)
    )
    wanted = _wanted(record)
    return upsert_unless_edited(unit, wanted, read=partial(_present, wanted=wanted), write=write or update)


def _wanted(record: Mapping[str, Any]) -> Form:
    unit = Unit(type=record["type"], **{name: record.get(name) or "" for name in TEXT_FIELDS})
    unit.asked_as, unit.label_en = record.get("asked_as", []), record.get("label_en", "")
    unit.category, unit.country = record.get("category", ""), record.get("country", "")
    unit.source_urls = record.get("source_urls", [])
    unit.reader_questions = record.get("reader_questions", [])
    unit.tidy()
    unit.source_urls = checked(unit.source_urls)
    check_number(unit.reader_questions)
    if lost := unanswered(unit.reader_questions, unit.summary, unit.summary_en):
        raise ValueError(f"the summary does not answer {lost[0]!r}")
    if unit.category and unit.category not in CATEGORIES_OF.get(unit.type, ()):
        raise ValueError(f"category {unit.category!r} does not stand on the type {unit.type}")
    if unit.country and unit.country not in COUNTRIES:
        raise ValueError(f"country {unit.country!r} is not of ISO 3166-1 alpha-2")
    if record.get("occurred_at"):
        unit.occurred_at = moment(record["occurred_at"])
    aliases = [
        Alias(**{**alias, "surface": one_line(alias["surface"])}) for alias in record.get("aliases", [])
    ]
    return _form(unit, aliases, [*record.get("entities", []), *record.get("topics", [])])


def lines_of(told: Mapping[str, Sequence[str]]) -> list[str]:
    """Questions by the words of the sentence that answers them, as the lines that a unit has; raises ValueError or
    AttributeError for another form."""
    for words, questions in told.items():
        if not isinstance(questions, list) or not all(isinstance(one, str) for one in questions):
            raise ValueError(f"{words!r} must have a list of questions")
    return [str(ReaderQuestion(asked, words)) for words, questions in told.items() for asked in questions]


def _present(unit: Unit, wanted: Form) -> Form:
    """The form of a stored unit, without what a migration filled in beside what this loader had written before: an
    English title, and the category and country that the record has now."""
    form = _form(unit, unit.aliases.all(), (row.unit.public_id for row in unit.event_units.all()))
    filled = [name for name in KIND_FIELDS if name in form and form[name] == wanted.get(name)]
    for names in (filled, ["label_en"], [*filled, "label_en"]):
        bare = {name: value for name, value in form.items() if name not in names}
        if fingerprint(bare) == unit.canon_sha256:
            return bare
    return form


def _form(unit: Unit, aliases: Iterable[Alias], related: Iterable[str]) -> Form:
    form = {
        "type": unit.type,
        **{name: getattr(unit, name) for name in TEXT_FIELDS},
        "occurred_at": unit.occurred_at.isoformat() if unit.occurred_at else "",
        "aliases": [
            {name: getattr(alias, name) for name in ("surface", *ALIAS_FLAGS)}
            for alias in sorted(aliases, key=attrgetter("surface"))
        ],
        "related": sorted(related),
    }
    # Only where there are any: what was stored before units had them keeps its fingerprint.
    later = {
        **{name: list(getattr(unit, name)) for name in LIST_FIELDS},
        **{name: getattr(unit, name) for name in ("label_en", *KIND_FIELDS)},
    }
    return form | {name: value for name, value in later.items() if value}


def update(unit: Unit, form: Form) -> None:
    """Save one unit, a stored or a new one, in this form."""
    _fill(unit, form)
    is_new = unit._state.adding
    unit.save()
    aliases, related = ([], []) if is_new else (unit.aliases.all(), unit.event_units.all())
    new_names = _write_aliases(unit, form["aliases"], aliases)
    new_names |= {normalise_alias(unit.label)} if is_new else set()
    _relink(new_names)
    _write_related(unit, form["related"], related)


def create(new: Sequence[tuple[Unit, Form]], present: Mapping[str, Unit]) -> None:
    """Save units that are all new, together: one by one they are most of what a first start waits for. Those that they
    speak of are among them or ``present``. What one of them breaks is raised of all."""
    if not new:
        return
    for unit, form in new:
        _fill(unit, form)
    made = [unit for unit, _form in new]
    bulk_create_with_history(made, Unit, AT_ONCE, default_change_reason=REASON)
    Alias.names.key_labels(made)
    aliases = [
        _flagged(Alias(unit=unit, surface=fields["surface"]), fields)
        for unit, form in new
        for fields in form["aliases"]
    ]
    if aliases:
        bulk_create_with_history(aliases, Alias, AT_ONCE, default_change_reason=REASON)
    _relink({alias.norm for alias in aliases} | {normalise_alias(unit.label) for unit in made})
    known = {**present, **{unit.public_id: unit for unit in made}}
    EventUnit.objects.bulk_create(
        EventUnit(event=unit, unit=known.get(public_id) or resolve(public_id))
        for unit, form in new
        for public_id in form["related"]
    )


def _fill(unit: Unit, form: Form) -> None:
    for name in ("type", *TEXT_FIELDS):
        setattr(unit, name, form[name])
    unit.occurred_at = moment(form["occurred_at"]) if form["occurred_at"] else None
    for name in LIST_FIELDS:
        setattr(unit, name, form.get(name, []))
    for name in ("label_en", *KIND_FIELDS):
        setattr(unit, name, form.get(name, getattr(unit, name)))


def _relink(norms: set[str]) -> None:
    if norms - {""}:
        relink_later(norms - {""})


def _write_aliases(unit: Unit, wanted: list[Mapping[str, Any]], stored: Iterable[Alias]) -> set[str]:
    """The norms of those that are new or changed: rows written in bulk send no signal that has documents linked."""
    present = {alias.surface: alias for alias in stored}
    for surface in present.keys() - {fields["surface"] for fields in wanted}:
        gone = present.pop(surface)
        gone._change_reason = REASON  # type: ignore[attr-defined]
        gone.delete()
    fresh, changed = [], []
    for fields in wanted:
        alias = present.get(fields["surface"]) or Alias(unit=unit, surface=fields["surface"])
        if alias.surface not in present:
            fresh.append(alias)
        elif any(getattr(alias, name) != fields[name] for name in ALIAS_FLAGS):
            changed.append(alias)
        _flagged(alias, fields)
    # In bulk, for the starter canon has thousands; by these functions, for a bulk write by itself leaves no history.
    if fresh:
        bulk_create_with_history(fresh, Alias, default_change_reason=REASON)
    if changed:
        written = [*ALIAS_FLAGS, "norm", "unit_type"]
        bulk_update_with_history(changed, Alias, written, default_change_reason=REASON)
    return {alias.norm for alias in (*fresh, *changed)}


def _flagged(alias: Alias, fields: Mapping[str, Any]) -> Alias:
    for name in ALIAS_FLAGS:
        setattr(alias, name, fields[name])
    alias.derive()
    return alias


def _write_related(unit: Unit, wanted: list[str], stored: Iterable[EventUnit]) -> None:
    present = {row.unit.public_id: row for row in stored}
    for public_id in present.keys() - set(wanted):
        present[public_id].delete()
    fresh = [public_id for public_id in wanted if public_id not in present]
    if fresh:
        found = {other.public_id: other for other in Unit.objects.with_public_ids(fresh)}
        EventUnit.objects.bulk_create(
            EventUnit(event=unit, unit=found.get(public_id) or resolve(public_id)) for public_id in fresh
        )
