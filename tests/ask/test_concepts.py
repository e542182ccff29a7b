"""What questions ask for and texts tell, by groups of words."""

import pytest

from ask.concepts import details, groups, mentions, nearest, told
from ask.patterns import WORDS
from ask.questions import asking_words


def asked(text: str) -> list[str]:
    return [text[one.start : one.end] for one in mentions(text)]


@pytest.mark.parametrize(
    ("question", "record"),
    [
        ("연봉이 얼마야", "보수로 3억 원을 받았다."),
        ("깜빵 몇 년", "징역 15년을 선고받았다."),
        ("누가 차렸어", "이하늘이 2013년에 창업했다."),
        ("what is the max supply", "The total supply is capped at 84 million coins."),
        ("why was it kicked off", "The exchange ended trading of the coin; it was delisted."),
        ("전화 번호", "고객센터는 전화번호를 알린다."),
        ("몇 퍼 떼가", "22%의 세율을 적용한다."),
        ("최소 몇 개", "검증자에게는 32개가 필요하다."),
    ],
)
def test_everyday_words_ask_for_what_records_tell(question: str, record: str) -> None:
    assert told(question) & told(record)


@pytest.mark.parametrize(
    ("question", "record"),
    [
        ("연봉이 얼마야", "징역 15년을 선고받았다."),
        ("phone number", "The supply is capped at 84 million coins."),
        ("변호사", "지분을 샀다."),  # whose last syllable is no "사다"
    ],
)
def test_what_no_record_tells_is_not_found(question: str, record: str) -> None:
    assert not told(question) & told(record)


def test_of_words_within_a_phrase_only_the_phrase_is_asked_for() -> None:
    assert "max supply" in asked("the max supply of it")
    assert "supply" not in asked("the max supply of it")


def test_a_korean_word_is_found_where_a_word_or_a_morpheme_begins_and_nowhere_else() -> None:
    assert told("우리나라에서 제일 큰 곳") & told("국내에서 가장 큰 곳")
    (number,) = {place for place, group in enumerate(groups()) if group[0] == "국내" and "korea" in group}
    assert number not in told("외국내역서")


def test_one_slip_of_a_long_word_is_mended() -> None:
    assert nearest("dividnd") == nearest("dividend") != frozenset()
    assert nearest("divnd") == nearest("상징값없는말") == frozenset()


def test_the_lists_are_groups_of_several_words_each_once() -> None:
    assert len(groups()) > 500
    assert [group for group in groups() if len(group) < 2] == []
    lines = [line for path in (WORDS / "concepts").glob("*.txt") for line in path.read_text().splitlines()]
    words = [line.split() for line in lines if not line.startswith("#")]
    assert [line for line in words if len(set(line)) < len(line)] == []


def test_a_word_that_states_nothing_is_no_concept_alone() -> None:
    """Words that only ask are dropped before their concepts count; a concept of nothing else could never be asked."""
    silent = asking_words()
    assert not [group for group in groups() if set(group) <= silent]


def test_a_longer_noun_has_nothing_of_the_word_that_it_begins_with() -> None:
    assert told("이자가 얼마야") & told("보상률은 5%이다.")
    assert not told("이자카야가 뭐야") & told("보상률은 5%이다.")


def test_every_word_of_a_detail_stands_in_a_group() -> None:
    lines = (WORDS / "details.txt").read_text(encoding="utf-8").splitlines()
    words = [word.replace("_", " ") for line in lines if not line.startswith("#") for word in line.split()]
    known = {word for group in groups() for word in group}
    assert [word for word in words if word not in known or words.count(word) > 1] == []
    assert told("고객센터 번호") & details()
    assert not told("창업자가 누구야") & details()
