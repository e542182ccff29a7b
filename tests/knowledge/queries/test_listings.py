"""Lists in pages that survive inserts."""

from datetime import timedelta

import pytest

from knowledge.linking.store import link_documents
from knowledge.models import Status, Unit, UnitType
from knowledge.queries.listings import events, pulses, topics
from tests.factories.knowledge import NOON, make_document, make_event, make_pulse, make_source, make_unit

pytestmark = pytest.mark.django_db


def test_pages_of_events_neither_repeat_nor_hide_when_one_is_published_between() -> None:
    for hours in range(5):
        make_event(f"e{hours}", hours)
    first = events(limit=2)
    make_event("newest", -1)
    second = events(limit=2, cursor=first.next_cursor)
    third = events(limit=2, cursor=second.next_cursor)
    assert [one.slug for page in (first, second, third) for one in page.rows] == [
        "e0",
        "e1",
        "e2",
        "e3",
        "e4",
    ]
    assert third.next_cursor == ""


def test_events_of_the_same_moment_are_all_shown_in_both_orders() -> None:
    for number in range(5):
        make_event(f"e{number}")
    for order in ("newest", "oldest"):
        shown, cursor = [], ""
        while True:
            page = events(order=order, limit=2, cursor=cursor)
            shown += [one.slug for one in page.rows]
            if not (cursor := page.next_cursor):
                break
        assert sorted(shown) == ["e0", "e1", "e2", "e3", "e4"]


def test_events_are_filtered_by_subjects_days_and_what_is_public() -> None:
    coin, topic = make_unit(), make_unit("etf", "ETF", type=UnitType.TOPIC)
    former = make_unit("xbt", "옛이름")
    both, old = make_event("both", 1, coin, topic), make_event("old", 100, former)
    Unit.objects.filter(pk=make_event("draft", 1, coin).pk).update(status=Status.DRAFT)
    former.merged_into = coin
    former.save()
    assert [one.pk for one in events(entity=coin).rows] == [both.pk, old.pk]
    assert [one.pk for one in events(entity=coin, topic=topic).rows] == [both.pk]
    assert [one.pk for one in events(since=NOON - timedelta(hours=2)).rows] == [both.pk]
    assert [one.pk for one in events(until=NOON - timedelta(hours=2)).rows] == [old.pk]


def test_trending_topics_follow_the_documents_of_the_window() -> None:
    for slug, label in (("etf", "현물ETF"), ("halving", "반감기"), ("quiet", "조용한주제")):
        make_unit(slug, label, type=UnitType.TOPIC)
    source = make_source()
    link_documents(
        [
            make_document(source, "1", title="반감기 소식", content_sha256="1"),
            make_document(source, "2", title="반감기와 현물ETF", content_sha256="2"),
            make_document(
                source, "3", title="현물ETF 옛일", published_at=NOON - timedelta(days=9), content_sha256="3"
            ),
        ]
    )
    page = topics(order="trending", now=NOON, limit=2)
    assert [one.slug for one in page.rows] == ["halving", "etf"]
    link_documents(
        [make_document(source, "4", title="조용한주제가 뜬다", published_at=NOON + timedelta(minutes=1))]
    )
    later = NOON + timedelta(minutes=2)
    assert [
        one.slug for one in topics(order="trending", now=later, limit=2, cursor=page.next_cursor).rows
    ] == ["quiet"]


def test_topics_are_listed_by_label_and_by_age() -> None:
    for slug, label in (("b", "나"), ("a", "가"), ("c", "다")):
        make_unit(slug, label, type=UnitType.TOPIC)
    make_unit("draft", "라", type=UnitType.TOPIC, status=Status.DRAFT)
    first = topics(order="alphabetical", now=NOON, limit=2)
    rest = topics(order="alphabetical", now=NOON, limit=2, cursor=first.next_cursor)
    assert [one.slug for one in first.rows + rest.rows] == ["a", "b", "c"]
    assert {one.slug for one in topics(order="newest", now=NOON).rows} == {"a", "b", "c"}


def test_pulses_are_those_of_the_window_and_the_filters() -> None:
    coin = make_unit()
    for number, (direction, size) in enumerate([("up", 5.0), ("down", -6.0), ("up", 7.0)]):
        make_pulse(
            coin,
            str(number),
            NOON - timedelta(hours=number * 2),
            direction=direction,
            magnitude_pct=size,
            confidence=0.5 + number / 10,
        )
    assert [one.key for one in pulses(hours=3, now=NOON).rows] == ["0", "1"]
    assert [one.key for one in pulses(hours=72, now=NOON, direction="up", min_confidence=0.6).rows] == ["2"]
    first = pulses(hours=72, now=NOON, limit=2)
    assert [one.key for one in pulses(hours=72, now=NOON, limit=2, cursor=first.next_cursor).rows] == ["2"]
    Unit.objects.update(status=Status.RETRACTED)
    assert pulses(hours=72, now=NOON).rows == []
