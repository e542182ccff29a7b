"""A small invented world with something of every kind, for tests of what readers see."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import sin

from ask import drafts
from ask.hashing import question_hash
from ask.models import Answer, AnswerVersion, SeedQuestion
from knowledge.models import (
    Candle,
    EventUnit,
    Market,
    Mention,
    Observation,
    PersonaPost,
    Premium,
    Pulse,
    SeriesInput,
    Status,
    Unit,
    UnitType,
)
from knowledge.publications import build, publication_cache
from knowledge.search import indexing
from knowledge.series.recording import stored_value
from tests.factories.knowledge import make_document, make_persona, make_source, make_unit
from tests.factories.series import make_series, observe

QUESTION = "마루코인 발행 상한은 몇 개야?"


@dataclass(frozen=True)
class World:
    """The addresses that a reader may come to."""

    asset: Unit
    topic: Unit
    event: Unit
    later: Unit
    person: Unit
    persona: Unit
    answer: str


def make_world(now: datetime) -> World:
    """Everything published, indexed and built."""
    asset = make_unit(
        "marucoin",
        "마루코인",
        symbol="MARU",
        website="https://maru.example/",
        source_urls=["https://maru.example/whitepaper.pdf", "https://law.example/%EB%B2%95%EB%A0%B9/maru"],
        summary="마루코인은 도연우가 만든 결제용 가상자산이다. 발행 상한은 3억 6천만 개이고, "
        "넉 달마다 보상이 줄어든다.",
        summary_en="Marucoin is a payment asset with a cap of 360 million coins.",
        aliases=["Marucoin", "MARUX"],
    )
    topic = make_unit(
        "maru-premium",
        "마루 프리미엄",
        type=UnitType.TOPIC,
        source_urls=["https://paper.example/premium"],
        summary="국내 값이 나라 밖보다 비싼 만큼을 말한다.",
    )
    person = make_unit("do-yeonwoo", "도연우", type=UnitType.PERSON, summary="마루코인을 설계한 개발자이다.")
    event = _event("2026-03-maru-listing", "마루코인 새벽거래소 상장", now - timedelta(days=60), asset, topic)
    later = _event("2026-04-maru-halving", "마루코인 첫 보상 감소", now - timedelta(days=20), asset, person)
    _documents(asset, now)
    _numbers(asset, now)
    _series(asset, topic, now)
    _old_series(topic, now)
    persona = _persona(asset, now)
    answer = _answer(asset, now)
    while indexing.refresh():
        pass
    build(now=now, force=True)
    publication_cache.clear()
    return World(asset, topic, event, later, person, persona, answer)


def _event(slug: str, label: str, at: datetime, *subjects: Unit) -> Unit:
    event = make_unit(
        slug,
        label,
        type=UnitType.EVENT,
        occurred_at=at,
        summary=f"{label}이 있었다. 그날 거래량은 평소의 세 배였고 값은 하루 만에 제자리로 돌아왔다.",
    )
    EventUnit.objects.bulk_create(EventUnit(event=event, unit=subject) for subject in subjects)
    return event


def _documents(asset: Unit, now: datetime) -> None:
    paper = make_source("dawn", name="새벽경제", url="https://dawn.example/rss")
    channel = make_source("maru-tv", name="마루방송", kind="video", url="https://tv.example/rss")
    for number in range(26):
        source = paper if number % 3 else channel
        document = make_document(
            source,
            str(number),
            title=f"마루코인, {number + 1}번째 주 거래를 마치며 살펴본 세 가지",
            url=f"https://{source.slug}.example/{number}",
            summary="거래량과 수수료, 그리고 나라 안팎의 값 차이를 짚었다.",
            published_at=now - timedelta(days=3 * number, hours=number),
            fetched_at=now - timedelta(days=3 * number),
            content_sha256=str(number),
        )
        Mention.objects.create(document=document, unit=asset, start=0, end=4, surface="마루코인")


def _numbers(asset: Unit, now: datetime) -> None:
    market = Market.objects.create(venue="upbit", symbol="KRW-MARU", asset=asset)
    closes = [1400 + 240 * sin(day / 7) + 3 * day for day in range(80)]
    Candle.objects.bulk_create(
        Candle(
            market=market,
            interval="1d",
            at=(now - timedelta(days=80 - day)).replace(hour=0, minute=0, second=0, microsecond=0),
            **dict.fromkeys(("open", "high", "low", "close"), close),
            volume=1.0,
        )
        for day, close in enumerate(closes)
    )
    Premium.objects.bulk_create(
        Premium(
            asset=asset,
            at=now - timedelta(hours=2 * step),
            value=0.012 + 0.009 * sin(step / 9),
            upbit_krw=1500.0,
            upbit_at=now,
            binance_usd=1.1,
            binance_at=now,
            usdkrw=1370.0,
            usdkrw_at=now,
        )
        for step in range(100)
    )
    for number, (direction, size) in enumerate((("up", 9.4), ("down", -7.1))):
        Pulse.objects.create(
            key=f"{number:032x}",
            asset=asset,
            direction=direction,
            magnitude_pct=size,
            started_at=now - timedelta(hours=20 * number + 6),
            detected_at=now - timedelta(hours=20 * number + 3),
            horizon_hours=4,
            confidence=0.82,
            summary=f"마루코인이 네 시간 동안 {size:+.1f}% 움직였다.",
            sources=[{"url": "https://dawn.example/1"}],
        )


def _series(asset: Unit, topic: Unit, now: datetime) -> None:
    """A rate that may be passed on, and a price that may not."""
    make_series(
        "maru-rate",
        holder=topic,
        label="마루 기준율",
        label_en="Maru base rate",
        aliases=["마루 금리"],
        cadence="daily",
    )
    make_series(
        "price-marucoin",
        holder=asset,
        label="마루코인 원화 가격",
        label_en="MARU price in won",
        unit="KRW",
        cadence="live",
        redistributable=False,
    )
    for age in range(3):
        observe("maru-rate", now - timedelta(days=age), 3.25 - age / 4)
        observe("price-marucoin", now - timedelta(minutes=10 * age), 1520.5 - age)


def _old_series(topic: Unit, now: datetime) -> None:
    """A price that is overdue and may not be passed on, and a count without values, beside the topic's rate."""
    make_series("maru-count", holder=topic, label="마루 거래 수", unit="transactions", position=2)
    priced = {"unit": "KRW", "position": 1, "redistributable": False, "decimals": 0}
    make_series("price-maru", holder=topic, label="마루 원화 가격", label_en="MARU price in won", **priced)
    source = make_source("maru-bank", name="마루은행", homepage="https://bank.example/")
    SeriesInput.objects.filter(key__in=("maru-rate", "price-maru")).update(source=source)
    of = SeriesInput.objects.get(key="price-maru")
    prices = {now - timedelta(days=9 + day): 124_000_000 + 90_000 * sin(day) for day in range(30)}
    Observation.objects.bulk_create(
        Observation(input=of, at=at, value=stored_value(value), fetched_at=now)
        for at, value in prices.items()
    )


