"""Texts to units: boundaries, particles, case, doubt, and whatever strangers may write."""

import json
import os
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.evaluation.events import starter_canon
from knowledge.evaluation.linking import Case, evaluate, linker_of_canon, read_cases, read_linker
from knowledge.linking.automaton import AliasSpec, default_ambiguous, default_case_sensitive
from knowledge.linking.linker import Linker

PROJECT = Path(__file__).resolve().parents[2]
OWN = PROJECT / "tests" / "recorded" / "linking"
SHARED = Path(os.environ.get("SAMPLES_DIR", PROJECT.parent / "shared" / "samples")).parent / "linking"


def linker(**units: list[str | AliasSpec]) -> Linker:
    """A linker over aliases by unit; a plain surface is one that no editor judged."""
    return Linker(
        AliasSpec(unit, alias) if isinstance(alias, str) else alias
        for unit, aliases in units.items()
        for alias in aliases
    )


COINS = linker(
    BTC=["비트코인", "BTC", "Bitcoin"],
    BCH=["비트코인캐시", "BCH"],
    ETH=["이더리움", "이더", "ETH"],
    SOL=["솔라나", "SOL"],
    USDT=["테더", "USDT"],
    DOGE=["도지코인", "도지", "DOGE"],
    LUNA=["루나", "LUNA"],
    LUNC=["루나클래식", "LUNC"],
    NEAR=["니어", "NEAR"],
    KIMP=["김치 프리미엄"],
)


def surfaces(text: str) -> list[str]:
    return [found.surface for found in COINS.find(text)]


@pytest.mark.parametrize("folder", [OWN, SHARED], ids=["own", "shared"])
def test_precision_and_recall_hold_on_the_sentences_of_careful_readers(folder: Path) -> None:
    if not folder.exists():
        pytest.skip("the shared linking cases are not here")
    report = evaluate(read_linker(folder / "units.json"), list(read_cases(folder / "cases.jsonl")))
    assert report["precision"] >= 0.95, report["misses"]
    assert report["recall"] >= 0.95, report["misses"]


@pytest.mark.parametrize(("name", "floor"), [("meanings", 0.99), ("meanings_second", 0.94)])
def test_a_word_is_a_unit_of_the_starter_canon_only_where_it_means_it(name: str, floor: float) -> None:
    report = evaluate(linker_of_canon(starter_canon()), list(read_cases(OWN / f"{name}.jsonl")))
    assert report["precision"] >= floor, report["misses"]
    assert report["recall"] >= floor, report["misses"]


def test_the_longest_name_wins_and_names_do_not_overlap() -> None:
    assert COINS.units("비트코인캐시와 비트코인") == ["BCH", "BTC"]
    assert surfaces("비트코인 캐시 반감기") == ["비트코인 캐시"]


@pytest.mark.parametrize(
    "particle",
    [
        "",
        "이",
        "은",
        "을",
        "의",
        "에서조차",
        "으로부터의",
        "만큼은",
        "이야말로",
        "이라는",
        "입니다",
        "뿐만아니라",
    ],
)
def test_a_name_may_carry_a_particle(particle: str) -> None:
    assert surfaces(f"어제 비트코인{particle} 움직였다") == ["비트코인"]


@pytest.mark.parametrize("word", ["비트코이너", "비트코인맨", "비트코인캐시백", "알비트코인", "비트코인골드"])
def test_a_name_inside_another_word_is_none(word: str) -> None:
    assert surfaces(f"어제 {word} 이야기") == []


def test_names_written_together_are_each_found() -> None:
    assert COINS.units("BTCUSDT 4시간봉") == ["BTC", "USDT"]
    assert COINS.units("솔라나SOL 상승") == ["SOL"]
    assert COINS.units("비트코인이더리움 비교") == ["BTC", "ETH"]
    assert COINS.units("비트코인과이더리움 비교") == ["BTC", "ETH"]


def test_a_copula_is_not_taken_for_the_next_name() -> None:
    assert COINS.units("그게 비트코인이더라 코인 시세") == ["BTC"]


def test_the_name_of_a_fork_is_not_the_original() -> None:
    assert COINS.units("Bitcoin Gold attack and bitcoin sv") == []
    assert COINS.units("비트코인 골드가 멈췄다") == []


@pytest.mark.parametrize("text", ["SOL이 올랐다", "$sol to the moon", "#SOL", "10,000SOL 이체", "SOL's rise"])
def test_a_short_ticker_counts_in_its_own_case_or_with_a_dollar(text: str) -> None:
    assert COINS.units(text) == ["SOL"]


@pytest.mark.parametrize(
    "text", ["sol", "SOLVED", "ABSOL", "SOL_1", "near the end", "NEAR THE STATION", "x2SOL"]
)
def test_letters_that_only_look_like_a_ticker_do_not_count(text: str) -> None:
    assert COINS.units(text) == []


