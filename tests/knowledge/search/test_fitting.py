"""Whether something is found for what is recorded, and nothing for what is not."""

import json
from functools import partial
from pathlib import Path

import pytest

from knowledge.queries.names import candidates
from knowledge.queries.search import hits, record_id
from knowledge.search import morphemes
from knowledge.search.fitting import words_held
from knowledge.search.known_words import unread_words
from knowledge.search.ranking import understand
from tests.ask.quality_world import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("canon"), pytest.mark.slow]
needs_mecab = pytest.mark.skipif(not morphemes.HAS_MECAB, reason="mecab-ko has no wheel for this Python")

LABELLED = [
    json.loads(line) for line in (Path(__file__).parent / "fitting.jsonl").read_text("utf-8").splitlines()
]
RECORDED = {one["query"]: set(one["found"]) for one in LABELLED if one["found"]}
NOT_RECORDED = [one["query"] for one in LABELLED if not one["found"]]
SHOWN = 5
# Parts of the first, 이유 and 식, are words of the records by themselves; the others hold words of readers' questions:
# whether a coin belongs to 방탄소년단, a forged 여권, 자동차 that a blockchain records.
NEAR_MISSES = {"아기 이유식 만드는 법", "방탄소년단", "여권 발급", "자동차 보험 비교"}

found_for = partial(hits, now=NOW, limit=SHOWN)


@needs_mecab
def test_what_is_recorded_is_found_and_of_what_is_not_nothing() -> None:
    found = {query: {record_id(hit) for hit in found_for(query).rows} for query in RECORDED}
    assert {query for query, right in RECORDED.items() if not right & found[query]} == set()
    assert {query for query in NOT_RECORDED if found_for(query).rows} <= NEAR_MISSES


def test_names_are_offered_for_nothing_that_is_not_recorded() -> None:
    offered = {query: [one.unit.public_id for one in candidates(query)] for query in NOT_RECORDED}
    assert {query: units for query, units in offered.items() if units} == {}


@needs_mecab
@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("없는말쿄쿄 시세", ["없는말쿄쿄"]),
        ("갸냐댜랴", ["갸냐댜랴"]),
        ("뜌뜌빠의 가격", ["뜌뜌빠의"]),
        ("비트코인을 팔았습니다", []),
        ("법에서 그것은 왜 망했어", []),
        ("양자컴퓨터와 법정통화", []),
    ],
)
def test_a_word_that_was_only_taken_apart_is_not_known(text: str, unread: list[str]) -> None:
    words = unread_words(text, understand(text).corpus)
    assert [text[word.start : word.stop] for word in words] == unread


@needs_mecab
def test_the_words_that_are_held_are_named_without_particles_where_all_together_find_nothing() -> None:
    for query, held in (
        ("강아지와 산책", ("강아지",)),
        ("없는말쿄쿄의 시세는", ("시세",)),
        ("축구 경기 결과", ("축구", "경기", "결과")),
        ("피아노 학원", ()),
        ("피아노", ()),
    ):
        page = found_for(query)
        assert (page.rows, page.held_words) == ([], held)
        assert all(found_for(word).rows for word in held)
    assert words_held(understand("오늘 떨어졌어")) == ()
