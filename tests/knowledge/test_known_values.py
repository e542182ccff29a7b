"""Values that only the code knew: the database refuses any other, whoever writes."""

from typing import get_args

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from knowledge.models import Document, Entity, FetchRun, Persona, Pulse, Status, Unit, UnitType
from knowledge.models.pulses import EXTREMA, SCOPES
from knowledge.pulses.bars import Extremum
from knowledge.pulses.moves import Scope
from tests.factories.knowledge import NOON, make_document, make_pulse, make_source, make_unit


@pytest.mark.django_db
def test_an_unknown_value_is_refused() -> None:
    source = make_source()
    document = make_document(source)
    run = FetchRun.objects.create(source=source, started_at=NOON, outcome="ok")
    pulse = make_pulse(make_unit())
    refused = [
        (Document, document.pk, {"kind": "rumour"}),
        (FetchRun, run.pk, {"outcome": "maybe"}),
        *((Pulse, pulse.pk, {name: "odd"}) for name in ("kind", "extremum", "scope", "sources")),
    ]
    for model, key, change in refused:
        with pytest.raises(IntegrityError), transaction.atomic():
            model._default_manager.filter(pk=key).update(**change)


@pytest.mark.django_db
def test_an_event_is_published_with_the_time_when_it_happened() -> None:
    event = make_unit("crash", "폭락", type=UnitType.EVENT, status=Status.DRAFT)
    written = Unit.objects.filter(pk=event.pk)
    for status in (Status.RETRACTED, Status.PUBLISHED):
        written.update(status=status, occurred_at=NOON)
    with pytest.raises(IntegrityError, match="unit_published_event_has_time"), transaction.atomic():
        written.update(occurred_at=None)
    written.update(status=Status.RETRACTED, occurred_at=None)
    with pytest.raises(IntegrityError, match="unit_published_event_has_time"), transaction.atomic():
        written.update(status=Status.PUBLISHED)


@pytest.mark.django_db
@pytest.mark.parametrize("said", ["glyph", "disclosure", "disclosure_en"])
def test_a_persona_says_what_it_is(said: str) -> None:
    creator = Entity.objects.get(pk=make_unit("sage", "현자", type=UnitType.CREATOR).pk)
    whole = {"glyph": "◆", "disclosure": "기계가 씁니다", "disclosure_en": "A machine"}
    with pytest.raises(IntegrityError, match="persona_"), transaction.atomic():
        Persona.objects.create(entity=creator, voice="차분", **{**whole, said: " "})
    with pytest.raises(ValidationError):
        Persona(entity=creator, voice="차분", **{**whole, said: " "}).full_clean()
    Persona(entity=creator, voice="차분", **whole).full_clean()


def test_the_detector_says_nothing_that_the_database_refuses() -> None:
    assert (get_args(Extremum), get_args(Scope)) == (EXTREMA, SCOPES)
