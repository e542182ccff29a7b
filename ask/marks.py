"""Signs that readers take for a citation mark. Only our own ``[n]`` may stand in an answer.

A model's text and an outlet's sentence may bring marks of their own: in other brackets, in other digits, or put
together from what a reader does not see. What is removed here looks like a mark to a reader, or becomes one in a
program that reads Markdown or HTML.
"""

import re

# Circled and bracketed numbers, superscripts, subscripts, Roman numerals; \d has the digits of every script.
_CIRCLED = "\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u3251-\u325f\u32b1-\u32bf\U0001f100-\U0001f10c"
_RAISED = "\u2070\u00b9\u00b2\u00b3\u2074-\u2079"
_NUMBER = rf"[\d{_CIRCLED}{_RAISED}\u2080-\u2089\u2160-\u217f]{{1,3}}"
_BRACKETS = "[]［］【】〔〕〖〗〘〙〚〛⟦⟧❲❳⁅⁆﹇﹈"
_OPENING, _CLOSING = (re.escape(_BRACKETS[start::2]) for start in (0, 1))
# Whatever stands between the parts of a mark without being a letter or a digit, emphasis and accents included.
_BETWEEN = rf"(?:[^\w(){re.escape(_BRACKETS)}]|_)"
_WORD = "(?:출처|각주|주석|인용|근거|자료|참고|문헌|sources?|ref(?:erence)?s?|citations?|cites?|footnotes?|notes?)"
_NUMBERS = rf"{_NUMBER}(?:{_BETWEEN}+{_NUMBER})*"
_BRACKETED = re.compile(
    rf"\s?[{_OPENING}]{_BETWEEN}*(?:{_WORD}{_BETWEEN}*)?{_NUMBERS}번?{_BETWEEN}*{_WORD}?"
    rf"(?:[†‡][^{re.escape(_BRACKETS)}\n]{{0,80}})?{_BETWEEN}*[{_CLOSING}]"
    r"(?:\((?:#|/|https?:)[^()\s]*\))?"
    rf"|\s?[(（]{_BETWEEN}*{_WORD}{_BETWEEN}*{_NUMBERS}{_BETWEEN}*[)）]",
    re.IGNORECASE,
)
_BARE = re.compile(rf"\s?(?:[{_CIRCLED}†‡]|\d\u20e3)+")
# A power of ten or two, and a unit such as km², say something; any other raised number refers to a note.
_SAYING = rf"(?<![{_RAISED}])(?<!(?<!\d)10)(?<!(?<!\d)2)(?<!(?<![A-Za-z])m)(?<!(?<![A-Za-z])[kcm]m)"
_NOTE = re.compile(rf"{_SAYING}\s?[\u207d(]?[{_RAISED}]+[\u207e)]?")
# An address in angle brackets is left for whoever looks for addresses.
_TAG = re.compile(
    r"<(?![a-z][a-z0-9+.-]*:)(?:[/!?]?[a-z]|/?\s*(?:antml:)?(?:cite|citation)s?\b)[^<>]*>", re.IGNORECASE
)

# What begins as an AI persona's line does would be read as one.
POSES = re.compile(r"[^\n]{0,80}?(?:AI|인공지능)\W{0,3}(?:persona|페르소나)\W{0,3}[:：]", re.IGNORECASE)


def without_false(said: str) -> str:
    """A model's text without marks and markup, also without those that come about by taking others out."""
    while (bare := _NOTE.sub("", _BARE.sub("", _BRACKETED.sub("", _TAG.sub("", said))))) != said:
        said = bare
    return said


def without_foreign(sentence: str) -> str:
    """A quoted sentence without bracketed numbers: they count another text's sources."""
    while (bare := _BRACKETED.sub("", sentence)) != sentence:
        sentence = bare
    return sentence
