"""Numbers, dates, times and codes of a text are read as values that compare across languages and ways of writing."""

from decimal import Decimal

import orjson
import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from ask.stated import Stated, read
from ask.statements import Clock, Code, Date, Number, Reading

MILLION_360 = Number(Decimal(360_000_000))
DOLLARS = Number(Decimal(5_000_000), "$")
TENTH = Date(2024, 1, 10)


def meant(text: str) -> set[Reading]:
    return {reading for one in read(text) for reading in one.readings}


@pytest.mark.parametrize(
    ("written", "reading"),
    [
        *(
            (written, MILLION_360)
            for written in ("3억 6천만 개", "3억6000만", "3.6억", "360 million", "360,000,000")
        ),
        *(
            (written, MILLION_360)
            for written in ("３６０，０００，０００", "360M", "three hundred sixty million")
        ),
        *(
            (written, Number(Decimal(5_000_000), "$"))
            for written in ("500만 달러", "5백만 달러", "$5m", "US$5 million")
        ),
        *(
            (written, Number(Decimal(5_000_000), "$"))
            for written in ("USD 5,000,000", "five million dollars")
        ),
        *(
            (written, Number(Decimal(1_200_000_000_000), "₩"))
            for written in ("1조 2,000억 원", "1.2 trillion won")
        ),
        *(
            (written, Number(Decimal("0.25"), "%"))
            for written in ("0.25%p", "25bp", "0.25 percentage points")
        ),
        *((written, Number(Decimal(22), "%")) for written in ("22%", "22 퍼센트", "22 percent", "20~22%")),
        *((written, Number(Decimal(3))) for written in ("세 배", "three times", "세 번", "the third", "3배")),
        *((written, Number(Decimal("0.5"))) for written in ("절반", "half", "2분의 1", "halved", "½", "1/2")),
        *(
            (written, TENTH)
            for written in ("2024-01-10", "2024. 1. 10.", "2024년 1월 10일", "January 10, 2024")
        ),
        *((written, TENTH) for written in ("10 January 2024", "Jan. 10th, 2024", "10 and 12 January 2024")),
        *((written, TENTH) for written in ("2024/1/10", "January 3–10, 2024", "the 10th of January 2024")),
        *((written, Date(2024)) for written in ("2024년", "in 2024", "2012·2024년", "2020~2024년", "2024")),
        *((written, Date(0, 4)) for written in ("4월", "3~4월", "in April", "since April")),
        *(
            (written, Clock(15, 30))
            for written in ("15:30", "오후 3시 30분", "3:30 p.m.", "3:30 PM", "3시 30분")
        ),
        *((written, Code("0212345678")) for written in ("02-1234-5678", "(02) 1234-5678")),
        ("0xAB12cd", Code("0xab12cd")),
        ("0.21.1", Code("0.21.1")),
    ],
)
def test_one_value_may_be_written_in_many_ways(written: str, reading: Reading) -> None:
    assert reading in meant(written)


@pytest.mark.parametrize(
    ("written", "reading"),
    [
        ("62만 2026년", Number(Decimal(622_026))),
        ("1,000만 개, 580억 원", Number(Decimal(10_000_000), "₩")),
        ("10¹⁸", Number(Decimal(1018))),
        ("3개월", Date(0, 3)),
        ("2012-2016년", Code("20122016")),
        ("3시간", Clock(3, 0)),
        ("조건이 만료되고 천천히", Number(Decimal(10**12))),
        ("January to June 7.32 trillion", Date(0, 6, 7)),
        ("it may rise", Date(0, 5)),
        ("third-party", Number(Decimal(3))),
    ],
)
def test_what_is_not_said_is_not_read(written: str, reading: Reading) -> None:
    assert reading not in meant(written)


@pytest.mark.parametrize(
    ("said", "source", "holds"),
    [
        ("2024년 4월 20일", "2024년에 네 번째 반감기가 4월 20일 있었다.", True),
        ("2023년 4월 20일", "2024년 4월 20일과 2023년이었다.", False),
        ("4월 20일", "2024년 4월 20일", True),
        ("2024년 4월", "2024년 4월 20일", True),
        ("2024년 5월 20일", "2024년 4월 20일", False),
        ("20일", "4월 20일", True),
        ("580억", "580억 원", True),
        ("580억 달러", "580억 원", False),
        ("580억 원", "580억 개", False),
        ("22%", "22명", False),
    ],
)
def test_a_date_may_be_told_in_parts_and_a_unit_left_out(said: str, source: str, holds: bool) -> None:
    stated = Stated([source])
    assert all(stated.holds(one) for one in read(said)) is holds


def test_a_label_lends_its_date_and_no_number() -> None:
    stated = Stated(["20일 상장했다."], dated=["마루코인, 새벽경제, 2026-11-20"])
    assert all(stated.holds(one) for one in read("2026년 11월 20일"))
    assert not any(stated.holds(one) for one in read("11개"))


@pytest.mark.parametrize("piece", ["1", "1,", "1억 ", "a1", "January ", "one ", "0x", "1-", "천", "3·", "$"])
def test_long_nonsense_is_read_whole(piece: str) -> None:
    text = piece * (8_000 // len(piece))
    ends = [0, *(one.end for one in read(text))]
    assert ends == sorted(ends)
    assert ends[-1] <= len(text)


def test_the_starter_canon_states_the_same_in_both_languages() -> None:
    files = [
        settings.BASE_DIR / "knowledge" / "canon" / f"{name}.json" for name in ("organisations", "events")
    ]
    units = [unit for file in files for unit in orjson.loads(file.read_bytes())["units"]]
    pairs = [(unit["summary"], unit["summary_en"]) for unit in units[::2]]
    missed = [
        one[statement.start : statement.end]
        for pair in pairs
        for one, other in (pair, pair[::-1])
        for stated in (Stated([other]),)
        for statement in read(one)
        if statement.is_claim and not stated.holds(statement)
    ]
    assert len(pairs) > 50
    assert missed == []


_PIECES = st.sampled_from(
    [
        *(
            "0",
            "1",
            "3",
            "9",
            "19",
            "20",
            "٣",
            "０",
            "½",
            "²",
            "월",
            "일",
            "년",
            "시",
            "분",
            "분의",
            "오후",
            "만",
            "억",
            "조",
        ),
        *(
            "천",
            "원",
            "달러",
            "개",
            "%",
            "~",
            "-",
            "·",
            ",",
            ".",
            " ",
            "$",
            "0x",
            "ab",
            "İ",
            "ﬁ",
            "ß",
            "'24년",
            "\n",
        ),
        *("pm", " to ", " and ", "January ", " in ", "one ", "half ", "million ", "hundred ", " third of"),
    ]
)


@given(st.lists(_PIECES, max_size=30).map("".join))
def test_whatever_is_written_states_what_it_states(text: str) -> None:
    found, stated = read(text), Stated([text])
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(map(stated.holds, found))
