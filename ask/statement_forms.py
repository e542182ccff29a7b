"""How Korean and English texts write numbers, dates, times and codes, form by form.

Patterns read small letters only, in the NFKC form (see ``ask.stated``).
"""

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import NamedTuple, TypeAlias

from ask.statements import Clock, Code, Date, Number, Reading

_Made: TypeAlias = Iterable[Reading] | None
_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?"
TO = r"\s?(?:[-~∼〜–—·,]|to\b|and\b|or\b|에서|부터|과|와|및)\s?"  # between the parts of a range or a list

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
)
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?![\d:]|\.\d)"
_YEAR = r"(?:19|20)\d\d"
_IN = r"(?:in|of|since|by|until|till|from|during|before|after|last|this|next|early|late|mid)"

KOREAN_STEPS = {"십": 10, "백": 100, "천": 1000, "만": 10**4, "억": 10**8, "조": 10**12}
ENGLISH_STEPS = {
    "hundred": 100,
    "thousand": 10**3,
    "k": 10**3,
    "million": 10**6,
    "mn": 10**6,
    "m": 10**6,
    "billion": 10**9,
    "bn": 10**9,
    "b": 10**9,
    "trillion": 10**12,
    "tn": 10**12,
    "t": 10**12,
}
_CURRENCIES = {
    "$": ("$", "us$", "usd", "달러", "불", "dollar"),
    "₩": ("₩", "krw", "원", "won"),
    "€": ("€", "eur", "유로", "euro"),
    "¥": ("¥", "jpy", "엔", "yen"),
    "元": ("cny", "위안", "yuan"),
    "£": ("£", "gbp", "파운드", "pound"),
}
_KINDS = {word: kind for kind, words in _CURRENCIES.items() for word in words}
_KINDS |= dict.fromkeys(("%", "퍼센트", "프로", "percent", "per cent", "pct", "percentage point"), "%")
_UNIT = (
    r"(?P<unit>%|퍼센트|프로(?![가-힣])|per ?cent\b|pct\b|percentage points?\b"
    r"|달러|불(?![가-힣])|원|유로|엔|위안|파운드"
    r"|(?:us |u\.s\. )?dollars?\b|(?:korean |south korean )?won\b|euros?\b|yen\b|yuan\b|pounds?\b"
    r"|(?:usd|krw|eur|jpy|cny|gbp)\b)"
)
_AMOUNT = (
    r"(?<![\d.a-z])(?:(?P<currency>(?:us)?\$|₩|€|¥|£|\b(?:usd|krw|eur|jpy|cny|gbp))\s?)?"
    rf"(?P<number>(?:{_DIGITS})(?:\s?(?:[십백천]?[만억조]|천(?!\w)|[십백천](?=\s?(?:달러|원|개|명)))"
    rf"(?:\s?(?:{_DIGITS})[천백]?(?=\s?[만억조]|\s?(?:[개명원달건곳여주엔]|usd))(?:[만억조])?){{0,3}})?)"
    rf"(?:[\s-]?(?P<step>hundred|thousand|million|billion|trillion|bn|mn|tn|[kmbt])(?![a-z]))?"
    rf"(?:여|가량|남짓)?\s?(?:미국 |한국 |미 )?(?:{_UNIT})?"
)
_PART = re.compile(rf"({_DIGITS})\s?([십백천])?([만억조])?")

