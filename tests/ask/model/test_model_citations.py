"""No citation is believed that does not say exactly what we sent; and enough has to be cited."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from ask.drafts import NOTHING_FOUND
from ask.model_citations import ANSWER_MAX_LENGTH, DECLINED, accepted
from ask.models import Mode
from tests.ask.model.evidence import FIRST, SECOND, THIRD, citation, made, prompt, unusable, without
from tests.fakes.messages_api import said

# What a forger, a confused model or a changed API could put into a citation. Each differs from a true one in a way.
TRUE = citation()
FORGED: dict[str, Any] = {
    "not an object": "search_result_location",
    "null": None,
    "a list": [TRUE],
    "an empty object": {},
    "no type": without(TRUE, "type"),
    "type null": citation(type=None),
    "a character location": citation(type="char_location"),
    "a page location": citation(type="page_location"),
    "a content block location": citation(type="content_block_location"),
    "a web search location": citation(type="web_search_result_location", url="/asset/unit-0"),
    "type in capitals": citation(type="SEARCH_RESULT_LOCATION"),
    "type in a list": citation(type=["search_result_location"]),
    "no index": without(TRUE, "search_result_index"),
    "index null": citation(search_result_index=None),
    "index after the last": citation(search_result_index=4),
    "index far away": citation(search_result_index=10**20),
    "index -1": citation(search_result_index=-1),
    "index -3, which Python takes for the first": citation(search_result_index=-3),
    "index as text": citation(search_result_index="0"),
    "index as a fraction": citation(search_result_index=0.0),
    "index false": citation(search_result_index=False),
    "index of another source": citation(search_result_index=1),
    "no source": without(TRUE, "source"),
    "source null": citation(source=None),
    "source of another": citation(source="/asset/unit-1"),
    "source elsewhere": citation(source="https://evil.example/asset/unit-0"),
    "source with our host": citation(source="https://madang.example/asset/unit-0"),
    "source with a slash more": citation(source="/asset/unit-0/"),
    "source in capitals": citation(source="/ASSET/UNIT-0"),
    "source as script": citation(source="javascript:alert(1)"),
    "no start": without(TRUE, "start_block_index"),
    "start null": citation(start_block_index=None),
    "start as text": citation(start_block_index="0"),
    "start false": citation(start_block_index=False),
    "start -1": citation(start_block_index=-1),
    "start -2, which Python takes for the first": citation(start_block_index=-2),
    "start at the end": citation(start_block_index=1),
    "start after the end": citation(start_block_index=2),
    "no end": without(TRUE, "end_block_index"),
    "end null": citation(end_block_index=None),
    "end 0": citation(end_block_index=0),
    "end true": citation(end_block_index=True),
    "end as a fraction": citation(end_block_index=1.0),
    "end past the last block": citation(end_block_index=3, cited_text="".join(FIRST)),
    "end far away": citation(end_block_index=10**20, cited_text="".join(FIRST)),
    "end -1": citation(end_block_index=-1),
    "nothing cited at the end": citation(start_block_index=2, end_block_index=2, cited_text=""),
    "no cited text": without(TRUE, "cited_text"),
    "cited text null": citation(cited_text=None),
    "cited text empty": citation(cited_text=""),
    "cited text of the other block": citation(cited_text=FIRST[1]),
    "cited text of both blocks": citation(cited_text="".join(FIRST)),
    "cited text of another source": citation(cited_text=SECOND[0]),
    "cited text with a number changed": citation(0, 1, 2, cited_text=FIRST[1].replace("3", "9")),
    "cited text with a letter more": citation(cited_text=FIRST[0] + " "),
    "cited text with a letter less": citation(cited_text=FIRST[0][:-1]),
    "cited text in a list": citation(cited_text=[FIRST[0]]),
    "cited text of both, parted": citation(0, 0, 2, cited_text=" ".join(FIRST)),
    "cited text in other words": citation(cited_text="마루코인은 가상자산이다."),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_citation_is_not_accepted(name: str) -> None:
    assert accepted(FORGED[name], prompt().sources) is None
    assert unusable(said("마루코인은 망했다.", FORGED[name])) == "no citation"


def test_what_the_forgeries_below_are_made_from_is_accepted() -> None:
    assert accepted(TRUE, prompt().sources) is not None


@pytest.mark.parametrize(("index", "start", "end"), [(0, 0, 1), (0, 1, 2), (0, 0, 2), (1, 0, 1), (2, 0, 1)])
def test_every_true_citation_is_accepted(index: int, start: int, end: int) -> None:
    sources = prompt().sources
    rest = accepted(citation(index, start, end), sources)
    assert rest is not None
    assert (rest.evidence, rest.sentences) == (sources[index].evidence, sources[index].sentences[start:end])


@pytest.mark.parametrize("citations", [None, {}, "x", 3, [None], [[]]])
def test_citations_of_any_other_shape_are_none(citations: object) -> None:
    assert unusable({"type": "text", "text": "마루코인은 망했다.", "citations": citations}) == "no citation"


def test_an_answer_numbers_its_sources_as_they_first_appear() -> None:
    answer = made(
        said("11월에 상장됐다.", citation(1)),
        said(" "),
        said("상한은 3억 6천만 개다.", citation(0, 1, 2), citation(1), citation(0, 0, 2)),
    )
    assert answer.body == "11월에 상장됐다. [1] 상한은 3억 6천만 개다. [2] [1]"
    assert answer.citations == (
        {"label": "단위 1", "url": "/asset/unit-1", "type": "asset"},
        {"label": "단위 0", "url": "/asset/unit-0", "type": "asset"},
    )
    assert answer.cited_keys == ("unit:1", "unit:101", "unit:0", "unit:100")
    assert (answer.mode, answer.model, answer.cost_micro_usd) == (Mode.LLM, "claude-haiku-5-5", 42)


def test_label_and_address_never_come_from_the_model() -> None:
    answer = made(said("상한은 3억 6천만 개다.", citation(0, 1, 2, title="<b>가짜</b>")))
    assert answer.citations[0]["label"] == "단위 0"


def test_sources_that_are_not_cited_are_not_listed() -> None:
    assert len(made(said("상한은 3억 6천만 개다.", citation(0, 1, 2))).citations) == 1


@pytest.mark.parametrize(
    "leak",
    [
        '<cite index="0-1">상한은 3억 6천만 개다.</cite>',
        '<CITE index="1,2">상한은 3억 6천만 개다.</CITE>',
        "<citations>상한은 3억 6천만 개다.</citations>",
        "상한은 3억 6천만 개다. [7]",
        "상한은 3억 6천만 개다.[1, 2]",
        "상한은 3억\u200b 6천만\u202e 개다.",
    ],
)
def test_markup_and_marks_that_leak_into_the_text_are_stripped(leak: str) -> None:
    assert made(said(leak, citation(0, 1, 2))).body == "상한은 3억 6천만 개다. [1]"


@pytest.mark.parametrize(
    "blocks",
    [
        ("상한은 [[2]1] 3억 6천만 개다.",),
        ("상한은 [[[3]2]1] 3억 6천만 개다.",),
        ("상한은 [", "1] 3억 6천만 개다."),
        ("상한은 [1", "] 3억 6천만 개다."),
        ("상한은 <ci<cite>te> 3억 6천만 개다.",),
        ("상한은 <ci[4]te> 3억 6천만 개다.",),
        ("상한은 <cite", ' index="1"> 3억 6천만 개다.'),
        ("상한은 \x02\x021\x03 3억 6천만 개다.",),
        ("상한은 [\u200b1\u200b] 3억 6천만 개다.",),
    ],
)
def test_no_mark_can_be_put_together_from_pieces(blocks: Sequence[str]) -> None:
    *first, last = blocks
    # The fourth source has a 1 in it, which nobody is to be told.
    body = made(*(said(one) for one in first), said(last, citation(0, 1, 2), citation(3))).body
    assert re.findall(r"\[[^\]]*\]|<|>", body) == ["[1]", "[2]"]
    assert body.endswith("개다. [1] [2]")


def test_an_answer_that_cites_too_little_is_not_used() -> None:
    cited, bare = f"{'가' * 58}다. ", f"{'나' * 40}다."
    assert unusable(said(cited, citation()), said(bare)) == "too little is cited"
    assert made(said(f"가{cited}", citation()), said(bare[1:])).mode == Mode.LLM


def test_spaces_between_citations_do_not_count() -> None:
    assert made(said("가" * 10, citation()), said(" \n\n" * 50)).mode == Mode.LLM


def test_thinking_and_tools_are_no_text() -> None:
    answer = made(
        {"type": "thinking", "thinking": "비밀", "signature": "x"},
        {"type": "redacted_thinking", "data": "비밀"},
        {"type": "something_new", "text": "비밀"},
        said("상한은 3억 6천만 개다.", citation(0, 1, 2)),
    )
    assert "비밀" not in answer.body


def test_an_answer_cut_off_ends_with_its_last_citation() -> None:
    answer = made(
        said("상한은 3억 6천만 개다.", citation(0, 1, 2)),
        said(" 그리고 또한 무엇보다"),
        stop_reason="max_tokens",
    )
    assert answer.body == "상한은 3억 6천만 개다. [1]"
    assert unusable(said("그리고 또한"), stop_reason="max_tokens") == "no citation"


def test_a_refusal_is_an_honest_none_that_was_paid() -> None:
    answer = made(stop_reason="refusal")
    assert (answer.mode, answer.body, answer.citations) == (Mode.NONE, DECLINED["ko"], ())
    assert answer.cost_micro_usd == 42


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_not_in_the_records_is_said_in_our_words(lang: str) -> None:
    answer = made(said("NOT_IN_RECORDS"), lang=lang)
    assert (answer.mode, answer.body) == (Mode.NONE, NOTHING_FOUND[lang])  # type: ignore[index]


@pytest.mark.parametrize("stop_reason", ["tool_use", "pause_turn", "something_new"])
def test_an_answer_that_stopped_for_another_reason_is_not_used(stop_reason: str) -> None:
    assert (
        unusable(said("상한은 3억 6천만 개다.", citation(0, 1, 2)), stop_reason=stop_reason) == "stop_reason"
    )


def test_an_answer_in_the_wrong_language_is_not_used() -> None:
    english = said("Its cap is 360 million coins.", citation(0, 1, 2))
    korean = said("상한은 3억 6천만 개다.", citation(0, 1, 2))
    assert unusable(english) == "language"
    assert unusable(korean, lang="en") == "language"
    assert made(english, lang="en").body == "Its cap is 360 million coins. [1]"
    assert made(said("마루코인(MARU) cap: 3억 6천만 개", citation(0, 1, 2))).mode == Mode.LLM


def test_an_answer_is_never_longer_than_its_limit() -> None:
    long = [said("가" * 200 + ".", citation(place % 2, 0, 1)) for place in range(40)]
    answer = made(*long)
    assert 3000 < len(answer.body) <= ANSWER_MAX_LENGTH
    assert answer.body.endswith("]")
    assert unusable(said("가" * 5000, citation())) == "no citation"


def test_a_personas_opinion_says_so_even_when_the_model_forgot() -> None:
    forgot = made(said("마루코인은 비싸다.", citation(2)))
    assert forgot.body == "마루코인은 비싸다. (◆ 장부지기 · AI persona) [1]"
    assert forgot.citations[0] == {
        "label": "◆ 장부지기 · AI persona",
        "url": "/creator/unit-2",
        "type": "creator",
    }
    named = made(said("AI 페르소나 장부지기는 비싸다고 본다.", citation(2)))
    assert named.body == "AI 페르소나 장부지기는 비싸다고 본다. [1]"
    assert THIRD[0] not in named.body


def test_empty_answers_are_not_used() -> None:
    assert unusable() == "no citation"
    assert unusable(said("", citation())) == "no citation"
    assert unusable(said(" \n", citation())) == "no citation"
