"""Characters that draw nothing."""

import unicodedata

import pytest

from knowledge.invisible import is_invisible, one_line, visible, without_invisible

INVISIBLE = {
    "a control": "\x00\x07\x1b\x7f\x9f",
    "a bidirectional mark": "\u061c\u200e\u200f\u202a\u202e\u2066\u2069",
    "zero width": "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f",
    "a tag": "\U000e0001\U000e0041\U000e007f",
    "a variation selector": "\ufe00\ufe0f\U000e0100\U000e01ef\u180b",
    "a blank letter": "\u115f\u1160\u17b4\u2800\u3164\uffa0",
    "half a character": "\ud800\udfff",
    "nobody's character": "\ue000\U0010ffff\u0378",
}


@pytest.mark.parametrize("kind", INVISIBLE)
def test_what_draws_nothing_is_taken_out(kind: str) -> None:
    for char in INVISIBLE[kind]:
        assert visible(f"비트{char}코인") == without_invisible(f"비트{char}코인") == "비트코인"


def test_what_separates_stays_or_becomes_a_space() -> None:
    text = "\t하나\n둘\u2028셋\u3000넷\xa0 다섯\x85"
    assert without_invisible(text) == text
    assert visible(text) == " 하나 둘 셋 넷  다섯 "
    assert one_line(text) == "하나 둘 셋 넷 다섯"


def test_no_letter_digit_or_sign_is_invisible() -> None:
    seen = [char for char in map(chr, range(0x3200)) if unicodedata.category(char)[0] in "LNPS"]
    assert {char for char in seen if is_invisible(char)} == set("\u115f\u1160\u2800\u3164")
