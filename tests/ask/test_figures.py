"""What named units measure now is offered to answers, and cited by the page that shows the number."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ask import drafts, questions
from ask.asked_units import asked_units
from ask.evidence import gather
from ask.figures import passages_about
from knowledge.models import Alias, Category, PulseKind, Series, Unit, UnitType
from knowledge.search import indexing
from knowledge.search.ranking import understand
from tests.factories.knowledge import NOON, make_pulse, make_unit
from tests.factories.series import make_series, observe

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def numbers() -> None:
    rate = make_unit(
        "bok-rate", "한국은행 기준금리", type=UnitType.TOPIC, summary="한국은행 기준금리는 정책금리이다."
    )
    make_series("bok-base-rate", holder=rate, label="한국은행 기준금리", label_en="Bank of Korea base rate")
    observe("bok-base-rate", NOON - DAY, 2.5, period="2026-11-19")
    observe("bok-base-rate", NOON - 8 * DAY, 2.75, period="2026-11-12")
    coin = make_unit(
        "btc", "비트코인", symbol="BTC", aliases=["bitcoin"], summary="비트코인은 최초의 가상자산이다."
    )
    price = {"label": "비트코인 원화 가격", "label_en": "BTC price in won", "aliases": ["비트코인 시세"]}
    make_series("price-btc", holder=coin, unit="KRW", cadence="live", decimals=0, **price)
    make_series("bitcoin-height", holder=coin, unit="blocks", cadence="live", position=1, label="블록 높이")
    observe("price-btc", NOON - DAY / 24, 142_000_000)
    observe("bitcoin-height", NOON, 920_000)
    while indexing.refresh(limit=500):
        pass


def said(question: str) -> list[tuple[str, str]]:
    return [
        (one.hit.text, one.citation.url)
        for one in gather(questions.read(question), now=NOON)
        if one.hit.pk is None
    ]


def test_a_question_for_a_number_gets_value_time_and_change() -> None:
    assert said("한국은행 기준금리는 지금 얼마야?") == [
        (
            "한국은행 기준금리: 2.50% (2026년 11월 19일), 앞 값보다 −0.25%p, 일주일 전보다 −0.25%p.",
            "/topic/bok-rate",
        )
    ]


def test_an_english_question_gets_english() -> None:
    ((text, url),) = said("What is the bitcoin price today?")
    assert text.startswith("BTC price in won: 142,000,000 won (20 November 2026 11:00 KST")
    assert url == "/asset/btc"


def test_a_series_is_offered_by_its_own_name() -> None:
    assert [text.partition(":")[0] for text, _url in said("비트코인 블록 높이")] == ["블록 높이"]


@pytest.mark.parametrize(
    ("question", "url"),
    [
        ("기준금리는 지금 얼마야?", "/topic/bok-rate"),
        ("기준금리", "/topic/bok-rate"),
        ("What is the base-rate now?", "/topic/bok-rate"),
        ("미국 기준금리는 얼마?", "/topic/fomc"),  # not the shorter name in it
        ("기준금리 목표는 얼마?", "/topic/fomc"),
        ("시급은 얼마야?", ""),
        ("기준금리차는 얼마야?", ""),  # another word
    ],
)
def test_a_unit_is_meant_by_the_name_of_a_series_that_it_holds(question: str, url: str) -> None:
    Series.objects.filter(slug="bok-base-rate").update(aliases=["기준금리", "base rate"])
    board = make_unit("fomc", "연방공개시장위원회", type=UnitType.TOPIC)
    make_series(
        "fed-funds-target",
        holder=board,
        label="연방기금금리 목표",
        aliases=["미국 기준금리", "기준금리 목표"],
    )
    observe("fed-funds-target", NOON, 3.75)
    assert {cited for _text, cited in said(question)} == ({url} if url else set())


def test_a_name_that_something_else_bears_is_left_to_it() -> None:
    Series.objects.filter(slug="bok-base-rate").update(aliases=["마루"])
    make_unit("maru", "마루")
    assert said("마루 지금 얼마야?") == []
    Alias.objects.create(unit=Unit.objects.get(slug="btc"), surface="블록 높이")
    assert [text.partition(":")[0] for text, _url in said("블록 높이 얼마야?")] == [
        "블록 높이",
        "비트코인 원화 가격",
    ]


def test_who_asks_what_a_thing_is_gets_no_price() -> None:
    assert said("비트코인이 뭐야?") == []


def test_an_overdue_value_says_its_age() -> None:
    (old,) = [
        one.hit.text
        for one in gather(questions.read("비트코인 시세"), now=NOON + 2 * DAY)
        if one.hit.pk is None
    ]
    assert "2일 전 값" in old


def test_nothing_is_read_of_series_that_are_not_asked_for() -> None:
    units = asked_units([unit.public_id for unit in Unit.objects.filter(slug="btc")])

    def queries(asked: str) -> int:
        question = understand(asked)
        with CaptureQueriesContext(connection) as made:
            list(passages_about(question, units, now=NOON))
        assert not any(
            "ntile" in each["sql"] or "row_number" in each["sql"] for each in made.captured_queries
        )
        return len(made)

    assert queries("비트코인이 뭐야?") + 4 == queries("비트코인 가격 지금 얼마?")


def test_the_newest_pulse_stands_beside_the_price() -> None:
    asset = Unit.objects.get(slug="btc")
    pulse = make_pulse(asset, "fall", detected_at=NOON - DAY, kind=PulseKind.PRICE)
    texts = [text for text, _url in said("비트코인 가격 지금 얼마?")]
    assert pulse.summary in texts
    assert len(texts) == 2


def test_a_figure_is_said_under_its_own_lead() -> None:
    question = questions.read("비트코인 지금 얼마야?")
    draft = drafts.compose(question, gather(question, now=NOON))
    lead, said = draft.body.split("\n\n")
    assert lead == drafts.FIGURE_LEADS["ko"]
    assert said.startswith("비트코인 원화 가격: 142,000,000원")


@pytest.mark.parametrize(
    "asked",
    [
        "비트코인 총 몇 개까지 나와요?",
        "How many bitcoins will there ever be?",
        "비상계엄 때 비트코인 가격은 얼마까지 떨어졌나요?",
        "비트코인 가격 2017년에 얼마였어?",
        "스트래티지는 비트코인을 얼마에 샀어?",
        "비트코인 블록 높이가 뭐야?",
    ],
)
def test_what_is_counted_or_was_once_is_no_figure_of_now(asked: str) -> None:
    make_unit("martial-law", "비상계엄 급락", type=UnitType.EVENT, asked_as=["비상계엄"])
    make_unit("strategy", "스트래티지", type=UnitType.COMPANY)
    question = questions.read(asked)
    assert drafts.FIGURE_LEADS[question.lang] not in drafts.compose(question, gather(question, now=NOON)).body


@pytest.mark.parametrize("asked", ["비트코인 얼마야?", "업비트 비트코인 가격은 얼마야?", "비트코인 시세"])
def test_what_something_costs_is_a_figure_of_now(asked: str) -> None:
    make_unit("upbit", "업비트", type=UnitType.COMPANY, category=Category.EXCHANGE)
    question = questions.read(asked)
    assert drafts.compose(question, gather(question, now=NOON)).body.startswith(drafts.FIGURE_LEADS["ko"])
