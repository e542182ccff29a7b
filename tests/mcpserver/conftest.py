"""A small world with one record of each kind."""

from collections.abc import Iterator
from datetime import date, timedelta
from math import inf
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from archive.rehearsal import rehearse
from ask.answering import ask
from ask.models import SeedQuestion
from knowledge.linking import gazetteer
from knowledge.linking.store import link_documents
from knowledge.models import EventUnit, PersonaPost, Status, Topic, UnitType
from knowledge.publications import build, publication_cache
from mcpserver.kept import NEEDED, kept
from tests.ask.records import index
from tests.factories.knowledge import make_document, make_persona, make_pulse, make_source, make_unit
from tests.factories.series import make_series, observe
from tests.shared import Shared, shared

DAY = date(2026, 11, 19)
QUESTION = "가온코인은 누가 만들었어?"


@pytest.fixture(autouse=True)
def names_of_the_world() -> None:
    """What a test did to names was taken back after it, and would hold for a second."""
    gazetteer._checked_at = -inf


def make_world() -> None:
    """An asset with all that can belong to one."""
    now = timezone.now()
    asset = make_unit(
        "gaoncoin",
        "가온코인",
        symbol="GAON",
        summary="가온코인은 한새벽이 만든 결제용 가상자산이다. 발행 상한은 3억 개이다.",
        summary_en="Gaoncoin is a payment asset made by Han Saebyeok. Its cap is 300 million coins.",
        aliases=["Gaoncoin", "가온"],
    )
    former = make_unit("gaon-old", "옛가온", aliases=["OldGaon"])
    former.merged_into = asset
    former.save()
    make_unit("gone", "없어진코인", status=Status.RETRACTED)
    make_unit("secret", "비밀코인", status=Status.DRAFT)
    company = make_unit("maru-exchange", "마루거래소", type=UnitType.COMPANY, aliases=["Maru Exchange"])
    topic = make_unit(
        "gaon-premium",
        "가온 프리미엄",
        type=UnitType.TOPIC,
        summary="국내외 가온코인 가격의 차이이다.",
        aliases=["가온프리미엄"],
    )
    for number, label in enumerate(["가온코인 첫 상장", "가온코인 급락", "가온코인 재상장"], 1):
        event = make_unit(
            f"gaon-{number}",
            label,
            type=UnitType.EVENT,
            occurred_at=now - timedelta(days=40 - number * 10),
            summary=f"{label} 사건이다.",
        )
        for unit in (asset, company, topic):
            EventUnit.objects.create(event=event, unit=unit)
    paper = make_source("paper", name="새벽경제")
    documents = [
        make_document(
            paper,
            str(number),
            title=f"가온코인, 마루거래소에서 가온 프리미엄 {number}%",
            published_at=now - timedelta(hours=number),
            summary="마루거래소가 밝혔다.",
            content_sha256=str(number),
            fetched_at=now - timedelta(hours=number),
        )
        for number in range(1, 4)
    ]
    link_documents(documents)
    for hours, direction, size in ((2, "up", 12.5), (30, "down", -9.0)):
        make_pulse(
            asset,
            f"{hours:032d}",
            now - timedelta(hours=hours),
            direction=direction,
            magnitude_pct=size,
            confidence=0.8,
            summary="가온코인 4시간 새 크게 움직임",
            sources=[{"url": "https://market.example/gaon"}],
        )
    for place in range(8):
        slug = f"gaon-fee-{place}"
        label = f"가온코인 전송 수수료의 이름이 긴 {place}번째 단계"
        make_series(
            slug, holder=topic, label=label, cadence="live", position=place, unit="sat/vB", decimals=8
        )
        observe(slug, now - timedelta(days=1, minutes=10), 0.00000012)
        observe(slug, now - timedelta(minutes=10), 0.00000018)
    make_series("gaon-rate", holder=asset, label="가온 기준율", aliases=["gaon base rate"], cadence="monthly")
    observe("gaon-rate", now - timedelta(days=31), 3.5, period="2026-09")
    observe("gaon-rate", now - timedelta(hours=9), 3.25, period="2026-10")
    make_series("gaon-empty", holder=asset, label="아직 값이 없는 수", position=1)
    creator = make_unit("jangbu", "장부지기", type=UnitType.CREATOR)
    persona = make_persona(creator)
    post = PersonaPost.objects.create(
        persona=persona,
        slug="one",
        body="가온코인 장부는 고요하다.",
        status=Status.PUBLISHED,
        published_at=now,
    )
    post.units.add(asset)
    assert Topic.objects.published().count() == 1
    index()
    list(rehearse(3, until=DAY))
    SeedQuestion.objects.create(text=QUESTION)
    ask(QUESTION, now=now)


@pytest.fixture(scope="module")
def shared_world(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shared[None]]:
    with shared(make_world, django_db_blocker, tmp_path_factory.mktemp("world") / "archive") as made:
        yield made


@pytest.fixture
def world(shared_world: Shared[None], db: None, own_archive: Path) -> None:
    shared_world.brought_to(own_archive)


def publish() -> None:
    """What builder and listener do in a web process."""
    publication_cache.clear()
    build(now=timezone.now())
    for name in NEEDED:
        publication_cache.get(name)


@pytest.fixture
def published(world: None) -> Iterator[None]:
    """The world as production serves it: with its publications at hand, so that look-ups are kept."""
    publish()
    yield
    kept.clear()
