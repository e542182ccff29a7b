"""Korean bodies are read whatever they call themselves."""

import codecs
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.sources.errors import SourceError
from knowledge.sources.feeds.charsets import decode

KOREAN = "<rss><channel><title>비트코인 시황과 똠방각하</title></channel></rss>"
PLAIN = "<rss><channel><title>비트코인 시황</title></channel></rss>"


def declared(charset: str, text: str = PLAIN) -> str:
    return f'<?xml version="1.0" encoding="{charset}"?>\n{text}'


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (PLAIN.encode("euc_kr"), ""),
        (PLAIN.encode("euc_kr"), "text/xml; charset=EUC-KR"),
        (PLAIN.encode("euc_kr"), "text/xml; charset=utf-8"),
        (PLAIN.encode("euc_kr"), "text/xml; charset=ISO-8859-1"),
        (PLAIN.encode("euc_kr"), 'text/xml; charset="ks_c_5601-1987"'),
        (PLAIN.encode(), ""),
        (PLAIN.encode(), "text/xml"),
        (PLAIN.encode(), "text/xml; charset=euc-kr"),
        (PLAIN.encode(), "text/xml; charset=cp949"),
        (codecs.BOM_UTF8 + PLAIN.encode(), "text/xml; charset=euc-kr"),
        (PLAIN.encode("utf-16"), ""),
        (codecs.BOM_UTF16_BE + PLAIN.encode("utf-16-be"), "text/xml; charset=utf-8"),
        (PLAIN.encode("utf-32"), ""),
    ],
)
def test_a_korean_body_is_read_by_what_its_bytes_say(body: bytes, content_type: str) -> None:
    assert decode(body, content_type) == PLAIN


@pytest.mark.parametrize(
    "charset", ["euc-kr", "EUC-KR", "utf-8", "windows-1252", "no-such-charset", "utf-16"]
)
def test_a_declaration_is_believed_only_where_the_bytes_bear_it_out(charset: str) -> None:
    text = declared(charset)
    assert decode(text.encode("euc_kr")) == text
    assert decode(text.encode("utf-8")) == text


def test_letters_beyond_euc_kr_are_read_as_cp949() -> None:
    assert decode(KOREAN.encode("cp949")) == KOREAN
    assert decode(declared("euc-kr", KOREAN).encode("cp949")) == declared("euc-kr", KOREAN)


def test_one_short_word_in_euc_kr_is_not_mistaken_for_utf8() -> None:
    """These two bytes are also a letter in UTF-8."""
    text = declared("euc-kr", "<rss>짜</rss>")
    assert decode(text.encode("euc_kr")) == text


def test_western_bodies_are_read() -> None:
    text = declared("iso-8859-1", "<rss>café – naïve</rss>")
    assert decode(text.encode("cp1252")) == text


@pytest.mark.parametrize("charset", ["utf-7", "unicode_escape", "idna", "zlib", "rot13", "punycode", "hex"])
def test_codecs_that_are_no_charsets_are_never_used(charset: str) -> None:
    text = declared(charset, "<rss>+ADw-script+AD4-</rss>")
    assert decode(text.encode(), f"text/xml; charset={charset}") == text


def test_a_broken_byte_does_not_lose_the_feed_and_noise_is_refused() -> None:
    broken = (PLAIN * 20).encode() + b"\xff"
    assert decode(broken).startswith(PLAIN)
    with pytest.raises(SourceError, match="parse"):
        decode(bytes(range(128, 256)) * 20 + b"\x81\xff\xfe" * 300)


@given(st.binary(max_size=300), st.text(max_size=40))
def test_any_bytes_are_text_or_refused(body: bytes, content_type: str) -> None:
    with contextlib.suppress(SourceError):
        decode(body, content_type).encode("utf-8")
