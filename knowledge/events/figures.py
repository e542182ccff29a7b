"""The figures of a headline, written alike in both languages. Pure.

`1만2천개` and `12,000` are `#12000`, `1100만달러` and `$11 million` are `$11000000`, `0.25%p` and `a quarter point` are
`%0.25`.
"""

import re
from collections.abc import Iterator

SCALES = {"천": 1e3, "만": 1e4, "억": 1e8, "조": 1e12}
ENGLISH_SCALES = {
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "m": 1e6,
    "bn": 1e9,
    "b": 1e9,
    "k": 1e3,
}
NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
KOREAN = re.compile(
    rf"(?P<digits>(?:{NUMBER}\s?[천만억조]\s?)+(?:{NUMBER})?|{NUMBER})\s?"
    r"(?P<unit>달러|불(?![가-힣])|원|%|퍼센트|포인트|개|건|곳|명|종|[가-힣]?)"
)
KOREAN_KINDS = {"달러": "$", "불": "$", "원": "₩", "%": "%", "퍼센트": "%", "포인트": "%"}
COUNTED = frozenset("개건곳명종주표대회배좌")
KOREAN_PART = re.compile(rf"({NUMBER})\s?([천만억조]?)")
ENGLISH = re.compile(
    rf"(?P<dollar>\$)?(?P<number>{NUMBER})(?:\s?(?P<scale>thousand|million|billion|trillion|bn|[mbk])\b)?"
    r"\s?(?P<unit>%|percent\b|percentage\b|won\b|dollars?\b)?"
)
STEPS = (
    (re.compile(r"\bhalf(?:[ -]a)?[ -](?:percentage[ -])?point|\b50 basis points"), "%0.5"),
    (re.compile(r"\bquarter[ -](?:percentage[ -])?point|\b25 basis points"), "%0.25"),
)
LEAST_COUNT = 100  # a smaller count is a rank, a day or a number of things that many stories have
DATES = re.compile(
    r"\d+월|\d+일|\d+시|\d{4}년|\d{1,2}/\d{1,2}|\b(?:19|20)\d\d\b(?!,\d)|\d{1,2}:\d{2}|\d{1,2}대\d{1,2}"
)


def figures(text: str) -> frozenset[str]:
    """Amounts of money in dollars ($) and won (₩), shares (%) and counts of things (#, from 100 on)."""
    plain = DATES.sub(" ", text.lower())
    found = {*(step for words, step in STEPS if words.search(plain))}
    found.update(_korean(plain) if re.search("[가-힣]", plain) else _english(plain))
    return frozenset(found)


def _korean(text: str) -> Iterator[str]:
    for match in KOREAN.finditer(text):
        parts = KOREAN_PART.findall(match["digits"])
        # In 1억2천만 the scale of the last counts for what stands before it below it; headlines have few such.
        value = sum(_number(digits) * SCALES.get(scale, 1.0) for digits, scale in parts)
        kind = KOREAN_KINDS.get(match["unit"], "#")
        # Korean headlines leave the won away where the scale tells it: 150억 투자.
        if kind == "#" and match["unit"] not in COUNTED and re.search("[억조]", match["digits"]):
            kind = "₩"
        yield from _told(kind, value)


def _english(text: str) -> Iterator[str]:
    for match in ENGLISH.finditer(text):
        value = _number(match["number"]) * ENGLISH_SCALES.get(match["scale"] or "", 1.0)
        unit = match["unit"] or ""
        kind = (
            "$"
            if match["dollar"] or unit.startswith("dollar")
            else "₩"
            if unit == "won"
            else "%"
            if unit
            else "#"
        )
        yield from _told(kind, value)


def _told(kind: str, value: float) -> Iterator[str]:
    if value and (kind != "#" or value >= LEAST_COUNT):
        yield f"{kind}{value:g}" if value < 1e6 else f"{kind}{value:.4g}"


def _number(digits: str) -> float:
    return float(digits.replace(",", ""))
