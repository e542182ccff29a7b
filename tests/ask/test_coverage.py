"""How much of what a question asks a text tells."""

import pytest
from django.db import connection

from ask import questions, relevance
from ask.concepts import told
from ask.coverage import SharedSpelling, body_of, held, pairs_of, share, together
from ask.kind_evidence import (
    asks_ahead,
    asks_lately,
    asks_now,
    fits,
    points_back,
    tells_ahead,
    tells_number_asked,
)
from ask.questions import QuestionKind, Word
from knowledge.linking import gazetteer
from knowledge.search import morphemes
from tests.ask.records import maru
from tests.factories.knowledge import make_unit


def word(written: str, *parts: str, tells: float = 1.0, is_noun: bool = True) -> Word:
    return Word(
        written, tuple((part, part) for part in parts or (written,)), tells, is_noun, False, told(written)
    )


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [
        (word("감옥"), "권도형은 징역 15년을 선고받았다.", 1.0),
        (word("founder"), "It was founded in 2012.", 1.0),
        (word("전화번호"), "본사는 전주에 있다.", 0.0),
        (word("발행량", "발", "행량"), "총발행량은 3억 개이다.", 1.0),
        (word("마루바치", "마루", "바치"), "마루를 내렸다.", 0.25),
    ],
    ids=[
        "another word of its concept",
        "a word that begins alike",
        "nothing",
        "the whole word",
        "a part of it",
    ],
)
def test_a_word_is_told_in_whatever_form_it_is_answered(asked: Word, text: str, expected: float) -> None:
    assert held([asked], text) == (expected,)


def test_a_noun_that_no_record_has_and_that_begins_alike_is_half_told() -> None:
    unknown = Word("마루색깔", (("마루색깔", "마루색깔"),), 1.0, is_noun=True, is_unknown=True)
    assert held([unknown], "마루를 깔았다.") == (0.5,)


def test_the_share_counts_what_words_tell() -> None:
    asked = [word("상한", tells=3.0), word("색", tells=1.0, is_noun=False)]
    assert share((1.0, 0.0), asked) == 0.75
    assert share((1.0, 0.0), asked, among=[False, True]) == 0.0
    assert share((), [], empty=1.0) == 1.0
    assert together((1.0, 0.0), (0.0, 0.5)) == (1.0, 0.5)


def test_spelling_is_compared_by_pairs_of_characters_and_the_beginnings_of_latin_words() -> None:
    assert pairs_of("대폭락 liquidations 5") == {"대폭", "폭락", "liquid", "5"}


@pytest.mark.django_db
def test_names_are_no_part_of_the_spelling_that_is_compared() -> None:
    maru()
    question = questions.read("마루코인 수수료율은?")
    texts = ["마루코인은 결제용이다.", "수수료율은 0.4%이다."]
    spelling = SharedSpelling(question, texts)
    assert spelling.share(texts[0]) == 0.0
    assert spelling.share(texts[1]) > 0.5


