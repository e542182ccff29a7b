"""Questions as chats spell them, in the spelling that records have: "첨에 얼마였음" asks as "처음에 얼마였음" does.

The spellings stand as data in ``words/chat.txt``.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ask.patterns import WORDS
from knowledge.linking.hangul import read_tail

_KOREAN_WORD = re.compile(r"[가-힣ㄱ-ㆎ]+")
_LATIN_WORD = re.compile(r"(?<![\w.$#@/-])[a-z]+(?:/o?|\d)?(?![\w'’$@/-]|\.\w)")
# The past in chats: 했음 as 햇음, 됐나 as 됫나. 무엇을 and 빼앗는 are none, nor is 비트겟.
_ONE_S = re.compile(
    r"(?<![무빼])[햇됫봣왓엿렷엇앗졋쳣겟](?=[어음나냐니네는던다지노누])|(?<=[가-힣])[햇됫렷졋쳣](?=을)"
)
# "개비싸" is "비싸", said with force: what follows is no noun of a dog or a piece.
_FORCE = re.compile(
    r"(?<![가-힣])갑분(?=[가-힣])|"
    r"(?<![가-힣])(?:개|핵|존나|졸라)(?=박살|작살|많|비싸|비쌈|싼|쌈|크[다게]|큰|망[했한하해함]|털[렸리린림]|떡[상락]|폭[락망등])"
)
# Letters of laughter and tears, no word.
_SIGHS = re.compile(r"[ㅋㅎㅠㅜㅡ]{2,}|(?<=[가-힣])[ㅋㅎㅠㅜㄷㄱ]+(?![ㄱ-ㆎ가-힣])")


_ASKING_LETTERS = "yu"  # "y did it": no tickers, wherever they stand


class _Spellings(NamedTuple):
    """The usual spelling of whole words, of words before a particle, and of what may stand anywhere in a word, which
    ``parts`` finds."""

    whole: Mapping[str, str]
    begins: Mapping[str, str]
    within: Mapping[str, str]
    parts: re.Pattern[str]


@cache
def _spellings() -> _Spellings:
    whole: dict[str, str] = {}
    begins: dict[str, str] = {}
    within: dict[str, str] = {}
    for line in (WORDS / "chat.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            standard, *forms = (one.replace("_", " ") for one in line.split())
            for form in forms:
                kept = within if form.startswith("-") else begins if form.endswith("-") else whole
                kept[form.strip("-")] = standard
    longest_first = sorted(within, key=len, reverse=True)
    return _Spellings(whole, begins, within, re.compile("|".join(map(re.escape, longest_first))))


def spelt_out(question: str) -> str:
    """The question with every word that chats spell otherwise in its usual spelling; all else as it stands."""
    text = _FORCE.sub("", _SIGHS.sub(" ", question))
    return _LATIN_WORD.sub(_latin, _KOREAN_WORD.sub(_korean, text))


def _korean(found: re.Match[str]) -> str:
    known, word = _spellings(), found.group()
    if word in known.whole:
        return known.whole[word]
    for length in range(len(word), 0, -1):
        if (standard := known.begins.get(word[:length])) is not None and read_tail(word[length:]):
            return standard + word[length:]
    return known.parts.sub(lambda part: known.within[part.group()], _ONE_S.sub(_with_two, word))


def _with_two(found: re.Match[str]) -> str:
    return chr(ord(found.group()) + 1)  # ㅆ is the final behind ㅅ


def _latin(found: re.Match[str]) -> str:
    word, text = found.group(), found.string
    is_between = text[: found.start()].strip() and text[found.end() :].strip()
    if len(word) == 1 and word not in _ASKING_LETTERS and not is_between:
        return word  # it may be a ticker
    return _spellings().whole.get(word, word)
