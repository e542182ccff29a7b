"""Where the sentences of Korean and English texts end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.search import morphemes
from knowledge.search.sentences import split_sentences

needs_mecab = pytest.mark.skipif(not morphemes.HAS_MECAB, reason="mecab-ko has no wheel for this Python")


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
    assert split_sentences("".join(expected), "ko") == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["Fees fell 3.5% to $1.20. ", "The U.S. regulator agreed."],
        ['"We are glad," said Mr. Kim. ', "Why? ", "Nobody knows."],
        ["A headline without a full stop\n", "Its text."],
        ["At 5 p.m. Eastern the vote ended. ", "Dr. Smith of Coinbase Inc. won."],
        ["It was complete at 3:42 p.m. Korean time. ", "Fees stayed."],
        ["The vote ended at 5 p.m. ", "Nobody came."],
        ["Names ending in .eth belong to a wallet. ", "Read https://help.example/a?hl=en. ", "Thank you!"],
        ["1. Overview of fees. ", "They fell.\n", "2. How they are paid."],
    ],
)
def test_english_sentences_end_where_readers_end_them(expected: list[str]) -> None:
    assert split_sentences("".join(expected), "en") == expected


def test_a_korean_text_is_read_as_korean_whatever_its_source_claims() -> None:
    assert split_sentences("값이 올랐다.그러나 곧 내렸다.", "en") == split_sentences(
        "값이 올랐다.그러나 곧 내렸다.", "ko"
    )


def test_nothing_has_no_sentences() -> None:
    assert split_sentences("", "ko") == []


def test_half_a_surrogate_pair_ends_nothing() -> None:
    assert split_sentences("It fell \ud83d again. It rose.", "en") == ["It fell \ud83d again. ", "It rose."]


ODD_TEXT = st.text(
    st.one_of(st.sampled_from("다요.!?…\n \"'“”()[]「」1.A가나라고니다습"), st.characters()), max_size=300
)


@given(ODD_TEXT, st.sampled_from(["ko", "en", ""]))
def test_sentences_joined_are_the_text_again(anything: str, lang: str) -> None:
    found = split_sentences(anything, lang)
    assert "".join(found) == anything
    assert all(sentence.strip() for sentence in found) or not anything.strip()


def test_the_stand_in_splits_korean_by_its_endings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(morphemes, "HAS_MECAB", False)
    assert split_sentences("값이 올랐다.그러나 곧 내렸다. 3.5배였다.", "ko") == [
        "값이 올랐다.",
        "그러나 곧 내렸다. ",
        "3.5배였다.",
    ]
