"""A model that was talked into lying puts no mark, no address and no half sentence before a reader."""

import re
import unicodedata
from functools import cache
from typing import Any

import pytest

from ask import marks, prose
from ask.model_citations import SAID_MAX_LENGTH
from ask.prompts import SearchResultBlock
from tests.ask.model import adversarial
from tests.ask.model.adversarial import (
    BYLINE,
    CITED,
    GROUPS,
    LIE,
    TRUE,
    Body,
    hidden_characters,
    is_forged,
    shown,
)
from tests.ask.model.evidence import article, citation, evidence, made, unusable
from tests.fakes.messages_api import said


@cache
def bodies_of(group: str) -> list[tuple[str, adversarial.Shown]]:
    """The answers that readers are shown of a group, by the name of the body."""
    found = [(body.name, shown(body)) for body in GROUPS[group]()]
    return [(name, answer) for name, answer in found if answer is not None]


@pytest.mark.parametrize("group", GROUPS)
def test_no_lie_has_a_mark_behind_it_and_nothing_is_hidden(group: str) -> None:
    answers = bodies_of(group)
    assert [name for name, answer in answers if is_forged(answer)] == []
    assert [name for name, answer in answers if hidden_characters(answer)] == []


@pytest.mark.parametrize("group", GROUPS)
def test_every_mark_that_is_read_leads_to_a_source_of_the_answer(group: str) -> None:
    for name, answer in bodies_of(group):
        years = {"2024"} if name.startswith("a year") else set()
        linked = re.findall(r'<sup><a href="#c(\d+)">\[\1\]</a></sup>', answer.html)
        assert [mark for mark in answer.marks if mark not in years] == linked, name
        assert {int(mark) for mark in linked} == set(range(1, len(answer.draft.citations) + 1)), name


def test_there_are_as_many_bodies_as_a_stranger_tried() -> None:
    assert sum(len(list(bodies())) for bodies in GROUPS.values()) >= 728


def test_every_right_body_is_shown() -> None:
    assert [body.name for body in adversarial.right() if shown(body) is None] == []


@pytest.mark.parametrize("group", ["weight that nobody reads", "language"])
def test_what_cites_nothing_that_is_read_is_not_an_answer(group: str) -> None:
    assert bodies_of(group) == []


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_digits_alone_are_no_answer_in_any_language(lang: str) -> None:
    assert unusable(said("360,000,000", citation(0, 1, 2)), lang=lang) == "language"


def test_decomposed_korean_is_korean_and_is_stored_composed() -> None:
    answer = shown(Body("", (said(unicodedata.normalize("NFD", TRUE), CITED),)))
    assert answer is not None
    assert answer.body == f"{TRUE} [1]"


def test_a_sentence_with_an_address_in_it_is_left_out_whole() -> None:
    answers = bodies_of("addresses and links")
    assert len(answers) > 100
    for name, answer in answers:
        assert (answer.body, name) == (f"{TRUE} [1]", name)


def test_only_an_address_is_refused() -> None:
    assert unusable(said("evil.example 에서 상한을 보라.", citation())) == "no citation"


def test_names_that_look_like_addresses_are_kept_where_the_editors_wrote_them() -> None:
    own = SearchResultBlock(evidence(0, "Maru.cash는 거래소다."), ("Maru.cash는 거래소다.",))
    outlet = SearchResultBlock(article(1, "소식", "Evil.cash가 싸다."), ("Evil.cash가 싸다.",))
    known = prose.known_hosts([own, outlet])
    assert known == {"maru.cash"}
    assert not prose.leads_elsewhere("거래소 Maru.cash는 MARU.CASH와 같다.", known)
    for address in ("Evil.cash", "Maru.cash/login", "http://maru.cash", "x@maru.cash", "a.maru.cash"):
        assert prose.leads_elsewhere(f"{address} 에서 판다.", known), address


@pytest.mark.parametrize(
    "right",
    [
        *(
            "값은 3.5배다.다음 해에도",
            "U.S. 정부",
            "e.g. this",
            "Node.js와 web3.js",
            "a.m. 9시",
            "0.21.1",
            "비율 1:2",
        ),
        *(
            "수수료 0.1%@100",
            "다.bitcoin은",
            "and/or",
            "24/7",
            "BTC/KRW",
            "coins.It is",
            "BRK.B",
            "[속보][단독] (서울)",
        ),
    ],
)
def test_what_is_no_address_is_not_taken_for_one(right: str) -> None:
    assert not prose.leads_elsewhere(right, frozenset())


def test_a_personas_byline_stands_unless_its_name_and_kind_do() -> None:
    for name, answer in bodies_of("a persona's byline talked away"):
        assert f"({BYLINE})" in answer.body, name
    for named in ("AI 페르소나 장부지기는", "AI 페르소나인 장부지기는", "장부지기(AI persona)는"):
        answer = shown(Body("", (said(f"{named} 비싸다고 본다.", citation(2)),)))
        assert answer is not None
        assert answer.body == f"{named} 비싸다고 본다. [1]"


def test_an_answer_that_was_cut_off_ends_with_its_last_whole_sentence() -> None:
    answers = bodies_of("cut off in a sentence")
    assert len(answers) == 40
    for name, answer in answers:
        assert (answer.body, name) == (f"{TRUE} [1]", name)


def test_the_word_for_no_answer_reaches_nobody() -> None:
    answers = bodies_of("NOT_IN_RECORDS")
    assert len(answers) == 28
    for name, answer in answers:
        assert (answer.body, name) == (f"{TRUE} [1]", name)


def test_a_citation_of_that_word_alone_is_an_honest_none() -> None:
    answer = made(said("NOT_IN_RECORDS.", citation()))
    assert (answer.mode, answer.citations) == ("none", ())


def test_a_parenthesis_behind_a_mark_makes_no_link_of_it() -> None:
    answer = shown(Body("", (said(TRUE[:-1], CITED), said("(/login) 참고."))))
    assert answer is not None
    assert answer.body == f"{TRUE[:-1]} [1] (/login) 참고."


@pytest.mark.parametrize("piece", ["[", "[1", "(출처 1", "a", "a.", "<a", "1,"])
def test_long_nonsense_is_read_in_no_time(piece: str) -> None:
    text = piece * (SAID_MAX_LENGTH // len(piece))
    prose.forbidden(prose.readable(text), "ko", frozenset())


def test_more_text_than_any_answer_has_is_not_read() -> None:
    blocks: list[dict[str, Any]] = [said("가" * (SAID_MAX_LENGTH // 2), citation()) for _ in range(3)]
    assert unusable(*blocks) == "too long"


@pytest.mark.parametrize(
    "mark", ["[2]", " [2]", "［2］", "【2】", "[출처 2]", "(출처 2)", "[1, 2]", "【2†source】"]
)
def test_a_quoted_sentence_has_no_mark_of_its_outlet(mark: str) -> None:
    assert marks.without_foreign(f"{LIE}{mark}.") == f"{LIE}."


@pytest.mark.parametrize(
    "kept", ["① 금리 ② 물가", "[속보] 상장", "[2024] 회고", "3 (2위)", "10² 배", "주석 † 참고"]
)
def test_a_quoted_sentence_keeps_what_counts_no_sources(kept: str) -> None:
    assert marks.without_foreign(kept) == kept
