"""The numbers that a Korean or an English text states, as values that compare across the two languages."""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import zip_longest
from typing import NamedTuple

DIGITS = r"\d+(?:,\d{3})*(?:\.\d+)?"
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
SMALL = {
    1: ("one", "single", "once", "first", "한", "하나", "첫", "하루"),
    2: ("two", "twice", "both", "double", "doubled", "second", "half", "두", "둘", "양쪽", "이틀", "절반"),
    3: ("three", "third", "thirds", "세", "셋", "사흘"),
    4: ("four", "fourth", "네", "넷", "나흘"),
    5: ("five", "fifth", "다섯", "닷새"),
    6: ("six", "sixth", "여섯", "엿새"),
    7: ("seven", "seventh", "일곱"),
    8: ("eight", "eighth", "여덟"),
    9: ("nine", "ninth", "아홉"),
    10: ("ten", "tenth", "열", "열흘"),
    11: ("eleven", "eleventh", "열한"),
    12: ("twelve", "twelfth", "열두"),
}
WORDS = {word: value for value, words in SMALL.items() for word in words}
# Words that count wherever they stand, unless a capital makes them a name; the others only satisfy the other language.
COUNTING = {words[0] for value, words in SMALL.items() if value > 1}
KOREAN_STEPS = {"만": 10**4, "억": 10**8, "조": 10**12}
ENGLISH_STEPS = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}

_KOREAN_PART = re.compile(rf"({DIGITS})(천)?([만억조])?")
_KOREAN_COUNT = re.compile(
    r"(?<![가-힣])(두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?(?:번|차례|배|가지|명|곳|개|달|해|나라|시간)"
)
_KOREAN_WORD = re.compile(
    rf"(?<![가-힣])({'|'.join(sorted((word for word in WORDS if not word.isascii()), key=len, reverse=True))})"
)
_ENGLISH_NUMBER = re.compile(
    rf"(?<![\d.,])({DIGITS}|\b(?:an?|{'|'.join(filter(str.isascii, WORDS))})\b)"
    rf"(?:[\s-]({'|'.join(ENGLISH_STEPS)})\b)?(\s?%|\spercent)?",
    re.IGNORECASE,
)
_MONTH = re.compile(rf"\b({'|'.join(MONTHS)})\b")


class Number(NamedTuple):
    value: Decimal
    kind: str = ""  # "%" or "month"; years, days and amounts are plain

    def __str__(self) -> str:
        if self.kind == "month":
            return MONTHS[int(self.value) - 1]
        return f"{self.value.normalize():f}{self.kind}"


class Stated(NamedTuple):
    """``owed``: the numbers of a text that its other language must have too; ``said``: these, and small ones of words
    that may mean something else, such as 첫 and "both"."""

    said: set[Number]
    owed: set[Number]

    def missing_in(self, other: "Stated") -> list[str]:
        return sorted(map(str, self.owed - other.said))


def korean(text: str) -> Stated:
    owed = {*_korean_numbers(text), *(_small(match[1]) for match in _KOREAN_COUNT.finditer(text))}
    return Stated(owed | {_small(match[1]) for match in _KOREAN_WORD.finditer(text)}, owed)


def english(text: str) -> Stated:
    owed = {Number(Decimal(MONTHS.index(name) + 1), "month") for name in _MONTH.findall(text)}
    said = set(owed)
    for match in _ENGLISH_NUMBER.finditer(text):
        word, step = match[1].lower(), (match[2] or "").lower()
        if word in ("a", "an") and not step:
            continue
        value = Decimal(word.replace(",", "")) if word[0].isdigit() else Decimal(WORDS.get(word, 1))
        number = Number(value * ENGLISH_STEPS.get(step, 1), "%" if match[3] else "")
        said.add(number)
        if word[0].isdigit() or step or match[1] in COUNTING:
            owed.add(number)
    return Stated(said, owed)


def _small(word: str) -> Number:
    return Number(Decimal(WORDS[word]))


def _korean_numbers(text: str) -> Iterator[Number]:
    """A part with 만, 억 or 조 goes on with a smaller one, with or without a blank: ``1억 3,000만`` is one number."""
    parts = list(_KOREAN_PART.finditer(text))
    total = Decimal(0)
    for part, following in zip_longest(parts, parts[1:]):
        total += _korean_value(part)
        if following is None or not _goes_on(text, part, following):
            yield Number(total, _korean_kind(text[part.end() :], total))
            total = Decimal(0)


def _korean_value(part: re.Match[str]) -> Decimal:
    thousand = 1_000 if part[2] else 1
    return Decimal(part[1].replace(",", "")) * thousand * KOREAN_STEPS.get(part[3], 1)


def _goes_on(text: str, part: re.Match[str], following: re.Match[str]) -> bool:
    """Whether the next part belongs to the same number: "62만 2026년" are two."""
    beside = text[part.end() : following.start()] in ("", " ")
    if not part[3] or not beside or _korean_value(following) >= KOREAN_STEPS[part[3]]:
        return False
    return not re.match(r"년|월|일|시|분|\s?%|\s?퍼센트", text[following.end() :])


def _korean_kind(rest: str, value: Decimal) -> str:
    if re.match(r"\s?(?:%|퍼센트)", rest):
        return "%"
    day = re.match(r"·\d", rest) and value <= len(MONTHS)  # 5·19 is a day of May
    return "month" if rest.startswith("월") or day else ""