def test_tickers_without_a_vowel_count_in_any_case() -> None:
    assert COINS.units("btc 전망") == ["BTC"]


def test_plurals_and_possessives_are_the_name() -> None:
    assert surfaces("Bitcoins and Bitcoin's and BTCs") == ["Bitcoin", "Bitcoin", "BTC"]


def test_a_doubtful_name_needs_evidence() -> None:
    assert COINS.units("우리 집 고양이 루나") == []
    assert COINS.units("루나 상장폐지 사태") == ["LUNA"]
    assert COINS.units("루나와 비트코인") == ["LUNA", "BTC"]


def test_the_channel_is_evidence() -> None:
    assert COINS.units("오늘의 루나") == []
    assert COINS.units("오늘의 루나", crypto_channel=True) == ["LUNA"]


def test_the_ticker_in_brackets_settles_which_namesake_is_meant() -> None:
    assert COINS.units("루나(LUNA)") == ["LUNA"]
    assert COINS.units("루나(LUNC) 소각 코인") == ["LUNC"]
    assert COINS.units("니어(near)") == ["NEAR"]


def test_an_unknown_ticker_in_brackets_speaks_of_something_else() -> None:
    assert COINS.units("니어토큰(NIER) 코인 상장") == []
    story = linker(STORY=["스토리"])
    assert story.units("스토리(IP) 코인 상장") == ["STORY"]


def test_brackets_after_other_words_abbreviate_those() -> None:
    doge = Linker([AliasSpec("DOGE", "DOGE", case_sensitive=True), AliasSpec("DOGE", "도지코인")])
    assert doge.units("정부효율부(DOGE) 해체") == []
    assert doge.units("도지코인(DOGE) 해체") == ["DOGE"]
    assert doge.units("신규 코인 도기(DOGE) 상장") == ["DOGE"]


def test_a_person_who_bears_the_name_is_no_coin() -> None:
    assert COINS.units("루나 씨가 코인을 샀다") == []
    assert COINS.units("루나님의 코인 시세 강의") == []


def test_one_name_of_several_units_counts_only_when_the_text_tells_which() -> None:
    namesakes = linker(STRK=["스트라이크", "STRK"], STRIKE=["스트라이크", "STRIKE"])
    assert namesakes.units("스트라이크 코인 상장") == []
    assert namesakes.units("스트라이크(STRK) 상장") == ["STRK"]
    assert namesakes.units("스트라이크 급등, 거래량은 STRIKE 마켓이 최고") == ["STRIKE"]
    assert namesakes.units("스트라이크냐, STRK와 STRIKE 사이") == ["STRK", "STRIKE"]


def test_a_blocked_context_near_a_mention_drops_it() -> None:
    klay = Linker([AliasSpec("KLAY", "클레이튼", blocked_contexts=("커쇼",))])
    assert klay.units("클레이튼 커쇼 완봉승") == []
    assert klay.units("클레이튼 재단") == ["KLAY"]
    assert klay.units("클레이튼 재단" + " 소식" * 30 + " 커쇼") == ["KLAY"]


def test_an_editors_word_goes_before_the_defaults() -> None:
    reviewed = Linker(
        [AliasSpec("FED", "연준", ambiguous=False), AliasSpec("X", "GAME", case_sensitive=False)]
    )
    assert reviewed.units("연준의 다음 회의") == ["FED"]
    assert reviewed.units("GAME") == ["X"]


def test_a_merged_units_alias_speaks_for_the_survivor_and_says_whose_it_is() -> None:
    merged = Linker([AliasSpec("pol", "폴리곤에코"), AliasSpec("pol", "매틱네트워크", owner="matic")])
    assert [(one.unit, one.owner) for one in merged.find("매틱네트워크와 폴리곤에코")] == [
        ("pol", "matic"),
        ("pol", "pol"),
    ]


def test_an_alias_with_spaces_is_found_without_and_the_other_way_round() -> None:
    assert COINS.units("김치프리미엄, 김치 프리미엄, 김치-프리미엄") == ["KIMP"]
    assert len(COINS.find("김치프리미엄, 김치 프리미엄, 김치-프리미엄, 비트 코인")) == 4


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("두산에너빌리티 두산 에너빌리티 두산 에너 빌리티", 3),
        ("두 산에너빌리티, 두산 에너 빌리 티", 0),
        ("ab cd, abcd", 1),
        ("w x y z, wxy z, wxyz, wx  yz", 4),
        ("one two three four five", 1),
        ("onetwo three four five", 0),
    ],
)
def test_spaces_are_closed_up_and_put_in_only_where_writers_do(text: str, found: int) -> None:
    spaced = linker(A=["두산에너빌리티"], B=["abcd"], C=["w x y z"], D=["one two three four five"])
    assert len(spaced.find(text)) == found


