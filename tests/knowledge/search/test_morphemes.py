"""Korean and English analysis: what is searched by."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.search import morphemes

needs_mecab = pytest.mark.skipif(not morphemes.HAS_MECAB, reason="mecab-ko has no wheel for this Python")


@needs_mecab
def test_particles_and_endings_are_left_out_and_verbs_come_in_their_dictionary_form() -> None:
    assert morphemes.terms("비트코인이 오늘 크게 올랐다.") == ["비트코인", "오늘", "크", "오르"]


@needs_mecab
def test_a_particle_does_not_change_what_a_noun_is_found_by() -> None:
    plain = morphemes.terms("거래소 수수료")
    assert morphemes.terms("거래소의 수수료를") == plain
    assert morphemes.terms("거래소에서는 수수료만") == plain


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("ETFs", "etf"),
        ("coins", "coin"),
        ("policies", "policy"),
        ("boxes", "box"),
        ("exchanges", "exchange"),
        ("gas", "gas"),
        ("bus", "bus"),
        ("loss", "loss"),
        ("analysis", "analysis"),
    ],
)
def test_an_english_plural_is_found_by_its_singular(plural: str, singular: str) -> None:
    assert morphemes.terms(plural) == [singular]
    assert [token.term for token in morphemes.bigram_tokens(plural)] == [singular]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("1,200", ["1200"]),
        ("3.5%", ["3.5"]),
        ("2,3", ["2", "3"]),
        ("1,234,567", ["1234567"]),
        ("5. 6", ["5", "6"]),
    ],
)
def test_a_number_is_one_term_however_it_is_punctuated(written: str, read: list[str]) -> None:
    assert morphemes.terms(written) == read


def test_width_and_case_make_no_difference() -> None:
    assert morphemes.terms("ＢＴＣ") == morphemes.terms("btc") == ["btc"]


def test_a_control_character_does_not_hide_what_follows_it() -> None:
    assert "etf" in morphemes.terms("btc\x00etf")


def test_the_stand_in_reads_pairs_of_syllables() -> None:
    assert [token.term for token in morphemes.bigram_tokens("비트코인 값 BTC")] == [
        "비트",
        "트코",
        "코인",
        "값",
        "btc",
    ]


def test_every_analyser_names_its_rules() -> None:
    assert morphemes.ANALYZER.startswith("mecab-ko/" if morphemes.HAS_MECAB else "bigram/")
    assert morphemes.ANALYZER.endswith(f"/{morphemes.RULES}")
    assert len(morphemes.ANALYZER) <= 80


def test_importing_the_module_does_not_load_the_dictionary() -> None:
    program = "import sys; import knowledge.search.morphemes; sys.exit('mecab' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@given(st.text(max_size=200))
def test_tokens_stand_where_they_say_in_any_text(anything: str) -> None:
    normalised = morphemes.normalise(anything)
    for tokens in (morphemes.analyse(anything), morphemes.bigram_tokens(anything)):
        for token in tokens:
            assert token.term
            assert 0 <= token.start < token.end <= len(normalised)
