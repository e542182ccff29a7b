"""From what somebody writes to the unit that is meant: an id, the address of a page, or a name."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.db.models import Value
from django.db.models.functions import StrIndex
from rapidfuzz import fuzz, process

from knowledge.linking.store import units_asked
from knowledge.models import PREFIXES, Alias, Unit
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
    """The public units that ``name`` may mean, likeliest first; ``types`` are UnitType values."""
    found = exactly_named(name)
    if (unit := _with_id(reference_of(name).lower())) is not None:
        found.append(NameMatch(unit, 1.0, "id"))
    if not found:
        # A name inside a longer phrase, or a part of a longer name.
        said = units_asked(name[:NAME_MAX_LENGTH], crypto_channel=True)
        mentioned = by_public_ids([public_id for one in said for public_id in one.public_ids])
        found = [NameMatch(unit, 0.7, "mention") for unit in mentioned] + _partly_named(name)
    if not found:
        meant = by_public_ids(understand(name[:NAME_MAX_LENGTH]).named)
        found = [NameMatch(unit, 0.35, "spelling") for unit in meant]
    best: dict[int, NameMatch] = {}
    for one in sorted(found, key=likeliest):
        if types is None or one.unit.type in types:
            best.setdefault(one.unit.pk, one)
    return list(best.values())[:limit]


def _with_id(reference: str) -> Unit | None:
    """The public unit that has this id, or holds the series that has it."""
    if reference.startswith(SERIES_PREFIX):
        return _holder_of(reference).unit
    unit = Unit.objects.find(reference)
    return unit.survivor if unit is not None and unit.survivor.is_public else None


def nearest_units(written: str, count: int = 3) -> list[Unit]:
    """Public units for whoever wrote an address or a name nearly right, the nearest first; none that is far."""
    prefix, _colon, rest = reference_of(written).rpartition(":")
    slug = rest.rstrip("/").rpartition("/")[2]
    name = slug.replace("-", " ").replace("_", " ").strip()
    if not name:
        return []
    near = nearest_ids(f"{prefix}:{slug}" if prefix in PREFIXES else slug, count, least=ALIKE)
    found = [*units_called(name, count), *by_public_ids(near)]
    resembling = (match.unit for surface in alike(name, count) for match in exactly_named(surface))
    return list(dict.fromkeys([*found, *resembling]))[:count]


def nearest_ids(written: str, count: int = 3, *, least: float = 0.0) -> list[str]:
    """The ids of public units that come closest to what was taken for an id: by name, then by spelling, of which
    ``least`` of 100 has to agree.

    Of the spellings those are compared that stand beside it in the order of ids: a look at all would take a second.
    """
    prefix, _colon, name = written.lower().replace("\0", "").rpartition(":")
    slug = re.sub(r"[^a-z0-9-]+", "-", name)[:NAME_MAX_LENGTH]
    found = [one.unit.public_id for one in candidates(name, limit=count)] if name else []
    public = Unit.objects.published().filter(**{"prefix": prefix} if prefix in PREFIXES else {})
    before, after = (
        public.filter(slug__lt=slug).order_by("-slug"),
        public.filter(slug__gte=slug).order_by("slug"),
    )
    beside = [unit.public_id for side in (before, after) for unit in side[:NEIGHBOURS]]
    spelt = process.extract(written, beside, scorer=fuzz.ratio, score_cutoff=least, limit=count)
    return list(dict.fromkeys([*found, *(public_id for public_id, _score, _at in spelt)]))[:count]


def _partly_named(name: str) -> list[NameMatch]:
    """Units whose label or alias holds this name as a part; of an alias its beginning says more than the rest."""
    norm = normalise_alias(name)[:NAME_MAX_LENGTH]
    if len(norm) < SHORTEST_PART:
        return []
    public = Unit.objects.families(Unit.objects.published().values("pk"))
    holding = Alias.names.active().filter(norm__contains=norm, unit__in=public.values("pk"))
    nearest = holding.order_by("-is_label", StrIndex("norm", Value(norm)), "-unit__document_count", "pk")
    return [
        NameMatch(alias.unit.survivor, 0.5 if alias.is_label or alias.norm.startswith(norm) else 0.4, "part")
        for alias in nearest.select_related("unit__merged_into")[:PARTS_MAX]
    ]


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
