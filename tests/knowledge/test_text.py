"""Korean and English analysis: what is searched by, and where sentences end."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge import text

needs_mecab = pytest.mark.skipif(not text.HAS_MECAB, reason="mecab-ko has no wheel for this Python")


@needs_mecab
def test_particles_and_endings_are_left_out_and_verbs_come_in_their_dictionary_form() -> None:
    assert text.terms("비트코인이 오늘 크게 올랐다.") == ["비트코인", "오늘", "크", "오르"]


@needs_mecab
def test_a_particle_does_not_change_what_a_noun_is_found_by() -> None:
    plain = text.terms("거래소 수수료")
    assert text.terms("거래소의 수수료를") == plain
    assert text.terms("거래소에서는 수수료만") == plain


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
    assert text.terms(plural) == [singular]
    assert [token.term for token in text.bigram_tokens(plural)] == [singular]


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
    assert text.terms(written) == read


def test_width_and_case_make_no_difference() -> None:
    assert text.terms("ＢＴＣ") == text.terms("btc") == ["btc"]


def test_a_control_character_does_not_hide_what_follows_it() -> None:
    assert "etf" in text.terms("btc\x00etf")


def test_the_stand_in_reads_pairs_of_syllables() -> None:
    assert [token.term for token in text.bigram_tokens("비트코인 값 BTC")] == [
        "비트",
        "트코",
        "코인",
        "값",
        "btc",
    ]


def test_every_analyser_names_its_rules() -> None:
    assert text.ANALYZER in (text.MECAB_ANALYZER, text.BIGRAM_ANALYZER)
    assert text.ANALYZER.endswith(f"/{text.RULES}")
    assert len(text.ANALYZER) <= 80


def test_importing_the_module_does_not_load_the_dictionary() -> None:
    program = "import sys; import knowledge.text; sys.exit('mecab' in sys.modules or 'pysbd' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@given(st.text(max_size=200))
def test_tokens_stand_where_they_say_in_any_text(anything: str) -> None:
    normalised = text.normalise(anything)
    for tokens in (text.analyse(anything), text.bigram_tokens(anything)):
        for token in tokens:
            assert token.term
            assert 0 <= token.start < token.end <= len(normalised)


@needs_mecab
@pytest.mark.parametrize(
    "expected",
    [
        ["가격이 3.5% 올랐다. ", "거래량은 줄었다."],
        ["가격이 올랐다.", "그러나 거래량은 줄었다."],
        ["그는 “오른다. 내린다.”라고 말했다. ", "아무도 믿지 않았다."],
        ["새 규칙(2026. 5. 1. 시행)이 나왔다. ", "모두 놀랐다."],
        ["U.S. SEC가 승인했다. ", "정말일까? ", "그렇다!"],
        ["1. 개요를 본다. ", "2. 목적을 적는다."],
        ["오늘은 시장을 봅니다 ", "감사합니다 ", "다음에 또 만나요"],
        ["제목\n", "본문이다."],
        ["그는 '안 된다.' 라고 했다. ", "끝."],
        ["“괜찮다.” ", "그가 말했다."],
        ["v2.0이 나왔다. ", "수수료는 0.05%다."],
        ["끝없이 오르는 값에"],
    ],
)
def test_korean_sentences_end_where_readers_end_them(expected: list[str]) -> None:
    assert text.sentences("".join(expected), "ko") == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["Fees fell 3.5% to $1.20. ", "The U.S. regulator agreed."],
        ['"We are glad," said Mr. Kim. ', "Why? ", "Nobody knows."],
        ["A headline without a full stop\n", "Its text."],
    ],
)
def test_english_sentences_end_where_readers_end_them(expected: list[str]) -> None:
    assert text.sentences("".join(expected), "en") == expected


def test_a_korean_text_is_read_as_korean_whatever_its_source_claims() -> None:
    assert text.sentences("값이 올랐다.그러나 곧 내렸다.", "en") == text.sentences(
        "값이 올랐다.그러나 곧 내렸다.", "ko"
    )


def test_nothing_has_no_sentences() -> None:
    assert text.sentences("", "ko") == []


ODD_TEXT = st.text(
    st.one_of(st.sampled_from("다요.!?…\n \"'“”()[]「」1.A가나라고니다습"), st.characters()), max_size=300
)


@given(ODD_TEXT, st.sampled_from(["ko", "en", ""]))
def test_sentences_joined_are_the_text_again(anything: str, lang: str) -> None:
    found = text.sentences(anything, lang)
    assert "".join(found) == anything
    assert all(sentence.strip() for sentence in found) or not anything.strip()


def test_the_stand_in_splits_korean_by_its_endings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "HAS_MECAB", False)
    assert text.sentences("값이 올랐다.그러나 곧 내렸다. 3.5배였다.", "ko") == [
        "값이 올랐다.",
        "그러나 곧 내렸다. ",
        "3.5배였다.",
    ]
