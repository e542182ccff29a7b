"""What the files of a night hold: the records of the public indexes, by the functions that make those."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rest_framework.serializers import Serializer

from ask.queries import seed_answers
from ask.serializers import SeedAnswerSerializer
from ask.storing import Reply
from knowledge.licence import LICENCE, LICENCE_OF_SERIES
from knowledge.queries import documents, records, series
from knowledge.queries.serializers import (
    DocumentRecordSerializer,
    EntityRecordSerializer,
    EventRecordSerializer,
    TopicRecordSerializer,
)
from knowledge.queries.series_serializers import (
    PointRecordSerializer,
    PulseRecordSerializer,
    SeriesRecordSerializer,
)

BY_OUTLET = "titles and addresses, for reference; what they lead to is its outlet's"


@dataclass(frozen=True, slots=True)
class BulkFile:
    """One file of each night: a line for each of ``records(now)``, in the shape of ``serializer``."""

    name: str
    records: Callable[[datetime], Iterable[Mapping[str, Any]]]
    serializer: type[Serializer[Any]]
    licence: str = LICENCE


def _answers(_now: datetime) -> Iterator[Mapping[str, Any]]:
    for answer in seed_answers():
        assert answer.current is not None
        yield SeedAnswerSerializer(Reply(answer.question, answer, answer.current, cached=True)).data


FILES = (
    BulkFile("entities", records.entities, EntityRecordSerializer),
    BulkFile("topics", records.topics, TopicRecordSerializer),
    BulkFile("events", records.events, EventRecordSerializer),
    BulkFile("pulses", lambda _now: records.all_pulses(), PulseRecordSerializer),
    BulkFile("series", series.records, SeriesRecordSerializer, LICENCE_OF_SERIES),
    BulkFile("series-points", series.all_points, PointRecordSerializer, LICENCE_OF_SERIES),
    BulkFile("answers", _answers, SeedAnswerSerializer),
    BulkFile("documents", lambda _now: documents.all_documents(), DocumentRecordSerializer, BY_OUTLET),
)
NAMES = tuple(file.name for file in FILES)


def left_out() -> dict[str, str]:
    """What is public and yet in no file, by the name of the file that it would be in: why, in a sentence."""
    reasons = {}
    if kept := series.not_passed_on():
        named = ", ".join(f"{name} ({number})" for name, number in kept.items())
        reasons["series-points"] = (
            "The terms of their sources allow these values to be shown, not to be passed on, so their history is left "
            f"out: {named}. Their newest values are in series."
        )
    if outlets := documents.objecting_outlets():
        reasons["documents"] = f"Left out because the outlet asked for it: {', '.join(outlets)}."
    return reasons