_SMALL = {
    1: (
        "one",
        "single",
        "once",
        "first",
        "only",
        "sole",
        "한",
        "하나",
        "첫",
        "유일",
        "최초",
        "최대",
        "가장",
        "하루",
    ),
    2: ("two", "twice", "both", "double", "doubled", "doubles", "second", "pair", "두", "둘", "양", "이틀"),
    3: ("three", "third", "thirds", "triple", "tripled", "세", "셋", "석", "사흘"),
    4: ("four", "fourth", "네", "넷", "넉", "나흘"),
    5: ("five", "fifth", "다섯", "닷새"),
    6: ("six", "sixth", "여섯", "엿새"),
    7: ("seven", "seventh", "일곱", "이레"),
    8: ("eight", "eighth", "여덟", "여드레"),
    9: ("nine", "ninth", "아홉"),
    10: ("ten", "tenth", "열", "열흘"),
    11: ("eleven", "eleventh", "열한"),
    12: ("twelve", "twelfth", "dozen", "열두"),
}
_ENGLISH_SMALL = {word: value for value, words in _SMALL.items() for word in words if word.isascii()}
_ENGLISH_SMALL |= dict(
    zip(
        ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"],
        range(13, 20),
        strict=True,
    )
)
_ENGLISH_SMALL |= dict(
    zip(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"],
        range(20, 100, 10),
        strict=True,
    )
)
_ENGLISH_RUN = "|".join(sorted(_ENGLISH_SMALL, key=len, reverse=True))
_KOREAN_DIGITS = "일이삼사오육칠팔구"
_KOREAN_SMALL = {word: value for value, words in _SMALL.items() for word in words if not word.isascii()}
_KOREAN_RUN = "|".join(sorted(_KOREAN_SMALL, key=len, reverse=True))
_COUNTER = r"(?:번|차례|배|가지|명|곳|개|달|해|나라|시간|마리|대|건|종|군데|사람|회사|은행|거래소)"
_BIG = "hundred|thousand|million|billion|trillion"
_HALF = (Number(Decimal("0.5")), Number(Decimal(50), "%"))
_PHONE_DIGITS = 7
_AFTERNOON = ("오후", "저녁", "밤", "pm")


def _day(year: str | None, month: str | None, day: str | None = None) -> list[Reading] | None:
    numbers = int(year or 0), _month(month), int(re.sub(r"\D", "", day or "") or 0)
    return [Date(*numbers)] if numbers[1] <= 12 and numbers[2] <= 31 and any(numbers) else None


def _month(written: str | None) -> int:
    if not written:
        return 0
    if written.isdigit():
        return int(written)
    return 1 + next(at for at, name in enumerate(_MONTHS) if name.startswith(written[:3]))


def _english_days(match: re.Match[str]) -> _Made:
    days = [day for day in (match["day"], match["other"]) if day] or [None]
    return [one for day in days for one in _day(match["year"], match["month"], day) or ()] or None


def _year(match: re.Match[str]) -> _Made:
    return [Date(year=int(match["year"])), Number(Decimal(match["year"]))]


def _lone_day(match: re.Match[str]) -> _Made:
    # 20일 is the twentieth, or twenty days.
    day = int(match["day"])
    return [*([Date(day=day)] if day <= 31 else []), Number(Decimal(day))] if day else None


def _clock(match: re.Match[str]) -> _Made:
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    half = re.sub(r"[.\s]", "", match["half"] or "")
    if half in _AFTERNOON and hour < 12 and (half != "밤" or hour > 5):
        hour += 12
    elif half in ("오전", "am", "새벽", "밤") and hour == 12:
        hour = 0
    unsaid = [Clock((hour + 12) % 24, minute)] if not half and 0 < hour < 12 else []
    return [Clock(hour % 24, minute), *unsaid]


def _phone(match: re.Match[str]) -> _Made:
    digits = re.sub(r"\D", "", match.group())
    return [Code(digits)] if len(digits) >= _PHONE_DIGITS else None


def _code(match: re.Match[str]) -> _Made:
    return [Code(match.group())]


def _amount(match: re.Match[str]) -> _Made:
    value = _value(match["number"]) * ENGLISH_STEPS.get(match["step"] or "", 1)
    unit = (match["currency"] or match["unit"] or "").strip()
    kind = _kind(unit)
    readings = [Number(value, kind)]
    if (match["step"] or "") in ("m", "t", "b"):
        # A metre, a ton, a bit.
        readings.append(Number(_value(match["number"]), kind))
    return readings


