"""From what somebody writes to the unit that is meant: an id, the address of a page, or a name."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.db.models import BooleanField, Case, Q, Value, When
from django.db.models.expressions import RawSQL
from rapidfuzz import fuzz, process

from knowledge.linking.store import units_asked
from knowledge.models import PREFIXES, Alias, Unit, UnitQuerySet
from knowledge.normalise import normalise_alias
from knowledge.queries.series import named
from knowledge.search.exact_names import NAME_MAX_LENGTH, NameMatch, exactly_named, likeliest
from knowledge.search.ranking import understand
from knowledge.search.typos import alike

SHORTEST_PART = 2  # characters of a name that is looked for inside of others
PARTS_MAX = 60
NEIGHBOURS = 25
ALIKE = 80.0  # of 100: an id with so much in common is near
SERIES_PREFIX = "series:"
# Confidence in what is not called exactly so.
MENTIONED = 0.7  # its name stands in what was written
BEGUN = 0.5  # its label or ticker begins with that
ALIAS_BEGUN = 0.48  # another of its names does
PHRASE_BEGUN = 0.45  # people ask for it by a phrase that begins with that
WITHIN = 0.4  # its name holds that
MENDED = 0.35  # its name is a slip away
RESEMBLING = 0.3  # at most: its name has most letters in common
RESEMBLING_MAX = 8
_PHRASE_BEGINS = (
    "EXISTS (SELECT FROM unnest(knowledge_unit.asked_as) phrase"
    " WHERE starts_with(knowledge_squeezed(phrase), %s))"
)


@dataclass(frozen=True, slots=True)
class Located:
    """A unit by its id, address or name, and what readers get there.

    ``unit`` is the one that answers, set where ``status`` is 200 or 308; ``merged_from`` is the id that was asked for
    where it is MOVED. ``several`` are the units that a name means equally well. ``series`` is the id of the series that
    was asked for, which the unit holds.
    """

    status: HTTPStatus
    unit: Unit | None = None
    merged_from: str = ""
    several: tuple[Unit, ...] = ()
    series: str = ""


def reference_of(text: str) -> str:
    """``asset:btc`` for its id or any address of its page; what is neither comes back as it is, trimmed.

    Takes absolute addresses of this service and site-relative ones, with query, fragment or ``.md``.
    """
    written = text.strip()
    try:
        parts = urlsplit(written)
    except ValueError:
        return written
    if parts.scheme in ("http", "https"):
        own = (urlsplit(origin).netloc.lower() for origin in (settings.BASE_URL, settings.CITY_URL))
        if parts.netloc.lower() not in own:
            return written
    elif not written.startswith("/") or parts.netloc:
        return written
    path = unquote(parts.path)
    if "\0" in path:  # the database could not look for it
        return written
    segments = path.rstrip("/").removesuffix(".md").split("/")[1:]
    if len(segments) == 2 and segments[0] in (*PREFIXES, "city"):
        return ":".join(segments)
    if len(segments) == 2 and segments[0] == "number":
        return f"{SERIES_PREFIX}{segments[1]}"
    if len(segments) == 3 and segments[:2] == ["ask", "q"]:
        return f"answer:{segments[2]}"
    return written


def locate(text: str) -> Located:
    reference = reference_of(text)
    if reference.lower().startswith(SERIES_PREFIX):
        return _holder_of(reference.lower())
    unit = Unit.objects.find(reference.lower())
    if unit is None:
        several = tuple(one.unit for one in exactly_named(reference))
        if len(several) == 1:
            return Located(HTTPStatus.OK, several[0])
        return Located(HTTPStatus.NOT_FOUND, several=several)
    status = unit.public_status
    if status not in (HTTPStatus.OK, HTTPStatus.PERMANENT_REDIRECT):
        return Located(status)
    return Located(status, unit.survivor, unit.public_id if status is HTTPStatus.PERMANENT_REDIRECT else "")


def _holder_of(series_id: str) -> Located:
    """The unit that holds a public series: series have pages, but no record beside that of their holder."""
    found = named(series_id.removeprefix(SERIES_PREFIX))
    status = found.public_status if found else HTTPStatus.NOT_FOUND
    if found is None or status is not HTTPStatus.OK:
        return Located(status)
    return Located(status, found.holder.survivor, series=series_id)


def candidates(name: str, *, types: Collection[str] | None = None, limit: int = 5) -> list[NameMatch]:
    """The public units that ``name`` may mean, likeliest first; ``types`` are UnitType values.

    Where nothing is called so: what it mentions, names that begin with it and names that hold it. Where no name begins
    with it, phrases that do; where none does, names that are written nearly so.
    """
    found = exactly_named(name)
    if (unit := _with_id(reference_of(name).lower())) is not None:
        found.append(NameMatch(unit, 1.0, "id"))
    if not found:
        found = _mentioned_in(name) + _partly_named(name)
        for further in (_begun_phrases, _spelt_nearly):
            if all(one.confidence <= WITHIN for one in found):
                found += further(name)
    best: dict[int, NameMatch] = {}
    for one in sorted(found, key=likeliest):
        if types is None or one.unit.type in types:
            best.setdefault(one.unit.pk, one)
    return list(best.values())[:limit]


def _mentioned_in(phrase: str) -> list[NameMatch]:
    said = units_asked(phrase[:NAME_MAX_LENGTH], crypto_channel=True)
    mentioned = by_public_ids([public_id for one in said for public_id in one.public_ids])
    return [NameMatch(unit, MENTIONED, "mention") for unit in mentioned]


def _spelt_nearly(name: str) -> list[NameMatch]:
    """The units of the name that this one is a slip away from, and of names that resemble it."""
    meant = by_public_ids(understand(name[:NAME_MAX_LENGTH]).named)
    return [NameMatch(unit, MENDED, "spelling") for unit in meant] + [
        NameMatch(match.unit, round(RESEMBLING * similarity, 2), "spelling")
        for surface, similarity in alike(name[:NAME_MAX_LENGTH], RESEMBLING_MAX)
        for match in exactly_named(surface)
    ]


def _with_id(reference: str) -> Unit | None:
    """The public unit that has this id, or holds the series that has it."""
    if reference.startswith(SERIES_PREFIX):
        return _holder_of(reference).unit
    unit = Unit.objects.find(reference)
    return unit.survivor if unit is not None and unit.survivor.is_public else None


def nearest_units(written: str, count: int = 3) -> list[Unit]:
    """Public units for whoever wrote an address or a name nearly right, the nearest first; none that is far."""
    prefix, _colon, rest = reference_of(written).rpartition(":")
    slug = rest.rstrip("/").rpartition("/")[2] if written.startswith(("/", "http")) else rest
    name = slug.replace("-", " ").replace("_", " ").strip()
    if not name:
        return []
    near = nearest_ids(f"{prefix}:{slug}" if prefix in PREFIXES else slug, count, least=ALIKE)
    return list(dict.fromkeys([*units_called(name, count), *by_public_ids(near)]))[:count]


def nearest_ids(written: str, count: int = 3, *, least: float = 0.0) -> list[str]:
    """The ids of public units that come closest to what was taken for an id: by name, then by spelling, of which
    ``least`` of 100 has to agree, then names that resemble it.

    Of the spellings those are compared that stand beside it in the order of ids: a look at all would take a second.
    """
    prefix, _colon, name = written.lower().replace("\0", "").rpartition(":")
    slug = re.sub(r"[^a-z0-9-]+", "-", name)[:NAME_MAX_LENGTH]
    found = candidates(name.replace("-", " "), limit=count) if name else []
    public = Unit.objects.published().filter(**{"prefix": prefix} if prefix in PREFIXES else {})
    before, after = (
        public.filter(slug__lt=slug).order_by("-slug"),
        public.filter(slug__gte=slug).order_by("slug"),
    )
    beside = [unit.public_id for side in (before, after) for unit in side[:NEIGHBOURS]]
    spelt = process.extract(written, beside, scorer=fuzz.ratio, score_cutoff=least, limit=count)
    named, resembling = (
        [one.unit.public_id for one in found if (one.confidence > RESEMBLING) is firm]
        for firm in (True, False)
    )
    return list(dict.fromkeys([*named, *(public_id for public_id, _score, _at in spelt), *resembling]))[
        :count
    ]


def _partly_named(name: str) -> list[NameMatch]:
    """Units of which a label, ticker or alias begins with this name, and those of which one holds it."""
    norm = normalise_alias(name)[:NAME_MAX_LENGTH]
    if len(norm) < SHORTEST_PART:
        return []
    holding = Alias.names.active().filter(norm__contains=norm, unit__in=_speaking_units().values("pk"))
    begins = Case(When(norm__startswith=norm, then=Value(0)), default=Value(1))
    nearest = holding.order_by(begins, "-unit__document_count", "unit", "pk")
    tickers = _speaking_units().filter(symbol__istartswith=norm).select_related("merged_into").order_by("pk")
    return [NameMatch(unit.survivor, BEGUN, "part") for unit in tickers[:PARTS_MAX]] + [
        NameMatch(alias.unit.survivor, _confidence_by(norm, alias), "part")
        for alias in nearest.select_related("unit__merged_into")[:PARTS_MAX]
    ]


def _confidence_by(norm: str, alias: Alias) -> float:
    """How sure it is that who writes a part of this name means its unit: surest of its label or ticker."""
    if not alias.norm.startswith(norm):
        return WITHIN
    unit = alias.unit
    own = alias.is_label or alias.surface in (unit.label_en, unit.symbol)
    return BEGUN if own else ALIAS_BEGUN


def _begun_phrases(name: str) -> list[NameMatch]:
    """Units that people ask for by a phrase that begins with this."""
    norm = normalise_alias(name)[:NAME_MAX_LENGTH]
    if len(norm) < SHORTEST_PART:
        return []
    begins = RawSQL(_PHRASE_BEGINS, (norm,), output_field=BooleanField())  # noqa: S611  a constant
    asked = _speaking_units().exclude(asked_as=[]).filter(Q(begins)).select_related("merged_into")
    units = asked.order_by("-document_count", "pk")[:PARTS_MAX]
    return [NameMatch(unit.survivor, PHRASE_BEGUN, "phrase") for unit in units]


def _speaking_units() -> UnitQuerySet:
    """Public units and those merged into them, whose names speak for the survivor."""
    return Unit.objects.families(Unit.objects.published().values("pk"))


def by_public_ids(public_ids: Collection[str]) -> list[Unit]:
    """The public units with these ids, in that order; merged ones stand as their survivors."""
    rows = Unit.objects.with_public_ids(public_ids).select_related("merged_into").order_by("pk")
    by_id = {unit.public_id: unit.survivor for unit in rows if unit.survivor.is_public}
    return list(dict.fromkeys(by_id[one] for one in public_ids if one in by_id))


def units_called(name: str, limit: int = 3) -> list[Unit]:
    """Public units of exactly this name or slug; for a reader whose address was nearly right."""
    found = [one.unit for one in exactly_named(name)]
    slugs = Unit.objects.filter(slug=name.lower().replace(" ", "-")).select_related("merged_into")
    found += [unit.survivor for unit in slugs.order_by("pk")]
    return [unit for unit in dict.fromkeys(found) if unit.is_public][:limit]
