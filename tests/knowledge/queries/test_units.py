"""What belongs to a unit, that of the units merged into it included."""

import pytest

from knowledge.linking.store import link_documents
from knowledge.models import Status, UnitType
from knowledge.queries.listings import events
from knowledge.queries.units import aliases_of, companions_of, documents_of_event, sequels_of, subjects_of
from tests.factories.knowledge import make_document, make_event, make_source, make_unit


@pytest.mark.django_db
def test_merged_units_lend_their_names_documents_and_company_to_the_survivor() -> None:
    coin, former = make_unit(aliases=["Bitcoin"]), make_unit("xbt", "엑스비티", aliases=["XBT"])
    exchange = make_unit("maru", "마루거래소", type=UnitType.COMPANY)
    document = make_document(make_source(), title="엑스비티, 마루거래소에 서다")
    link_documents([document])
    event = make_event("e", 1, former)
    former.merged_into = coin
    former.save()
    make_unit("gone", "사라진 이름", merged_into=coin, status=Status.RETRACTED, aliases=["사라진 별칭"])
    assert aliases_of(coin) == ["Bitcoin", "엑스비티", "XBT"]
    assert companions_of(coin, 5) == [exchange]
    assert [one.pk for one in events(entity=coin).rows] == [event.pk]
    assert documents_of_event(event, 10) == []


@pytest.mark.django_db
def test_what_came_after_an_event_is_what_its_name_names_first() -> None:
    coin, cash = make_unit(aliases=["Bitcoin"]), make_unit("bch", "비트코인캐시")
    exchange = make_unit("maru", "마루거래소", type=UnitType.COMPANY)
    told = [
        ("마루거래소 비트코인 해킹", exchange, coin),
        ("비트코인캐시 분리", coin, cash),
        ("비트코인 반감기", coin),
        ("검은 목요일", coin, exchange),
        ("마루거래소 두 번째 해킹", exchange),
        ("Bitcoin 상장, 마루거래소", coin, exchange),
    ]
    events_in_order = [
        make_event(f"e{hour}", -hour, *subjects) for hour, (_label, *subjects) in enumerate(told)
    ]
    for event, (label, *_subjects) in zip(events_in_order, told, strict=True):
        event.label = label
        event.save()
    hack, _fork, halving, crash, again, listing = events_in_order
    after = [sequels_of(event, subjects_of(event), 5) for event in (hack, halving, crash)]
    assert after == [[again, listing], [listing], []]
    assert sequels_of(coin, [], 5) == []
