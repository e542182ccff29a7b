"""Names for every choice of words in the description, so that generated clients have types worth naming."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from archive.city import CONDITIONS, DISTRICT_STATUSES, MOOD_LABELS
from archive.metrics import SLUGS
from archive.models import Completeness
from ask.models import Mode
from ask.related import ANSWER
from bulk.files import NAMES as BULK_NAMES
from knowledge.ingestion.health.freshness import FAIL, OK, WARN
from knowledge.ingestion.health.service_level import MET, MISSED, NOT_MEASURED, UNFINISHED
from knowledge.models import (
    ENTITY_TYPES,
    PREFIXES,
    SEARCH_KINDS,
    Cadence,
    Category,
    ChangeKind,
    Direction,
    InverseKind,
    PassageKind,
    PulseKind,
    RelationKind,
    SourceKind,
    UnitType,
)
from knowledge.queries.parameters import SWITCHED
from knowledge.search.exact_names import MATCHES

# By their words: whoever says the same words says the same thing, and gets the same type.
NAMES: dict[str, Iterable[str]] = {
    "AnswerMode": Mode.values,
    "BulkName": BULK_NAMES,
    "Cadence": Cadence.values,
    "Category": Category.values,
    "ChangeKind": ChangeKind.values,
    "CitationType": PREFIXES,
    "CityMood": MOOD_LABELS,
    "CityService": SLUGS,
    "CityWeather": CONDITIONS,
    "DayStatus": Completeness.values,
    "DistrictStatus": DISTRICT_STATUSES,
    "DocumentKind": SourceKind.values,
    "EntityType": ENTITY_TYPES,
    "FoundKind": PassageKind.values,
    "LevelDayStatus": (MET, MISSED, NOT_MEASURED, UNFINISHED),
    "MatchedOn": MATCHES,
    "ProfileKind": ("entity", "topic", "event"),
    "PulseDirection": Direction.values,
    "PulseKind": PulseKind.values,
    "ReflectionSource": ("model", "template"),
    "RelatedType": (*PREFIXES, ANSWER),
    "RelationKind": (*RelationKind.values, *InverseKind.values),
    "SearchKind": SEARCH_KINDS,
    "ServiceStatus": (OK, "degraded"),
    "SignalState": ("ok", "stale", "missing"),
    "StoreStatus": (OK, FAIL),
    "SubsystemStatus": (OK, WARN, FAIL),
    "Switch": SWITCHED,
    "UnitType": UnitType.values,
    "WorstStatus": (OK, WARN, FAIL, "not_evaluated"),
}
SCHEMAS = "#/components/schemas/"
# What stands there is no schema.
EXAMPLES = frozenset({"example", "examples"})
GENERATORS_NOTE = "x-spec-enum-id"


def with_names(document: dict[str, Any]) -> dict[str, Any]:
    """The document with a component for every choice that has a name, and a reference wherever it stands."""
    names = {frozenset(words): name for name, words in NAMES.items()}
    named: dict[str, Any] = _referring(document, names)
    used = set(names.values()) & set(_references(named))
    choices = {name: {"type": "string", "enum": list(map(str, NAMES[name]))} for name in used}
    schemas = {**named["components"]["schemas"], **choices}
    named["components"]["schemas"] = dict(sorted(schemas.items()))
    return named


def _referring(value: Any, names: Mapping[frozenset[str], str]) -> Any:
    if isinstance(value, list):
        return [_referring(each, names) for each in value]
    if not isinstance(value, dict):
        return value
    copy = {
        key: each if key in EXAMPLES else _referring(each, names)
        for key, each in value.items()
        if key != GENERATORS_NOTE
    }
    words = copy.get("enum")
    name = names.get(frozenset(words) - {None}) if isinstance(words, list) else None
    return copy if name is None else _reference(copy, name)


def _reference(choice: dict[str, Any], name: str) -> dict[str, Any]:
    """A reference with what else is said there: its description, its default."""
    reference = {"$ref": f"{SCHEMAS}{name}"}
    said = {key: each for key, each in choice.items() if key not in ("enum", "type")}
    return said | ({"anyOf": [reference, {"type": "null"}]} if None in choice["enum"] else reference)


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"].removeprefix(SCHEMAS)
        for each in value.values():
            yield from _references(each)
    elif isinstance(value, list):
        for each in value:
            yield from _references(each)
