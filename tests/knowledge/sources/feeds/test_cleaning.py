"""Texts of feeds become plain, short and visible."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.sources.feeds.cleaning import (
    clean_text,
    language_of,
    language_tag,
    shorten,
    strip_tags,
    unescape_once,
)


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("비트<b>코인</b> 상승", "비트코인 상승"),
        ("<p>첫 문단</p><p>둘째<br/>문단</p>", "첫 문단 둘째 문단"),
        ("&quot;규제&quot; &amp; 시장", '"규제" & 시장'),
        ("&lt;b&gt;굵게&lt;/b&gt;", "굵게"),
        ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
        ("1 < 2 그리고 3 > 2", "1 < 2 그리고 3 > 2"),
        ("<속보> 비트코인", "<속보> 비트코인"),
        ('<img alt="a > b" src=x>그림', "그림"),
        ("<a title=it's>링크</a>", "링크"),
        ("앞<script>alert('x')</script>뒤", "앞 뒤"),
        ("앞<STYLE>p{}</style >뒤", "앞 뒤"),
        ("앞<script>끝나지 않는다", "앞"),
        ("앞<!-- 주석 -->뒤", "앞 뒤"),
        ("<![CDATA[원문]]>", "원문"),
        ("열린 <a href='x", "열린"),
        ("<<b>script>alert(1)</script>", ""),
        ("<scr\u200bipt>alert(1)</scr\u200bipt>끝", "끝"),
        ("<\u202escript>x</script>y", "y"),
        ("https://x.example/?a=1&copy=2&reg=3", "https://x.example/?a=1&copy=2&reg=3"),
        ("가\u0000나\u200b다\u202e라\ufeff마\U000e0041바", "가나다라마바"),
        ("가\u3164나\u115f다\u2800라", "가나다라"),
        ("여러\n줄\t그리고\u00a0\u3000빈칸\u2028", "여러 줄 그리고 빈칸"),
        ("\u1112\u1161\u11ab", "한"),
        ("&#x202E;거꾸로&#0;", "거꾸로\ufffd"),
        ("&#xD800;", "\ufffd"),
        ("", ""),
    ],
)
def test_what_is_kept_of_a_text(raw: str, clean: str) -> None:
    assert clean_text(raw, 300) == clean


@pytest.mark.parametrize("tail", ["", " 그리고 더", "<b>더</b>" * 2000])
def test_a_text_is_never_longer_than_its_limit(tail: str) -> None:
    text = clean_text("낱말 " * 200 + tail, 300)
    assert len(text) <= 300
    assert text.endswith("낱말…")


def test_a_long_word_is_cut_hard_and_a_short_text_not_at_all() -> None:
    assert shorten("가" * 400, 300) == "가" * 299 + "…"
    assert shorten("가" * 300, 300) == "가" * 300


@given(st.text(alphabet=st.sampled_from("<>/!?-[]ab \"'=&;#x1\u200b\u202e가"), max_size=60))
def test_nothing_that_is_left_begins_like_a_tag(raw: str) -> None:
    stripped = strip_tags(raw)
    for position, char in enumerate(stripped[:-1]):
        if char == "<":
            following = stripped[position + 1]
            assert not (following.isascii() and following.isalpha())
            assert following not in "/!?"


@given(st.text(max_size=400))
def test_any_text_comes_out_visible_normal_and_short(raw: str) -> None:
    text = clean_text(raw, 120)
    assert len(text) <= 120
    assert text == unicodedata.normalize("NFC", text)
    assert all(unicodedata.category(char)[0] != "C" for char in text)
    assert "\n" not in text


@given(st.text(max_size=200))
def test_text_without_entities_is_left_alone_by_unescaping(raw: str) -> None:
    if "&" not in raw:
        assert unescape_once(raw) == raw


@pytest.mark.parametrize(
    ("declared", "tag"),
    [("ko-KR", "ko"), ("ko_KR", "ko"), ("EN", "en"), (" ko ", "ko"), ("", ""), ("korean", ""), ("<b>", "")],
)
def test_a_declared_language_is_a_short_tag(declared: str, tag: str) -> None:
    assert language_tag(declared) == tag


def test_hangul_says_korean() -> None:
    assert (language_of("BTC 급등"), language_of("BTC up"), language_of("")) == ("ko", "en", "en")
