"""A row of everything that the desk shows."""

from knowledge import curation
from knowledge.linking.store import link_documents
from knowledge.models import (
    Candle,
    ClusterDocument,
    ClusterStatus,
    Document,
    EventCluster,
    FetchRun,
    HeldValue,
    Market,
    MarketCandidate,
    PersonaPost,
    PossibleMerge,
    Premium,
    Relation,
    RelationKind,
    RunOutcome,
    UnitType,
)
from tests.factories.knowledge import NOON, make_document, make_persona, make_pulse, make_source, make_unit
from tests.factories.series import make_series, observe


def world(number: int) -> None:
    """One row of everything that has a page, told apart by a number."""
    asset = make_unit(f"a{number}", f"자산{number}", symbol=f"A{number}", aliases=[f"에이{number}"])
    make_unit(f"t{number}", f"주제{number}", type=UnitType.TOPIC)
    event = make_unit(f"e{number}", f"사건{number}", type=UnitType.EVENT, occurred_at=NOON)
    event.event_units.create(unit=asset)
    curation.merge(make_unit(f"o{number}", f"옛자산{number}"), asset, now=NOON)
    issuer = make_unit(f"i{number}", f"발행사{number}", type=UnitType.COMPANY)
    Relation.objects.create(subject=issuer, kind=RelationKind.ISSUES, object=asset)
    creator = make_unit(f"c{number}", f"페르소나{number}", type=UnitType.CREATOR)
    persona = make_persona(creator, glyph=chr(0x25A0 + number))
    post = PersonaPost.objects.create(persona=persona, slug=f"p{number}", body="글", published_at=NOON)
    post.units.add(asset)
    source = make_source(f"s{number}", name=f"매체{number}", creator=creator)
    FetchRun.objects.create(source=source, started_at=NOON, outcome=RunOutcome.OK)
    document = make_document(source, str(number), title=f"자산{number} 소식")
    link_documents([document])
    make_series(f"series-{number}", f"k{number}", holder=asset)
    held = observe(f"k{number}", NOON, 1.0)
    HeldValue.objects.create(input=held.input, at=NOON, value=-1.0, reason="음수", fetched_at=NOON)
    MarketCandidate.objects.create(
        venue="upbit", symbol=f"KRW-B{number}", name="새 코인", reason="정본에 없음", first_seen_at=NOON
    )
    market = Market.objects.create(venue="upbit", symbol=f"KRW-A{number}", asset=asset)
    Candle.objects.create(market=market, interval="1h", at=NOON, open=1, high=1, low=1, close=1, volume=1)
    legs = {
        "upbit_krw": 1,
        "upbit_at": NOON,
        "binance_usd": 1,
        "binance_at": NOON,
        "usdkrw": 1,
        "usdkrw_at": NOON,
    }
    Premium.objects.create(asset=asset, at=NOON, value=0.1, **legs)
    make_pulse(asset, f"pulse{number}")
    cluster, other = candidate(document), candidate()
    PossibleMerge.objects.create(one=cluster, other=other, noted_at=NOON)


def candidate(*documents: Document) -> EventCluster:
    cluster = EventCluster.objects.create(
        status=ClusterStatus.OPEN, label="후보", first_document_at=NOON, last_document_at=NOON
    )
    for document in documents:
        ClusterDocument.objects.create(cluster=cluster, document=document)
    return cluster
