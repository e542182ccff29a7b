"""What kind of answer a question wants, and which of its words state a fact."""

import pytest

from ask import questions
from ask.questions import QuestionKind, is_question, kind_of
from tests.ask.records import maru
from tests.factories.knowledge import make_unit

KINDS = {
    QuestionKind.DEFINITION: [
        "마루코인이 뭐예요?",
        "에어드랍이란?",
        "솔빛 쉽게 설명 좀",
        "What is Marucoin?",
        "explain a rollup",
    ],
    QuestionKind.WHEN: [
        "마루코인 언제 나왔어",
        "시행일 알려줘",
        "When did Marucoin start?",
        "what year was it founded",
    ],
    QuestionKind.WHO: [
        "마루코인 누가 만들었어요",
        "대표 이름?",
        "Who founded Marucoin?",
        "who's the ceo these days",
    ],
    QuestionKind.WHY: [
        "마루코인은 왜 망했어?",
        "폭락한 이유가 뭐였지",
        "지금 왜 떨어졌어?",
        "Why did it fail?",
        "how come it fell",
    ],
    QuestionKind.HOW_MUCH: [
        "과징금 얼마 맞았지",
        "징역 몇 년 나왔어요?",
        "How much was stolen?",
        "how long is the sentence",
        "can you tell me how much was stolen",
    ],
    QuestionKind.HOW_MANY: [
        "발행 상한은 몇 개야?",
        "피해자는 몇 명이에요",
        "How many coins exist?",
        "marucoin max supply",
    ],
    QuestionKind.LIST: [
        "원화 거래소 어디어디 있어요?",
        "해킹 사건 정리해줘",
        "Name a few exchanges",
        "some examples please",
    ],
    QuestionKind.WHICH: ["제일 큰 거래소 어디야?", "국내 최초 거래소는?", "Which exchange is the largest?"],
    QuestionKind.HOW_STEPS: [
        "김프 계산 어떻게 해?",
        "입금하려면 뭐부터 해야되나요",
        "사기를 당하면 어떻게 하면 될까요",
        "How does staking work?",
    ],
    QuestionKind.WHAT_HAPPENED: [
        "마루코인 어떻게 됐어?",
        "그날 무슨 일 있었음?",
        "지금 어떻게 됐나요?",
        "What happened to Marucoin?",
        "What did the Marucoin upgrade change?",
    ],
    QuestionKind.DIFFERENCE: [
        "마루랑 솔빛 차이가 뭐야?",
        "뭐가 달라요",
        "LUNA vs LUNC?",
        "how is a CBDC different from a stablecoin",
        "마루랑 솔빛이랑 같은 코인이에요?",
        "are marucoin and solbit the same",
        "마루하고 솔빛은 각각 하는 일이 뭐야",
        "marucoin and solbit: what is each for",
    ],
    QuestionKind.YES_NO: [
        "도지코인 발행량 제한 있어?",
        "솔빛도 채굴할 수 있나요?",
        "Is tether backed?",
        "did CZ go to jail",
        "does a failed transaction still cost a fee",
        "이자 지급 가능 여부",
    ],
    QuestionKind.NOW: [
        "지금 비트코인 얼마야?",
        "도지 시세 좀",
        "오늘 환율 몇이야",
        "current ethereum price",
        "kimchi premium today",
    ],
    QuestionKind.ADVICE: [
        "마루코인이랑 솔빛 중에 하나만 골라줘",
        "누리거래소랑 별빛거래소 중에 어디가 나아요",
        "마루코인 이제 사면 에바?",
        "마루 연말엔 만 원 찍겠죠?",
        "엄마가 마루코인 하신다는데 말려야 되겠죠?",
        "time to dump my Marucoin?",
        *(
            "지금 비트코인 사도 될까요?",
            "리플 만원 갈까",
            "솔라나 내년 전망 어때요",
            "올해 안에 3억 가능?",
            "다음달에 김프 얼마나 낄까",
            "어디에 투자하면 될까요",
        ),
        *("Should I buy bitcoin now?", "will XRP ever hit $10", "bitcoin price prediction for 2030"),
    ],
}


@pytest.mark.parametrize(("kind", "asked"), [(kind, one) for kind, asked in KINDS.items() for one in asked])
def test_the_kind_of_a_question_is_told_by_its_words(kind: QuestionKind, asked: str) -> None:
    assert kind_of(asked) is kind


