"""Lexemes as Postgres takes them."""

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from knowledge.search.lexemes import entity_lexeme, quoted_lexeme, tsquery_phrase, tsvector_literal


def _value(expression: str, *params: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {expression}", params)
        return cursor.fetchone()[0]


# What Postgres text holds: no NUL, no lone surrogates.
LEXEME = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=30)


class AnyLexeme(TestCase):
    @given(LEXEME)
    def test_it_goes_in_and_comes_out_as_it_is(self, lexeme: str) -> None:
        assert _value("tsvector_to_array(%s::tsvector)", tsvector_literal([[lexeme]])) == [lexeme]
        assert (
            _value("%s::tsvector @@ %s::tsquery", tsvector_literal([[lexeme]]), quoted_lexeme(lexeme)) is True
        )


@pytest.mark.django_db
def test_what_the_database_would_take_apart_stays_whole() -> None:
    for lexeme in ("btc-usd", "c++", "o'neil", "a\\b", "§asset:btc", "3.5"):
        assert (
            _value("%s::tsvector @@ %s::tsquery", tsvector_literal([[lexeme, "x"]]), quoted_lexeme(lexeme))
            is True
        )


@pytest.mark.django_db
def test_words_are_neighbours_within_a_run_and_never_across_two() -> None:
    stored = tsvector_literal([["비트코인", "반감기"], ["채굴"]], ["asset:btc"])
    assert _value("%s::tsvector @@ %s::tsquery", stored, tsquery_phrase("비트코인", "반감기")) is True
    assert _value("%s::tsvector @@ %s::tsquery", stored, tsquery_phrase("반감기", "채굴")) is False
    assert (
        _value("%s::tsvector @@ %s::tsquery", stored, tsquery_phrase("채굴", entity_lexeme("asset:btc")))
        is False
    )


@pytest.mark.django_db
def test_several_lexemes_at_one_place_are_neighbours_of_the_same_words() -> None:
    stored = tsvector_literal([["현물", ("더리", "이더리움"), "수수료"]])
    for lexeme in ("더리", "이더리움"):
        for pair in (("현물", lexeme), (lexeme, "수수료")):
            assert _value("%s::tsvector @@ %s::tsquery", stored, tsquery_phrase(*pair)) is True


@pytest.mark.django_db
def test_a_lexeme_longer_than_the_database_takes_is_cut_alike_on_both_sides() -> None:
    long = "가" * 3_000
    assert _value("%s::tsvector @@ %s::tsquery", tsvector_literal([[long]]), quoted_lexeme(long)) is True


@pytest.mark.django_db
def test_a_text_of_any_length_is_stored() -> None:
    assert (
        _value("length(%s::tsvector)", tsvector_literal([[str(number) for number in range(20_000)]]))
        == 20_000
    )