def test_a_broken_up_name_is_not_read_into_everyday_words() -> None:
    bank = Linker([AliasSpec("BOK", "한국은행", ambiguous=False)])
    assert bank.units("한국 은행들이 금리를") == []


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("ＢＴＣ 급등", "ＢＴＣ"),
        ("비\u200b트코인 급등", "비\u200b트코인"),
        (unicodedata.normalize("NFD", "오늘 비트코인이"), unicodedata.normalize("NFD", "비트코인")),
        ("㈜비트코인", "비트코인"),
        ("🚀🚀비트코인🚀", "비트코인"),
        ("ﬁ ﬁ  \t비트코인", "비트코인"),
    ],
)
def test_offsets_point_into_the_original_text(text: str, surface: str) -> None:
    (found,) = COINS.find(text)
    assert text[found.start : found.end] == found.surface == surface


HOSTILE = {
    "marks": "\u0301\u0327" * 150_000,
    "surrogates": "\ud800비트코인\udfff" * 40_000,
    "invisible": "\u200b" * 300_000 + "비트코인",
    "spaces": " " * 300_000 + "비트코인",
    "separators": "비" + "-" * 300_000 + "트코인",
    "gaps": ("비" + "-" * 3_000 + "트코인") * 100,
    "aliases": "이더비트코인루나" * 40_000,
    "particles": "비트코인" + "으로부터의" * 60_000,
    "digits": "1," * 150_000 + "BTC",
    "dollars": "$" * 300_000 + "sol",
    "brackets": "루나(LUNC)" * 40_000,
    "cues": "루나 코인 1,000달러 " * 20_000,
    "ligature": "ﷺ" * 20_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_neither_crashes_nor_yields_wrong_offsets(text: str) -> None:
    for found in COINS.find(text, crypto_channel=True):
        assert text[found.start : found.end] == found.surface


@given(
    st.text(
        alphabet=st.one_of(
            st.sampled_from("비트코인이더루나($)BTCUSDTsolNEAR 은는\u0301\u200b1,"), st.characters()
        )
    )
)
def test_mentions_lie_in_order_inside_any_text(text: str) -> None:
    found = COINS.find(text, crypto_channel=True)
    assert all(text[one.start : one.end] == one.surface != "" for one in found)
    assert all(left.end <= right.start for left, right in pairwise(found))


CANON = linker_of_canon(starter_canon())


@pytest.mark.parametrize(
    ("text", "surfaces"),
    [
        ("비트코인 반감기가 지났다", ["비트코인 반감기", "비트코인"]),
        ("비트코인현물ETF와 이더리움", ["비트코인현물ETF", "비트코인", "이더리움"]),
        ("원화 스테이블코인 법안", ["원화 스테이블코인"]),
        ("이더리움 재단이 매도했다", ["이더리움 재단"]),
    ],
)
def test_an_asset_within_a_topics_name_is_named_too(text: str, surfaces: list[str]) -> None:
    assert [found.surface for found in CANON.find(text)] == surfaces


def test_what_a_macro_name_says_is_nothing_about_coins() -> None:
    assert CANON.units("연준이 리플을 불렀다") == ["entity:fed"]
    assert CANON.units("SEC가 리플을 불렀다") == ["entity:sec", "asset:xrp"]


def test_a_text_of_nothing_but_a_word_in_capitals_names_the_coin() -> None:
    assert CANON.units("LINK") == ["asset:link"]
    assert CANON.units("LINK 모음") == []


def test_a_linker_without_aliases_finds_nothing() -> None:
    empty: Linker = Linker([])
    assert empty.find("비트코인") == []
    unusable: Linker = Linker([AliasSpec("X", " ·-")])
    assert unusable.find("a · b - c") == []


@pytest.mark.parametrize("surface", ["SOL", "ONE", "NEAR", "LINK", "SEC", "GAS", "ETH", "ME"])
def test_short_tickers_and_words_default_to_their_exact_case(surface: str) -> None:
    assert default_case_sensitive(surface)


@pytest.mark.parametrize("surface", ["BTC", "XRP", "USDT", "Bitcoin", "비트코인", "Ripple"])
def test_other_surfaces_default_to_any_case(surface: str) -> None:
    assert not default_case_sensitive(surface)


def test_short_hangul_and_everyday_words_default_to_ambiguous() -> None:
    assert all(map(default_ambiguous, ["도지", "리플", "스토리", "하모니", "AI"]))
    assert not any(map(default_ambiguous, ["비트코인", "솔라나", "BTC", "SOL"]))


def test_the_shared_cases_file_is_read_line_by_line(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps({"text": "비트코인\u2028도", "units": ["BTC"]}, ensure_ascii=False) + "\n\n")
    assert list(read_cases(cases)) == [Case("비트코인\u2028도", ["BTC"])]
