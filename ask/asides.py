"""What a question says beside what it asks: greetings, who asks and why, what was heard.

"뉴스에서 봤는데요, 김프가 뭔가요? 초보라서 모릅니다." asks in its middle part alone. What stands beside may help to
find the answer; that the records do not tell it says nothing against them.
"""

import re
from collections.abc import Callable, Sequence

from ask.language import Language
from knowledge.search.sentences import split_sentences

Span = tuple[int, int]

_ASKS = ("?", "？")
_CLOSERS = "\"'”’)… ~ㅋㅎㅠㅜ;!.\n"
_BRACKETS = re.compile(r"\([^()]{2,}\)")
# What the asker has or is related to: "my wallet", "our kids".
_OWN = re.compile(r"(?<![\w'’])(?:my|our)\s+[a-z]+", re.IGNORECASE)
# Behind these somebody comes to the point.
_LEADS_UP = {
    "ko": re.compile(
        r"(?:[가-힣](?:[는은던인한운런]|ㄴ)데요?|[다라]던데요?|지만|니까요?|거든요?|[아어해여]서요?,|(?<=[가-힣])고요?,)[,.~…]*\s+"
        r"|(?<=\S)\s*(?:[:;/]|\s[-–—])\s+"
    ),
    "en": re.compile(
        r"\s*(?:[:;]|\s[-–—])\s+"
        r"|,\s+(?=(?:so |and |but |please )?(?:who|what|when|where|why|how|which|is|are|do|does|did|can|name|list)\b)",
        re.IGNORECASE,
    ),
}
# Behind these somebody has asked, and says why, who says so, or what they took for true.
_TRAILS = {
    "ko": re.compile(
        r"(?:줘|줘요|주세요|주실래요|주십시오|바랍니다|달라|부탁(?:해요?|드려요?|드립니다|합니다)|궁금(?:해요?|합니다|하네요))"
        r"\s*[,.~!…]+\s+"
    ),
    "en": re.compile(
        r",\s+(?=according to\b|(?:i|i'm|im|i've|my|we|our|asking|thanks|thx|just)\b)", re.IGNORECASE
    ),
}


def asides(text: str, lang: Language, asks: Callable[[str], bool]) -> list[Span]:
    """The stretches of a question that do not ask; none where all of it may. ``asks`` says whether a part has words
    that ask."""
    sentences = _sentences(text, lang)
    asking = [one for one in sentences if _is_marked(text[slice(*one)])] or [
        one for one in sentences if asks(text[slice(*one)])
    ]
    if not asking:
        return []
    beside = [one for one in sentences if one not in asking] + [one.span() for one in _OWN.finditer(text)]
    for start, end in asking:
        beside += [(start + at, start + to) for at, to in _within(text[start:end], lang, asks)]
    return beside


def _sentences(text: str, lang: Language) -> list[Span]:
    spans, at = [], 0
    for sentence in split_sentences(text, lang):
        spans.append((at, at + len(sentence)))
        at += len(sentence)
    return spans


def _is_marked(sentence: str) -> bool:
    """Whether a sentence ends with a question mark."""
    return sentence.rstrip(_CLOSERS).endswith(_ASKS)


def _within(sentence: str, lang: Language, asks: Callable[[str], bool]) -> Sequence[Span]:
    """Of a sentence that asks, the bracketed parts, and what leads up to the clause that asks or trails behind it."""
    for found in _TRAILS[lang].finditer(sentence):
        behind = sentence[found.end() :]
        # Whatever ends politely in Korean may ask: only a mark says that it does.
        if asks(sentence[: found.end()]) and not (asks(behind) and _is_marked(behind)):
            return [*_within(sentence[: found.start()], lang, asks), (found.end(), len(sentence))]
    brackets = [found.span() for found in _BRACKETS.finditer(sentence) if not asks(found.group())]
    for found in reversed(list(_LEADS_UP[lang].finditer(sentence))):
        if asks(sentence[found.end() :]) and not asks(sentence[: found.end()]):
            return [(0, found.end()), *(span for span in brackets if span[0] >= found.end())]
    return brackets