def test_what_somebody_holds_now_and_a_prediction_market_are_no_advice() -> None:
    for asked in (
        *("How many bitcoins does Maru hold now?", "what is buy now pay later"),
        *("how do prediction markets work", "예측시장이 뭐야", "예측 시장은 어떻게 돌아가?"),
    ):
        assert kind_of(asked) is not QuestionKind.ADVICE, asked
    assert kind_of("sell my Marucoin now") is QuestionKind.ADVICE


@pytest.mark.parametrize(
    ("kind", "typed"),
    [
        (QuestionKind.WHO, "마루 창업자"),
        (QuestionKind.WHO, "who runs the Maru exchange"),
        (QuestionKind.LIST, "who runs the Maru nodes"),
        (QuestionKind.WHO, "마루코인 ceo"),
        (QuestionKind.WHO, "marucoin founder"),
        (QuestionKind.WHEN, "마루 상장 시기"),
        (QuestionKind.WHEN, "maru launch date"),
        (QuestionKind.WHAT_HAPPENED, "마루 해킹 사건"),
        (QuestionKind.HOW_MANY, "마루코인 발행량"),
        (QuestionKind.HOW_MANY, "마루 회원수"),
        (QuestionKind.HOW_MUCH, "마루 과태료 액수"),
        (QuestionKind.YES_NO, "마루 상장 여부"),
        (QuestionKind.HOW_STEPS, "마루코인 옮기는 법"),
        (QuestionKind.DEFINITION, "존버 뜻"),
        (QuestionKind.LIST, "마루가 상장한 코인들"),
    ],
)
def test_key_words_ask_by_the_last_of_them(kind: QuestionKind, typed: str) -> None:
    assert kind_of(typed) is kind


def test_every_kind_is_asked_here() -> None:
    assert set(KINDS) == set(QuestionKind)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "content"),
    [
        ("마루코인 발행 상한은 몇 개인지 좀 알려주세요", {"발행", "상한"}),
        ("What happened to Marucoin?", set()),
        ("How much is the main cap of Marucoin?", {"cap"}),
        ("마루코인이 뭐예요?", set()),
        ("마루코인 상장 날짜 알려줘", {"상장"}),
        ("마루코인은 어떤 자산인가요?", set()),
        ("무우(MARUX)는 뭐가 달라요?", set()),
        ("Isn't there a cap of Marucoin?", {"cap"}),
    ],
)
def test_names_politeness_and_asking_words_state_no_fact(asked: str, content: set[str]) -> None:
    maru()
    assert {term for word in questions.read(asked).words for term, _surface in word.parts} == content


@pytest.mark.django_db
def test_a_doubtful_name_counts_as_in_a_crypto_channel() -> None:
    make_unit("luna", "루나", symbol="LUNA")
    read = questions.read("루나는 왜 망했어?")
    assert (read.named, read.kind, read.lang) == (("asset:luna",), QuestionKind.WHY, "ko")


@pytest.mark.django_db
def test_two_names_are_compared_and_years_are_read() -> None:
    maru()
    make_unit("solbit", "솔빛나루")
    read = questions.read("2023년 마루코인이랑 솔빛나루 차이가 뭐야?")
    assert read.compares
    assert read.years == ("2023",)
    assert questions.read("마루코인은 22년에 왜 10년 만에 바뀌었어?").years == ("2022",)
    assert not questions.read("마루코인 차이가 뭐야?").compares


@pytest.mark.django_db
def test_a_name_alone_wants_its_definition_and_a_name_with_a_word_what_the_word_says() -> None:
    maru()
    assert questions.read("마루코인").kind is QuestionKind.DEFINITION
    assert questions.read("마루코인 발행 상한은?").kind is QuestionKind.WHICH


@pytest.mark.django_db
def test_the_named_units_tell_as_much_as_words() -> None:
    maru()
    assert questions.read("마루코인이 뭐야?").understood.lexical.weights["§asset:marucoin"] == 1.0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("typed", "asks"),
    [
        ("마루코인?", True),
        ("마루코인 왜 떨어졌어", True),
        ("마루코인 발행량 제한 있어", True),
        ("과세 알려줘", True),
        ("비트코인 지금 가격", True),
        ("why did it fail", True),
        ("마루코인", False),
        ("솔라나", False),
        ("캔톤 네트워크", False),
        ("새벽거래소 해킹", False),
        ("규제 목록", False),
        ("누가 금고", False),
    ],
)
def test_a_name_is_told_from_a_question(typed: str, asks: bool) -> None:
    make_unit("who-vault", "누가 금고")
    assert is_question(typed) is asks
