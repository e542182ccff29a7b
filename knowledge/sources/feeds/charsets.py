"""Bytes of feeds to text, by one decision for every later step.

Korean sites send EUC-KR with a declaration, with a header only, with a wrong one, or with none at all. If
each parser decided anew, a guard could read another document than the parser behind it.
"""

import codecs
import re

from knowledge.sources.errors import SourceError

# Only these are decoded: Python also knows codecs that are slow, that run code-like escapes, or that are no
# charsets. UTF-16 is not among them: it shows in the bytes, and declared without them it would decode to
# noise.
_CHARSETS = {
    "utf-8": "utf-8", "utf8": "utf-8", "us-ascii": "utf-8", "ascii": "utf-8",
    "euc-kr": "euc_kr", "euckr": "euc_kr", "ks_c_5601-1987": "euc_kr", "ksc5601": "euc_kr",
    "cp949": "cp949", "ms949": "cp949", "uhc": "cp949", "windows-949": "cp949",
    "iso-8859-1": "cp1252", "latin1": "cp1252", "windows-1252": "cp1252", "iso-8859-15": "iso8859-15",
    "shift_jis": "cp932", "sjis": "cp932", "euc-jp": "euc_jp", "gb2312": "gb18030", "gbk": "gb18030",
    "gb18030": "gb18030", "big5": "big5",
}  # fmt: skip
# Every byte means something in these, so they fit any body and prove nothing.
_SINGLE_BYTE = frozenset({"cp1252", "iso8859-15"})

# How a body begins that says its charset by itself: a byte order mark, or "<?" without one.
_BEGINNINGS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: it begins with the same two bytes
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\x00?\x00", "utf-16-le"),
    (b"\x00<\x00?", "utf-16-be"),
)

_DECLARED = re.compile(r"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})[\"']")
_HEADER = re.compile(r"charset\s*=\s*[\"']?([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)
# A feed cut in the middle of a character, or one broken byte, is still read; a body of other bytes is not.
_MAX_BROKEN_SHARE = 0.01


def decode(body: bytes, content_type: str = "") -> str:
    """The text of a feed or API body, without a byte order mark; raises ``SourceError`` parse.

    UTF-8 with Korean in it is believed on sight, whatever is declared; else what is declared (in the body
    first, then in the header) wins where the bytes bear it out; CP949 is the last guess.
    """
    for beginning, charset in _BEGINNINGS:
        if body.startswith(beginning):
            return _lenient(body, [charset]).removeprefix("\ufeff")
    named = _DECLARED.findall(body[:1024].decode("latin-1"))[:1] + _HEADER.findall(content_type)[:1]
    declared = [_CHARSETS[name.lower()] for name in named if name.lower() in _CHARSETS]
    text = _strictly(body, "utf-8")
    # Three-byte sequences do not come about by chance; a few EUC-KR pairs do look like two-byte ones.
    if text is not None and any(char >= "\u0800" for char in text):
        return text
    multibyte = (charset for charset in declared if charset not in _SINGLE_BYTE)
    for charset in (*multibyte, "utf-8", "cp949"):
        text = _strictly(body, charset)
        if text is not None:
            return text
    return _lenient(body, [*declared, "utf-8", "cp949"])


def _strictly(body: bytes, charset: str) -> str | None:
    try:
        return body.decode(charset)
    except UnicodeDecodeError:
        return None


def _lenient(body: bytes, charsets: list[str]) -> str:
    """The reading with the fewest broken characters, if they are few."""
    texts = [body.decode(charset, "replace") for charset in charsets]
    best = min(texts, key=lambda text: text.count("\ufffd"))
    if best.count("\ufffd") > max(1, _MAX_BROKEN_SHARE * len(best)):
        raise SourceError("parse", "the body is in no charset that is read here")
    return best
