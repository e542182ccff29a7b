"""Numbers of Korean and English texts compare by value."""

import pytest

from tests.stated_numbers import english, korean


@pytest.mark.parametrize(
    ("ko", "en"),
    [
        ("2022년 5월 9일 60달러대에서", "from above 60 dollars on 9 May 2022"),
        ("약 5억 2,300만 개, 580억 엔어치", "523 million, worth 58 billion yen"),
        ("1억 3,000만 원대에서 8,826만 6,000원까지", "from above 130 million won to 88.266 million won"),
        ("이더 34만 2,000개와 2만 1,454개, 3천만 원", "342,000 and 21,454 ether, 30 million won"),
        ("10조 5천억 원의 22%, 99.95퍼센트", "22 percent and 99.95% of 10.5 trillion won"),
        ("62만 2026년에", "620 thousand in 2026"),
        ("한 해 여덟 번, 1대1", "eight times a year, one to one"),
        ("5·19 폭락", "the crash of 19 May"),
        ("두 차례, 세 번째", "twice, the third"),
        ("쓰리애로우즈캐피털은 할 수 있다", "Three Arrows Capital may"),
        ("6개월 뒤 6월", "in June, after six months"),
        ("100만 원", "one million won"),
    ],
)
def test_the_same_numbers_are_told_apart_from_no_others(ko: str, en: str) -> None:
    assert korean(ko).missing_in(english(en)) == []
    assert english(en).missing_in(korean(ko)) == []


@pytest.mark.parametrize(
    ("ko", "en", "english_lacks", "korean_lacks"),
    [
        ("580억 원", "58 million won", ["58000000000"], ["58000000"]),
        ("22%", "22 won", ["22%"], ["22"]),
        ("2024년 7월", "July 2024, 19 days", [], ["19"]),
        ("3월 25일", "25 May", ["March"], ["May"]),
        ("1억 3,000만 원", "100 million won", ["130000000"], ["100000000"]),
        ("네 번", "three times", ["4"], ["3"]),
    ],
)
def test_another_number_is_found(ko: str, en: str, english_lacks: list[str], korean_lacks: list[str]) -> None:
    assert korean(ko).missing_in(english(en)) == english_lacks
    assert english(en).missing_in(korean(ko)) == korean_lacks
