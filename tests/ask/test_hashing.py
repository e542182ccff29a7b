"""60 pairs that are one question, 60 that are two, and properties of cleaning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ask.hashing import HASH_LENGTH, clean, key, question_hash

SAME = [
    ("비트코인이 뭐야?", "비트코인이 뭐야"),
    ("비트코인이 뭐야?", "비트코인이 뭐야??"),
    ("비트코인이 뭐야?", "비트코인이 뭐야？"),
    ("비트코인이 뭐야?", "비트코인이 뭐야?!"),
    ("비트코인이 뭐야?", "  비트코인이   뭐야 ? "),
    ("비트코인이 뭐야?", "비트코인이\t뭐야?"),
    ("비트코인이 뭐야?", "비트코인이\n뭐야?"),
    ("비트코인이 뭐야?", "비트코인이\u3000뭐야?"),
    ("비트코인이 뭐야?", "비트코인이\u00a0뭐야?"),
    ("비트코인이 뭐야?", "비트\u200b코인이 뭐야?"),
    ("비트코인이 뭐야?", "\ufeff비트코인이 뭐야?"),
    ("비트코인이 뭐야?", "비트코인이 뭐야?\u200f"),
    ("비트코인이 뭐야?", "\u202e비트코인이 뭐야?\u202c"),
    ("비트코인이 뭐야?", "비트\u3164코인이 뭐야?"),
    ("비트코인이 뭐야?", "비트\uffa0코인이 뭐야?"),
    ("비트코인이 뭐야?", "비트코인이 뭐야?\U000e0041\U000e0042"),
    ("비트코인이 뭐야?", "비트코인이 뭐야?\ud800"),
    ("비트코인이 뭐야?", "비트코인이\x00뭐야?"),
    ("비트코인이 뭐야?", "비트코인이 뭐야…"),
    ("비트코인이 뭐야?", "비트코인이 뭐야..."),
    ("비트코인이 뭐야?", "비트코인이 뭐야。"),
    ("비트코인이 뭐야?", "비트코인이 뭐야~"),
    ("비트코인이 뭐야?", "비트코인이 뭐야～"),
    ("비트코인이 뭐야?", "비트코인이 뭐야〜?"),
    ("비트코인이 뭐야?", '"비트코인이 뭐야?"'),
    ("비트코인이 뭐야?", "“비트코인이 뭐야?”"),
    ("비트코인이 뭐야?", "'비트코인이 뭐야'?"),
    ("비트코인이 뭐야?", "「비트코인이 뭐야?」"),
    ("비트코인이 뭐야?", "『비트코인이 뭐야』"),
    ("비트코인이 뭐야?", "\"'비트코인이 뭐야'\""),
    ("비트코인이 뭐야?", "\u1107\u1175트코인이 뭐야"),
    ("비트코인이 뭐야,", "비트코인이 뭐야"),
    ("What is Bitcoin?", "what is bitcoin"),
    ("What is Bitcoin?", "WHAT IS BITCOIN?"),
    ("What is Bitcoin?", "What is Bitcoin"),
    ("What is Bitcoin?", "What is  Bitcoin ?"),
    ("What is Bitcoin?", "Ｗｈａｔ ｉｓ Ｂｉｔｃｏｉｎ？"),
    ("What is Bitcoin?", "What is Bit\u00adcoin?"),
    ("What is Bitcoin?", "What is Bitcoin.\u2060"),
    ("What's a fork?", "What’s a fork?"),
    ("What's a fork?", "What‘s a fork?"),
    ("What's a fork?", "What`s a fork?"),
    ('Who said "to the moon"?', "Who said “to the moon”?"),
    ('Who said "to the moon"?', "Who said «to the moon»?"),
    ("proof-of-stake", "proof‐of‐stake"),
    ("proof-of-stake", "proof–of—stake"),
    ("proof-of-stake", "proof−of-stake?"),
    ("원·달러 환율", "원ㆍ달러 환율"),
    ("원·달러 환율", "원・달러 환율"),
    ("원·달러 환율", "원•달러 환율"),
    ("원·달러 환율", "원･달러 환율"),
    ("1~2월 상장", "1～2월 상장"),
    ("1~2월 상장", "1〜2월 상장"),
    ("수수료 5％", "수수료 5%"),
    ("ETF①", "ETF1"),
    ("㈜두나무", "(주)두나무"),
    ("Café au lait", "Cafe\u0301 au lait"),
    ("Straße", "STRASSE"),
    ("ﬁnality", "finality"),
    ("☕️ 값", "☕ 값"),
]

APART = [
    ("비트코인 가격", "비트코인가격"),
    ("김치 프리미엄", "김치프리미엄"),
    ("비트코인은?", "비트코인이?"),
    ("비트코인은?", "비트코인?"),
    ("비트코인을 사는 법", "비트코인 사는 법"),
    ("C++", "C"),
    ("C#", "C"),
    ("C++", "C#"),
    ("1-2월", "12월"),
    ("1~2월", "12월"),
    ("1-2월", "1~2월"),
    ("-5%", "5%"),
    ("+5%", "5%"),
    ("3.5%", "35%"),
    ("0.5", ".5"),
    ("1,000", "1000"),
    ("10:1", "101"),
    ("2026년", "2025년"),
    ("언제 올랐어?", "언제 내렸어?"),
    ("올랐다", "올랐나"),
    ("뭐야", "뭐예요"),
    ("무엇인가요", "무엇입니까"),
    ("왜 떨어졌어?", "왜 안 떨어졌어?"),
    ("BTC", "BCH"),
    ("BTC/KRW", "BTCKRW"),
    ("BTC-KRW", "BTC KRW"),
    ("BTC/KRW", "BTC-KRW"),
    ("USD", "USDT"),
    ("USDT", "USDC"),
    ("$100", "100"),
    ("₩100", "$100"),
    ("100%", "100"),
    ("#1", "1"),
    ("@upbit", "upbit"),
    ("a&b", "ab"),
    ("a/b", "a·b"),
    ("(반감기)", "반감기"),
    ("[속보] 상장", "속보 상장"),
    ("A? B?", "A B?"),
    ("A. B", "A B"),
    ("A, B", "A B"),
    ('"A" or "B"', 'A" or "B'),
    ("don't", "dont"),
    ("its", "it's"),
    ("proof of stake", "proof-of-stake"),
    ("proofofstake", "proof of stake"),
    ("Café", "Cafe"),
    ("naïve", "naive"),
    ("가", "각"),
    ("갂", "각"),
    ("비트코인 🚀", "비트코인"),
    ("비트코인 🚀", "비트코인 📉"),
    ("비트코인 ↑", "비트코인 ↓"),
    ("x < y", "x > y"),
    ("x = y", "x ≠ y"),
    ("¿비트코인?", "비트코인?"),
    ("한국", "韓國"),
    ("ETF", "ETFs"),
    ("웹3", "웹 3"),
    ("더 머지", "머지"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_spellings_of_one_question_share_a_hash(one: str, other: str) -> None:
    assert question_hash(one) == question_hash(other)


@pytest.mark.parametrize(("one", "other"), APART)
def test_two_questions_keep_their_own_hash(one: str, other: str) -> None:
    assert question_hash(one) != question_hash(other)


def test_a_hash_never_changes() -> None:
    assert question_hash("김치 프리미엄이란 무엇인가요?") == "d1256be86eaf49b354849126c4e63589"
    assert question_hash("What is the kimchi premium?") == "ea487a7b99d332c85f9bdc6b2912e252"


def test_cleaning_keeps_what_the_reader_typed() -> None:
    assert clean(" “김프”가\x00 뭐야？ C++ ") == "“김프”가 뭐야？ C++"


@given(st.text(alphabet=st.characters(codec=None), max_size=80))
def test_cleaning_and_comparing_are_settled_after_one_pass(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    cleaned.encode()  # no lone surrogate is left
    assert "\x00" not in cleaned
    assert key(cleaned) == key(text)
    assert key(key(text)) == key(text)
    assert len(question_hash(text)) == HASH_LENGTH
