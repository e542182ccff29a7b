"""Names as whole words, in questions and in passages."""

import pytest

from knowledge.linking import gazetteer
from knowledge.models.search import SearchPassage
from knowledge.search import indexing, morphemes, words
from knowledge.search.query import PART_WEIGHT, WEAK_WEIGHT
from knowledge.search.ranking import search, understand
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db
needs_mecab = pytest.mark.skipif(not morphemes.HAS_MECAB, reason="mecab-ko has no wheel for this Python")

PARTICLES = ("", "이란", "는", "의", "를", "에서는", "가", "로", "도", "만", "란")


@pytest.fixture(autouse=True)
def names() -> None:
    make_unit("eth", "이더리움", aliases=["이더"])
    make_unit("xmr", "모네로")
    make_unit("layer2", "레이어2")
    make_unit("bch", "비트코인 캐시")
    gazetteer.newest_gazetteer()


@pytest.mark.parametrize("name", ["이더리움", "모네로", "레이어2", "비트코인캐시"])
def test_a_name_is_one_word_whatever_particle_follows(name: str) -> None:
    for particle in PARTICLES:
        found = words.terms(f"어제 {name}{particle} 올랐다")
        assert found == [*words.terms("어제"), *words.terms(name), *words.terms("올랐다")], particle
        assert name in found


@needs_mecab
def test_the_morphemes_of_a_name_stay_beside_it_and_what_follows_is_read_by_itself() -> None:
    assert words.places("비트코인캐시 현물") == [("비트코인",), ("캐시", "비트코인캐시"), ("현물",)]
    assert words.places("모네로란 모네로현물은") == [("모네로",), ("모네로",), ("현물",)]


def test_a_name_within_another_word_is_none() -> None:
    for text in ("이더라고 했다", "새이더리움", "모네로스키", "레이어21", "eth2layer"):
        assert words.terms(text) == morphemes.terms(text), text


@needs_mecab
def test_tokens_of_names_stand_where_they_say() -> None:
    text = morphemes.normalise("ETH는 이더리움의 화폐, 모네로는 다르다")
    found = {token.term: text[token.start : token.end] for token in words.analyse(text)}
    assert found.items() >= {("이더리움", "이더리움"), ("모네로", "모네로"), ("화폐", "화폐")}


def _indexed(*titles: str) -> None:
    source = make_source()
    rows = [make_document(source, title, title=title) for title in titles]
    indexing.index_documents(row.pk for row in rows)


@needs_mecab
def test_a_question_asks_for_the_name_and_not_for_what_it_comes_apart_into() -> None:
    _indexed("이더리움의 현물이 올랐다")
    asked = understand("이더리움이란?").lexical
    assert [token.term for token in asked.tokens] == ["이더리움"]
    assert asked.weights["이더리움"] == 1.0
    assert asked.weights["더리"] == WEAK_WEIGHT * PART_WEIGHT
    assert understand("이더리움 현물").lexical.pairs == (("이더리움", "현물"),)


@needs_mecab
def test_texts_of_before_a_name_was_known_are_found_by_its_morphemes() -> None:
    _indexed("나라코인 이야기")
    make_unit("nara", "나라코인")
    assert [token.term for token in understand("나라코인은?").lexical.tokens] == ["나라", "코인"]
    later = make_document(make_source("later"), "later", title="나라코인 소식")
    indexing.index_documents([later.pk])
    assert [token.term for token in understand("나라코인은?").lexical.tokens] == ["나라코인"]
    found = [hit.title for hit in search(understand("나라코인은?"), now=NOON)]
    assert found == ["나라코인 소식", "나라코인 이야기"]


@needs_mecab
def test_a_name_adds_nothing_to_the_length_of_a_passage() -> None:
    _indexed("비트코인캐시 현물", "비트코인 캐시 현물")
    together, apart = SearchPassage.objects.order_by("pk").values_list("dl", flat=True)
    assert together == apart


def test_a_process_without_names_reads_morphemes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gazetteer, "_current", None)
    assert words.terms("이더리움의 수수료") == morphemes.terms("이더리움의 수수료")