def test_a_text_is_analysed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For its morphemes and its concepts alike, however many questions it answers."""
    analysed: list[str] = []
    analyse = morphemes.analyse

    def counted(text: str) -> list[morphemes.Token]:
        analysed.append(text)
        return analyse(text)

    monkeypatch.setattr(morphemes, "analyse", counted)
    text = "연봉은 징역과 발행량보다 먼저 알려졌다."
    first, second = body_of(text), body_of(text)
    assert first is second
    assert first.terms
    assert first.concepts
    assert analysed == [text]


@pytest.mark.django_db
def test_what_was_read_by_former_names_is_read_again() -> None:
    text = "솔빛나루는 저장소이다."
    gazetteer.newest_gazetteer()
    assert "솔빛나루" not in body_of(text).terms
    assert relevance.units_mentioned(text) == frozenset()
    make_unit("naru", "솔빛나루")
    connection.check_constraints()
    gazetteer.newest_gazetteer()
    assert "솔빛나루" in body_of(text).terms
    assert relevance.units_mentioned(text) == {"asset:naru"}


@pytest.mark.parametrize(
    ("sentence", "kind", "lang", "expected"),
    [
        ("마루코인은 2022년 3월에 나왔다.", QuestionKind.WHEN, "ko", True),
        ("마루코인은 결제용이다.", QuestionKind.WHEN, "ko", False),
        ("마루코인은 2022년 3월에 나왔다.", QuestionKind.HOW_MANY, "ko", False),
        ("발행 상한은 3억 개이다.", QuestionKind.HOW_MANY, "ko", True),
        ("It was started by Billy Markus.", QuestionKind.WHO, "en", True),
        ("It was built for high throughput.", QuestionKind.WHO, "en", False),
        ("발행 상한은 없다.", QuestionKind.YES_NO, "ko", True),
        ("무엇이든 말한다.", QuestionKind.YES_NO, "ko", False),
        ("Unlike Maru, Naru is capped.", QuestionKind.DIFFERENCE, "en", True),
        ("Naru is capped.", QuestionKind.DIFFERENCE, "en", False),
    ],
)
def test_a_sentence_fits_a_kind_that_it_says_something_of(
    sentence: str, kind: QuestionKind, lang: questions.Language, expected: bool
) -> None:
    assert fits(sentence, kind, lang, defines=False) is expected


def test_a_definition_is_the_first_sentence() -> None:
    assert fits("마루코인은 결제용이다.", QuestionKind.DEFINITION, "ko", defines=True)
    assert not fits("마루코인은 결제용이다.", QuestionKind.DEFINITION, "ko", defines=False)


def test_a_sentence_without_its_subject_points_back() -> None:
    assert points_back("이는 2022년에 시작되었다.", "ko")
    assert not points_back("마루코인은 2022년에 시작되었다.", "ko")


@pytest.mark.parametrize(
    ("question", "sentence", "lang", "expected"),
    [
        ("직원이 몇 명이야", "직원은 2024년 말 312명이다.", "ko", True),
        ("직원이 몇 명이야", "직원에게 2024년에 12억 원을 주었다.", "ko", False),
        ("세율이 몇 퍼센트야", "22%의 세율을 적용한다.", "ko", True),
        ("교환 비율은", "교환은 1대 2.54로 한다.", "ko", True),
        ("교환 비율은", "마루 1주에 나루 2.54주를 준다.", "ko", True),
        ("코인이 몇 개야", "과태료 352억 원을 물었다.", "ko", False),
        ("코인이 몇 개야", "유통량은 352억이다.", "ko", True),
        ("how many users does it have", "It had 15.5 million users at the end of 2025.", "en", True),
        ("how many users does it have", "It has 5 offices.", "en", False),
        ("언제 시작했어", "2022년에 시작했다.", "ko", None),
    ],
)
def test_a_number_answers_in_the_unit_that_is_asked_for(
    question: str, sentence: str, lang: questions.Language, expected: bool | None
) -> None:
    assert tells_number_asked(question, sentence, lang) is expected


def test_what_happens_in_these_days_is_asked_for_by_words() -> None:
    assert asks_lately("오늘 아침에 접속이 안 되던데", "ko")
    assert asks_lately("was it down yesterday", "en")
    assert not asks_lately("is it down at the moment", "en")
    assert asks_now("is it down at the moment", "en")
    assert not asks_lately("지금까지 몇 번 멈췄어", "ko")


def test_what_is_still_to_come_is_asked_for_and_told_by_words() -> None:
    assert asks_ahead("다음 반감기는 언제야", "ko")
    assert asks_ahead("when is the next halving", "en")
    assert asks_ahead("위믹스는 언제 다시 나오나요", "ko")
    assert not asks_ahead("언제 시작했어", "ko")
    assert not asks_ahead("언제 나왔어", "ko")
    assert tells_ahead("2028년으로 예상된다.", "ko")
    assert tells_ahead("It is expected in 2028.", "en")
    assert not tells_ahead("2012년에 있었다.", "ko")
