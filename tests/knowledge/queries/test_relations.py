"""Which units stand in a stored relation to each other."""

import pytest

from knowledge.models import Relation, RelationKind, Status, UnitType
from knowledge.queries.relations import connected
from tests.factories.knowledge import make_event, make_unit


@pytest.mark.django_db
def test_events_and_relations_connect_units_as_they_stand_today() -> None:
    coin, stranger = make_unit(), make_unit("solbit", "솔빛코인")
    company = make_unit("maru", "마루회사", type=UnitType.COMPANY)
    former = make_unit("old", "옛 이름", type=UnitType.COMPANY, merged_into=company, status=Status.RETRACTED)
    event = make_event("e", 1, coin)
    Relation.objects.create(subject=former, kind=RelationKind.ISSUES, object=coin)
    assert connected([coin, company, event, stranger]) == {
        coin.pk: {company.pk, event.pk},
        company.pk: {coin.pk},
        event.pk: {coin.pk},
    }
    assert connected([coin, stranger]) == {}
    Relation.objects.update(withdrawn=True)
    assert connected([coin, company, event]) == {coin.pk: {event.pk}, event.pk: {coin.pk}}