def _count(match: re.Match[str]) -> _Made:
    return [Number(Decimal(match["number"]))]


def _kind(unit: str) -> str:
    for word in (unit, unit.rstrip("s"), unit.split(" ")[-1].rstrip("s")):
        if word in _KINDS:
            return _KINDS[word]
    return ""


def _value(written: str) -> Decimal:
    """``3억 6,000만``, ``2만2천``, ``5백만`` or plain digits."""
    total = Decimal(0)
    for digits, small, large in _PART.findall(written):
        part = Decimal(digits.replace(",", "")) * KOREAN_STEPS.get(small, 1)
        total += part * KOREAN_STEPS.get(large, 1)
    return total


def _basis_points(match: re.Match[str]) -> _Made:
    value = Decimal(match["number"])
    return [Number(value / 100, "%"), Number(value)]


def _part_of(match: re.Match[str]) -> _Made:
    whole, part = int(match["whole"]), int(match["part"])
    return [Number(Decimal(part) / whole), *(_HALF if (part, whole) == (1, 2) else ())] if whole else None


def _english_part(match: re.Match[str]) -> _Made:
    wholes = {"third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
    return [Number(Decimal(_ENGLISH_SMALL.get(match["part"], 1)) / wholes[match["whole"]])]


def _korean_word(match: re.Match[str]) -> _Made:
    return [Number(Decimal(_KOREAN_SMALL[match["word"]]))]


def _korean_words(match: re.Match[str]) -> _Made:
    """``삼백만``, ``이십오``: digits, then their tens, within each part up to 만, 억 or 조."""
    total = part = digit = 0
    for one in match["words"]:
        if one in _KOREAN_DIGITS:
            digit = 1 + _KOREAN_DIGITS.index(one)
        elif (step := KOREAN_STEPS[one]) < KOREAN_STEPS["만"]:
            part, digit = part + (digit or 1) * step, 0
        else:
            total, part, digit = total + ((part + digit) or 1) * step, 0, 0
    return [Number(Decimal(total + part + digit), _kind(match["unit"]))]


def _english_word(match: re.Match[str]) -> _Made:
    total = group = Decimal(0)
    for word in re.findall("[a-z]+", match["words"]):
        if word in ENGLISH_STEPS:
            step = ENGLISH_STEPS[word]
            group = (group or Decimal(1)) * step
            if step > 100:
                total, group = total + group, Decimal(0)
        else:
            group += Decimal("0.5") if word == "half" else _ENGLISH_SMALL.get(word, 0)
    # "Five won exchanges" are five.
    return [Number(total + group, kind) for kind in {_kind((match["unit"] or "").strip()), ""}]


def _half(_match: re.Match[str]) -> _Made:
    return _HALF


def _twice(_match: re.Match[str]) -> _Made:
    return [Number(Decimal(2))]


def _always(_match: re.Match[str]) -> bool:
    return True


def _never(_match: re.Match[str]) -> bool:
    return False


def _is_no_name(match: re.Match[str]) -> bool:
    """Whether a number spelt out is none of three syllables with 원: 이억원 is 200 million won, and a person."""
    return match["unit"] != "원" or len(match.group()) != 2


def _counts(match: re.Match[str]) -> bool:
    """Whether a word of a number claims it: one and two stand for too much else."""
    words = re.findall("[a-z]+", match["words"])
    return len(words) > 1 or _ENGLISH_SMALL.get(words[0], 0) > 2


def _full_year(year: str) -> str:
    return year if len(year) == 4 else f"20{year[-2:]}"


def _written_day(match: re.Match[str]) -> _Made:
    """A date of which some parts may be unsaid."""
    parts = match.groupdict()
    year = parts.get("year")
    return _day(_full_year(year) if year else None, parts.get("month"), parts.get("day"))


class Form(NamedTuple):
    """A way of writing: what it looks like, what it means, and whether it claims anything."""

    pattern: re.Pattern[str]
    made: Callable[[re.Match[str]], _Made]
    is_claim: Callable[[re.Match[str]], bool] = _always


def _form(
    written: str,
    made: Callable[[re.Match[str]], _Made],
    is_claim: Callable[[re.Match[str]], bool] = _always,
) -> Form:
    return Form(re.compile(written), made, is_claim)


_KOREAN_HALF_DAY = r"(?:(?P<half>오전|오후|새벽|저녁|밤|아침)\s?)?"
_NO_YEAR = r"(?:원|달러|개|명|건|%|만|억|조|hundred|thousand|million|billion|won\b|dollars?\b|[kmb]\b)"

# In this order, and what one has read the next does not see.
FORMS = (
    # Addresses of wallets and contracts, and whatever else mixes letters and digits at length.
    _form(r"(?<![a-z0-9])0x[0-9a-f]+(?:(?:…|\.{2,3})[0-9a-f]+)?", _code),
    _form(
        r"(?<![a-z0-9])(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{12,}(?:(?:…|\.{2,3})[a-z0-9]+)?",
        _code,
    ),
    # 2024-01-10, 2024. 1. 10, 2024-01
    _form(
        rf"(?<![\d.])(?P<year>{_YEAR})\s?[-./]\s?(?P<month>\d{{1,2}})\s?[-./]\s?(?P<day>\d{{1,2}})(?!\d)",
        _written_day,
    ),
    _form(rf"(?<![\d.])(?P<year>{_YEAR})[-.](?P<month>0[1-9]|1[0-2])(?![\d.])", _written_day),
    # +82 2 1234 5678, 02-1234-5678, 1588-1234, 01012345678
    _form(
        r"(?<![\w.-])(?:\+\d{1,3}[\s.-]?\(?\d{1,4}\)?[\s.-]\d{3,4}[\s.-]?\d{0,4}"
        r"|\(?0\d{1,3}\)?[\s.-]?\d{3,4}-\d{4}|1[5-8]\d\d-\d{4}|\d{3}-\d{3,4}-\d{4}|0\d{9,10})(?![\w-])",
        _phone,
    ),
    # 0.21.1
    _form(r"(?<![\d.])\d+(?:\.\d+){2,}(?!\d)", _code),
    # 2024년 1월 10일 and its parts
    _form(
        rf"(?<!\d)(?P<year>{_YEAR}|'?\d\d)\s?년(?:도)?(?:,|의)?\s?"
        r"(?P<month>\d{1,2})\s?월(?:\s?(?P<day>\d{1,2})\s?일)?",
        _written_day,
    ),
    _form(r"(?<![\d.,])(?P<month>\d{1,2})\s?월\s?(?P<day>\d{1,2})\s?일", _written_day),
    _form(rf"(?<!\d)(?P<year>{_YEAR})\s?년", _written_day),
    _form(r"(?<![\w'])'(?P<year>\d\d)\s?년", _written_day),
    _form(r"(?<![\d.,])(?P<month>\d{1,2})\s?월(?!드)", _written_day),
    _form(r"(?<![\d.,])(?P<day>\d{1,2})\s?일(?!봉)", _lone_day),
    _form(r"(?<![\d.,·])(?P<month>\d{1,2})·(?P<day>\d{1,2})(?![\d·.]|[%만억조원개명])", _written_day),
    # 10 January 2024, January 10, 2024 and their parts
    _form(
        rf"\b(?P<day>{_DAY})(?:{TO}(?P<other>{_DAY}))?(?:\sof)?\s(?P<month>{_MONTH})"
        rf"(?:,?\s(?P<year>{_YEAR}))?(?!\w)",
        _english_days,
    ),
    _form(
        rf"\b(?P<month>{_MONTH})\s(?P<day>{_DAY})(?:{TO}(?P<other>{_DAY})(?!\s?{_MONTH}))?"
        rf"(?:,?\s(?P<year>{_YEAR}))?(?!\w)",
        _english_days,
    ),
    _form(rf"\b(?P<month>{_MONTH}),?(?:\sof)?\s(?P<year>{_YEAR})(?!\w)", _written_day),
    _form(rf"\b{_IN}[\s-](?P<month>{_MONTH})(?!\w)", _written_day),
    # May and March are words as well.
    _form(
        rf"\b(?P<month>{'|'.join(name for name in _MONTHS if name not in ('may', 'march'))})\b", _written_day
    ),
    # 3:30 p.m., 15:30, 오후 3시 30분
    _form(
        r"\b(?P<hour>[01]?\d|2[0-4])(?::(?P<minute>[0-5]\d))?\s?(?P<half>[ap]\.?\s?m\b\.?)",
        _clock,
    ),
    _form(
        rf"{_KOREAN_HALF_DAY}(?<![\d.,:])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::[0-5]\d)?(?![\d:])",
        _clock,
    ),
    _form(
        rf"{_KOREAN_HALF_DAY}(?<![\d.,])(?P<hour>[01]?\d|2[0-4])\s?시(?!간|가총|장|세|점|즌)"
        r"(?:\s?(?P<minute>[0-5]?\d)\s?분)?",
        _clock,
    ),
    # A year, or as many of something.
    _form(rf"(?<![\d.,$₩€£¥a-z])(?P<year>{_YEAR})(?:년대|s\b)?(?![\d,.]\d|\d|\s?{_NO_YEAR})", _year),
    _form(
        r"(?<![\d.,])(?P<number>\d+(?:\.\d+)?)\s?(?:bps?\b|basis points?\b|베이시스)",
        _basis_points,
    ),
    _form(r"(?<!\d)(?P<whole>\d{1,3})\s?분의\s?(?P<part>\d{1,3})(?!\d)", _part_of),
    _form(r"(?<![\d./])(?P<part>\d)/(?P<whole>\d)(?![\d/])", _part_of),
    _form(_AMOUNT, _amount),
    # Web3 may be 웹3; by itself it is a name.
    _form(r"(?<=[a-z])(?P<number>\d{1,6})", _count, _never),
    # Numbers in words
    _form(
        rf"\b(?P<words>(?:(?:a|an|half a|{_ENGLISH_RUN})[\s-](?:and )?){{0,6}}(?:{_BIG})"
        rf"(?:[\s-](?:and )?(?:{_ENGLISH_RUN}|{_BIG})){{0,9}})\b\s?{_UNIT}?",
        _english_word,
    ),
    _form(
        r"\b(?P<part>a|one|two|three)[\s-](?P<whole>third|quarter|fifth|tenth)s?\b(?=\s(?:of|the))",
        _english_part,
    ),
    _form(r"절반|반토막|\bhalv(?:ed|es)\b", _half),
    _form(r"(?<![가-힣])반으로|반씩|반감|\bhal(?:f|ve|ving)\b", _half, _never),
    _form(
        r"(?<![가-힣])두\s?배|갑절|곱절"
        r"|\b(?:twice|twofold|doubl(?:e(?![\s-]?(?:spen|sign|count))|es|ed|ing))\b",
        _twice,
    ),
    _form(
        rf"(?<![가-힣\d])(?P<words>[{_KOREAN_DIGITS}십백천만억조]*[십백천만억조][{_KOREAN_DIGITS}]?)\s?"
        r"(?=(?P<unit>달러|원|퍼센트|프로|%|개|명|(?<=\s)[배건주곳]))",
        _korean_words,
        _is_no_name,
    ),
    _form(
        rf"\b(?P<words>(?:{_ENGLISH_RUN})(?:-(?:{_ENGLISH_RUN}))?)\b(?![\s-]part(?:y|ies)\b)\s?{_UNIT}?",
        _english_word,
        _counts,
    ),
    _form(
        rf"(?<![가-힣])(?P<word>세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두)\s?(?={_COUNTER})",
        _korean_word,
    ),
    _form(rf"(?<![가-힣])(?P<word>{_KOREAN_RUN})", _korean_word, _never),
)
