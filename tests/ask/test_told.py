"""What programs get of an answer: no mark without its citation, and no opinion among facts."""

import pytest

from ask.models import AnswerVersion, Mode
from ask.told import ONLY_OPINIONS, told

COIN = {"label": "가온코인", "url": "/asset/gaoncoin", "type": "asset"}
EVENT = {"label": "첫 상장", "url": "/event/gaon-1", "type": "event"}
PERSONA = {"label": "◆ 장부지기 · AI persona", "url": "/creator/jangbu", "type": "creator"}
QUOTED = """\
다음은 기록에서 그대로 옮긴 문장입니다.

가온코인은 결제용이다. [1]
상한은 3억 개이다. [1]

2024년에 상장했다. [2]

◆ 장부지기 · AI persona: 장부는 고요하다: 늘 그렇다. [3]"""


def version(body: str, *citations: dict[str, str], mode: Mode = Mode.EXTRACTIVE) -> AnswerVersion:
    return AnswerVersion(body=body, citations=list(citations), mode=mode)


def test_an_opinion_stands_apart_from_what_the_records_say() -> None:
    parts = told(version(QUOTED, COIN, EVENT, PERSONA), 12)
    assert "장부" not in parts.text
    assert parts.text.endswith("2024년에 상장했다. [2]")
    assert parts.numbers == (1, 2)
    assert [(one.text, one.number) for one in parts.opinions] == [("장부는 고요하다: 늘 그렇다.", 3)]


@pytest.mark.parametrize("most", [1, 2])
def test_marks_of_citations_that_are_not_given_are_left_out(most: int) -> None:
    parts = told(version(QUOTED, COIN, EVENT, PERSONA), most)
    assert parts.numbers == (1, 2)[:most]
    assert ("상장했다. [2]" in parts.text) is (most == 2)
    assert "2024년에 상장했다." in parts.text


def test_where_personas_alone_speak_the_answer_says_so() -> None:
    body = "다음은 기록에서 그대로 옮긴 문장입니다.\n\n◆ 장부지기 · AI persona: 고요하다. [1]"
    parts = told(version(body, PERSONA), 12)
    assert parts.text == ONLY_OPINIONS["ko"]
    assert parts.numbers == ()
    assert parts.opinions[0].text == "고요하다."


def test_an_answer_that_says_there_is_none_stays_as_it_is() -> None:
    parts = told(version("이 질문에 답할 수 있는 기록을 찾지 못했습니다.", mode=Mode.NONE), 12)
    assert (parts.text, parts.numbers, parts.opinions) == (
        "이 질문에 답할 수 있는 기록을 찾지 못했습니다.",
        (),
        (),
    )


def test_a_models_sentence_that_rests_on_a_persona_is_an_opinion_as_a_whole() -> None:
    body = (
        "가온코인은 결제용이다. [1] AI persona 장부지기는 [3] 장부가 고요하다고 본다. [1] [3] "
        "2024년에 상장했다. [2]\n\n끝이다."
    )
    parts = told(version(body, COIN, EVENT, PERSONA, mode=Mode.LLM), 12)
    assert parts.text == "가온코인은 결제용이다. [1] 2024년에 상장했다. [2]\n\n끝이다."
    assert [(one.text, one.number) for one in parts.opinions] == [
        ("AI persona 장부지기는 장부가 고요하다고 본다.", 3)
    ]


def test_a_model_may_cite_several_in_one_sentence() -> None:
    body = "가온코인은 결제용이고 [1] 2024년에 상장했다. [1] [2]"
    parts = told(version(body, COIN, EVENT, mode=Mode.LLM), 1)
    assert parts.text == "가온코인은 결제용이고 [1] 2024년에 상장했다. [1]"
