"""An answer states nothing to the digit or by name that the sentences it cites do not say."""

from dataclasses import replace
from typing import Any

import pytest

from ask.model_citations import UnusableAnswerError, draft
from ask.prompts import Prompt, SearchResultBlock
from ask.questions import QuestionKind
from ask.support import Rest, Support, claims
from tests.ask.model.cited_bodies import RIGHT, WRONG, Case, shown
from tests.ask.model.evidence import article, citation, cited_from, evidence, made, named, paid, unusable
from tests.fakes.messages_api import said

MARU = "마루코인의 상한은 3억 6천만 개다."


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.says)
def test_what_the_cited_sentence_does_not_say_is_not_shown(case: Case) -> None:
    assert shown(case) is None


def test_what_it_says_in_other_words_is_shown() -> None:
    refused = [case for case in RIGHT if shown(case) is None]
    assert len(refused) <= 0.05 * len(RIGHT), refused


def test_there_are_enough_bodies_of_both() -> None:
    assert min(len(RIGHT), len(WRONG)) >= 40


def test_one_wrong_sentence_is_left_out_and_the_others_stay() -> None:
    answer = made(
        said(MARU, citation(0, 0, 2)),
        said(" 하늘코인은 9억 개다.", citation(0, 0, 2)),
        said(" 11월에 상장됐다.", citation(1)),
    )
    assert answer.body == f"{MARU} [1] 11월에 상장됐다. [2]"
    in_one_block = made(said(f"{MARU} 9억 개다. 가상자산이다.", citation(0, 0, 2)))
    assert in_one_block.body == f"{MARU} 가상자산이다. [1]"


def test_a_sentence_goes_whole_when_one_of_its_blocks_says_too_much() -> None:
    answer = made(
        said(f"{MARU} 마루코인은 결제용으로 쓰는 가상자산이다.", citation(0, 0, 2)),
        said(" 마루코인은 결제용이며", citation(0, 0, 2)),
        said(" 2030년에 사라진다.", citation(0, 0, 2)),
    )
    assert answer.body == f"{MARU} 마루코인은 결제용으로 쓰는 가상자산이다. [1]"


def test_a_number_has_to_stand_in_what_its_own_block_cites() -> None:
    assert made(
        said("상한은 3억 6천만 개이고", citation(0, 1, 2)), said(" 11월에 상장됐다.", citation(1))
    ).citations
    swapped = said("상한은 3억 6천만 개이고", citation(1)), said(" 11월에 상장됐다.", citation(0, 1, 2))
    assert unusable(*swapped) == "no citation"


def test_a_sentence_that_cites_nothing_is_left_out() -> None:
    answer = made(said(MARU, citation(0, 0, 2)), said(" 앞으로 크게 오를 것이다."))
    assert answer.body == f"{MARU} [1]"
    without_blank = made(said(MARU, citation(0, 0, 2)), said("앞으로 크게 오를 것이다."))
    assert without_blank.body == f"{MARU} [1]"
    english = "Marucoin has a cap of 360 million coins."
    answer = made(said(english, citation(0, 0, 2)), said("It will rise a lot."), lang="en")
    assert answer.body == f"{english} [1]"


def test_a_short_lead_into_a_cited_block_stays() -> None:
    answer = made(said("기록에 따르면 "), said(MARU, citation(0, 0, 2)))
    assert answer.body == f"기록에 따르면 {MARU} [1]"
    assert unusable(said("2019년에는 "), said(MARU, citation(0, 0, 2))) == "no citation"


def test_a_sentence_in_another_language_is_left_out() -> None:
    answer = made(said(MARU, citation(0, 0, 2)), said(" It is one.", citation(0)))
    assert answer.body == f"{MARU} [1]"
    english = "Marucoin (마루코인) has a cap of 360 million coins."
    answer = made(said(english, citation(0, 0, 2)), said(" 가상자산이다.", citation(0)), lang="en")
    assert answer.body == f"{english} [1]"


def test_nobody_but_a_persona_speaks_as_one() -> None:
    long = f"{MARU} 마루코인은 결제용으로 쓰는 가상자산이다."
    pose = " ◆ 장부지기 · AI persona: 비싸다."
    assert made(said(long, citation(0, 0, 2)), said(pose, citation(1))).body == f"{long} [1]"
    assert made(said(long, citation(0, 0, 2)), said(pose, citation(2))).body.endswith("비싸다. [2]")


def test_what_is_left_out_counts_as_written() -> None:
    wrong = said(" 하늘코인의 상한은 9억 9천만 개이고 2031년에 바뀐다.", citation(0, 0, 2))
    assert unusable(said(MARU, citation(0, 0, 2)), wrong) == "too little is cited"


def test_two_figures_made_for_a_question_are_two_sources() -> None:
    texts = ("시세: 1,391원.", "거래량: 52억 원.")
    figures = [evidence(0, text, pk=None, title="수치", url=f"/asset/{at}") for at, text in enumerate(texts)]
    sources = tuple(SearchResultBlock(one, (text,)) for one, text in zip(figures, texts, strict=True))
    cited = [cited_from(source, index) for index, source in enumerate(sources)]
    answer = draft(paid(said(" ".join(texts), *cited)), Prompt("?", "ko", QuestionKind.WHICH, sources), named)
    assert [one["url"] for one in answer.citations] == ["/asset/0", "/asset/1"]


def test_a_documents_day_is_the_day_of_its_label() -> None:
    sentences = ("마루코인, 20일 상장",)
    bare = article(0, "마루코인, 20일 상장", "")
    dated = replace(bare, citation=replace(bare.citation, label="마루코인, 새벽경제, 2026-11-20"))
    for news, is_shown in ((dated, True), (bare, False)):
        source = SearchResultBlock(news, sentences)
        block = said("2026년 11월 20일 상장했다.", cited_from(source))
        assert is_usable(block, source) is is_shown


def is_usable(block: dict[str, Any], source: SearchResultBlock) -> bool:
    try:
        return bool(draft(paid(block), Prompt("?", "ko", QuestionKind.WHICH, (source,)), named).citations)
    except UnusableAnswerError:
        return False


def test_letters_that_grow_when_they_are_lowered_move_no_claim() -> None:
    text = "İİİ 일본."
    (claim,) = claims(text, named)
    assert text[claim.start : claim.end] == "일본"


@pytest.mark.parametrize(
    ("name", "is_written"),
    [("넴", True), ("다온 거래소", True), ("하늘", False), ("Daon's", True), ("NEM", False), ("XE", False)],
)
def test_a_name_is_written_whatever_the_linker_thinks_of_the_sentence(name: str, is_written: bool) -> None:
    sentence = "넴(XEM)은 다온거래소(Daon Exchange)에 있다."
    support = Support([Rest(evidence(0, sentence), (sentence,))], "?", lambda _text: [])
    assert support.writes(name) is is_written
