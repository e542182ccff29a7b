"""Documents that tell one story stand as one."""

from datetime import timedelta

import pytest

from knowledge.models import Document
from knowledge.queries.stories import newest_stories, stories, tells_the_same
from tests.factories.knowledge import NOON, make_document, make_source

SAME = [
    ("빗썸, 가나코인 거래지원 종료", "[속보] 빗썸, 가나코인 거래지원 종료"),
    ("빗썸, 가나코인 거래지원 종료", "빗썸 가나코인 거래지원 종료…이유는"),
    ("비트코인 9천만원 붕괴, 하루 새 5% 급락", "비트코인이 9천만원선 붕괴…하루 새 5% 급락 - 새벽경제"),
    ("Upbit to delist Ganacoin on Friday", "UPDATE: Upbit to delist Ganacoin on Friday"),
]
OTHER = [
    ("빗썸, 가나코인 거래지원 종료", "빗썸, 다라코인 거래지원 종료"),
    (
        "업비트 오늘 가나코인 디지털 자산 거래 지원 종료 안내",
        "업비트 오늘 다라코인 디지털 자산 거래 지원 종료 안내",
    ),
    ("비트코인 1억원 돌파, 사상 최고", "비트코인 2억원 돌파, 사상 최고"),
    ("한은, 기준금리 2.50% 동결", "한은, 기준금리 2.75% 동결"),
    ("비트코인 급락", "비트코인 급등"),
    ("비트코인 시황", "이더리움 시황"),
    ("", ""),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_titles_of_one_story_are_known(one: str, other: str) -> None:
    assert tells_the_same(Document(title=one), Document(title=other))
    assert tells_the_same(Document(title=other), Document(title=one))


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_titles_of_two_stories_are_told_apart(one: str, other: str) -> None:
    assert not tells_the_same(Document(title=one), Document(title=other))
    assert not tells_the_same(Document(title=other), Document(title=one))


def test_the_same_title_days_later_is_another_story() -> None:
    one, later = (
        Document(title="주간 시황 정리 하기", published_at=NOON + timedelta(days=day)) for day in (0, 7)
    )
    assert not tells_the_same(one, later)


@pytest.mark.django_db
def test_the_newest_of_a_story_leads_and_each_outlet_counts_once() -> None:
    outlets = [make_source(f"outlet-{number}", name=f"매체 {number % 2}") for number in range(3)]
    for number, source in enumerate(outlets):
        make_document(
            source,
            str(number),
            title="빗썸, 가나코인 거래지원 종료",
            published_at=NOON - timedelta(minutes=number),
        )
    make_document(outlets[0], "other", title="업비트 점검을 마쳤다", published_at=NOON - timedelta(hours=1))
    make_document(outlets[0], "old", title="어제의 일 하나", published_at=NOON - timedelta(days=2))
    make_document(outlets[0], "withdrawn", title="내린 글 하나", withdrawn=True)
    make_document(outlets[0], "ahead", title="내일의 글 하나", published_at=NOON + timedelta(hours=1))
    told, alone = newest_stories(5, since=NOON - timedelta(days=1), now=NOON)
    assert (told.first.external_id, len(told.copies), told.outlets) == ("0", 2, ["매체 0", "매체 1"])
    assert (alone.first.title, alone.told_by) == ("업비트 점검을 마쳤다", 1)


def test_what_is_no_document_stands_alone() -> None:
    assert [story.first for story in stories(["가", "가"], lambda _row: None)] == ["가", "가"]