def _persona(asset: Unit, now: datetime) -> Unit:
    unit = make_unit("maru-ledger", "마루 장부", type=UnitType.CREATOR, summary="숫자부터 보는 기록원이다.")
    persona = make_persona(unit, glyph="◈")
    post = PersonaPost.objects.create(
        persona=persona,
        slug="one",
        body="거래량이 세 배라는 말은 값이 세 배라는 말이 아니다.\n장부에는 둘을 따로 적는다.",
        status=Status.PUBLISHED,
        published_at=now - timedelta(days=2),
    )
    post.units.add(asset)
    return unit


def _answer(asset: Unit, now: datetime) -> str:
    SeedQuestion.objects.create(text=QUESTION)
    answer = Answer.objects.create(
        question_hash=question_hash(QUESTION), question=QUESTION, lang="ko", created_at=now, checked_at=now
    )
    answer.current = AnswerVersion.objects.create(
        answer=answer,
        mode="extractive",
        body="다음은 기록에서 그대로 옮긴 문장입니다.\n\n발행 상한은 3억 6천만 개이고, 넉 달마다 보상이 줄어든다. [1]",
        citations=[{"label": asset.label, "url": asset.get_absolute_url(), "type": "asset"}],
        evidence_fingerprint="0" * 64,
        prompt_version=drafts.PROMPT_VERSION,
        generated_at=now - timedelta(hours=5),
    )
    answer.save()
    return answer.get_absolute_url()
