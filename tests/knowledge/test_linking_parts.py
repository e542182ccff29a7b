"""Normal forms, folding and Korean word building, by themselves."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from knowledge.linking.hangul import Tail, read_tail
from knowledge.normalise import fold, normalise_alias


@pytest.mark.parametrize(
    ("surface", "norm"),
    [
        ("Bitcoin (BTC)", "bitcoinbtc"),
        ("김치 프리미엄", "김치프리미엄"),
        ("ＢＴＣ", "btc"),
        ("제롬·파월", "제롬파월"),
        ("USD-T", "usdt"),
        ("Straße", "strasse"),
        ("Jean–Paul", "jeanpaul"),
        ("Jean—Paul", "jeanpaul"),
        ("Jean‑Paul", "jeanpaul"),
        ("Jean−Paul", "jeanpaul"),
        ("제롬・파월", "제롬파월"),
        ("A\u200bB", "ab"),
        ("\u202eBTC\u2069", "btc"),
        ("비트\u00ad코인", "비트코인"),
    ],
)
def test_an_alias_has_one_norm(surface: str, norm: str) -> None:
    assert normalise_alias(surface) == norm


@given(st.text())
def test_norms_are_stable(surface: str) -> None:
    norm = normalise_alias(surface)
    assert normalise_alias(norm) == norm


DASHES, UNSEEN = "-‐‑‒–—―−·・", "\u200b\u200d\u2060\u00ad\ufeff\u202e\u2066\ufe0f\U000e0041\x00"
NAMES = st.text(alphabet=f"abZé가나코인ＢＴ 0{DASHES}()", min_size=1, max_size=12).filter(normalise_alias)


@hypothesis_settings(max_examples=40)
@given(NAMES, st.data())
def test_two_aliases_that_the_linker_reads_as_one_have_one_norm(name: str, data: st.DataObject) -> None:
    """Whatever may differ between two spellings that are found in the same places of a text."""
    spellings = {char: st.just(char) for char in name} | {
        dash: st.sampled_from(DASHES) for dash in DASHES
    }  # fmt: skip
    unseen = st.text(alphabet=UNSEEN, max_size=2)
    other = "".join(data.draw(unseen) + data.draw(spellings[char]) for char in name) + data.draw(unseen)
    assert fold(other).low == fold(name).low
    assert normalise_alias(other) == normalise_alias(name)


@hypothesis_settings(max_examples=40)
@given(st.text(max_size=12), st.text(max_size=12))
def test_one_folded_form_means_one_norm(one: str, two: str) -> None:
    squeezed, other = (fold(text).low.replace(" ", "") for text in (one, two))
    assert squeezed != other or normalise_alias(one) == normalise_alias(two)


@given(st.text())
def test_folding_keeps_both_forms_aligned_and_every_place_inside_the_text(text: str) -> None:
    folded = fold(text)
    assert len(folded.cased) == len(folded.low)
    places = [folded.span(place, place + 1) for place in range(len(folded.low))]
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)


@given(st.text(alphabet="비트코인 가나다abcABC éÀ①㈜ﬁ", max_size=40))
def test_folding_is_nfkc_with_single_spaces(text: str) -> None:
    expected = " ".join(part for part in unicodedata.normalize("NFKC", text).split(" ") if part)
    assert fold(text).cased.strip(" ") == expected


def test_decomposed_hangul_folds_to_syllables() -> None:
    folded = fold(unicodedata.normalize("NFD", "값진 코인"))
    assert folded.cased == "값진 코인"
    assert folded.span(0, 1) == (0, 3)


@pytest.mark.parametrize(
    "tail", ["", "이", "으로부터의", "시세", "현물가격이", "채굴업자들은", "은행", "때문에"]
)
def test_endings_that_fit_a_name(tail: str) -> None:
    assert read_tail(tail) == Tail.FITS


@pytest.mark.parametrize("tail", ["캐시", "넷", "이너", "지", "리", "루나틱", "가가가"])
def test_endings_that_make_another_word(tail: str) -> None:
    assert read_tail(tail) == Tail.NONE


def test_an_ending_tells_coins_people_and_affixes() -> None:
    assert read_tail("코인이") & Tail.COIN
    assert read_tail("님은") & Tail.ADDRESSED
    assert read_tail("측은") & Tail.AFFIXED
