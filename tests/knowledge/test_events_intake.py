"""Documents into clusters, clusters into candidates: safe to run twice, and nothing is an event without an editor."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from knowledge.counting import fold
from knowledge.events import intake
from knowledge.events.clustering import EventIndex
from knowledge.events.intake import ONE_PASS_AT_A_TIME, cluster_new_documents
from knowledge.linking.store import link_documents
from knowledge.models import (
    ClusterDocument,
    ClusterStatus,
    Document,
    DocumentTerms,
    EventCluster,
    Mention,
    PossibleMerge,
    Source,
    Unit,
    UnitType,
)
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def units() -> None:
    make_unit("mdg", "마당코인", aliases=["MDG"])
    make_unit("hanbit", "한빛거래소", type=UnitType.COMPANY)


def outlet(name: str, **fields: Any) -> Source:
    return Source.objects.filter(slug=name).first() or make_source(name, name=name, **fields)


def tell(name: str, title: str, at: datetime = NOON, **fields: Any) -> Document:
    """A document of an outlet, linked as ingestion leaves it."""
    number = str(Document.objects.count() + 1)
    document = make_document(outlet(name), number, title=title, published_at=at, fetched_at=at, **fields)
    link_documents([document])
    return document


def test_one_outlet_is_no_candidate_and_two_are() -> None:
    tell("하나일보", "한빛거래소, 마당코인 상장 예고")
    assert cluster_new_documents(now=NOON + HOUR) == 1
    assert EventCluster.objects.get().status == ClusterStatus.GATHERING
    tell("둘경제", "한빛거래소 마당코인 상장 예고했다", NOON + HOUR)
    assert cluster_new_documents(now=NOON + HOUR) == 1
    cluster = EventCluster.objects.get()
    assert cluster.status == ClusterStatus.OPEN
    assert (cluster.first_document_at, cluster.last_document_at) == (NOON, NOON + HOUR)
    assert cluster.members.count() == 2


def test_one_primary_source_is_enough() -> None:
    outlet("한빛거래소 공지", primary=True, kind="notice")
    tell("한빛거래소 공지", "마당코인(MDG) 신규 거래지원 안내")
    cluster_new_documents(now=NOON)
    assert EventCluster.objects.get().status == ClusterStatus.OPEN


def test_two_sources_of_one_outlet_are_one() -> None:
    tell("하나일보", "한빛거래소, 마당코인 상장 예고")
    Source.objects.create(slug="other", name=" 하나일보", kind="news", adapter="rss", url="https://x.example")
    make_document(Source.objects.get(slug="other"), "2", title="한빛거래소, 마당코인 상장 예고")
    assert cluster_new_documents(now=NOON) == 2
    assert EventCluster.objects.get().status == ClusterStatus.GATHERING


def test_an_announcement_that_names_nobody_is_its_authors() -> None:
    make_source("hanbit-notices", name="한빛거래소 공지", primary=True)
    make_source("passer-by", name="한빛거래소 소식")
    told = [tell(name, "[안내] 입출금 일시 중단", NOON) for name in ("hanbit-notices", "passer-by")]
    cluster_new_documents(now=NOON)
    subjects = dict(DocumentTerms.objects.values_list("document", "headline_units"))
    hanbit = Unit.objects.get(slug="hanbit").pk
    assert [subjects[document.pk] for document in told] == [[hanbit], []]


def test_a_second_pass_finds_nothing_to_do() -> None:
    tell("하나일보", "한빛거래소, 마당코인 상장 예고")
    tell("둘경제", "한빛거래소 마당코인 상장 예고했다", NOON + HOUR)
    cluster_new_documents(now=NOON + HOUR)
    before = list(EventCluster.objects.values()), list(ClusterDocument.objects.values())
    assert cluster_new_documents(now=NOON + 2 * HOUR) == 0
    assert (list(EventCluster.objects.values()), list(ClusterDocument.objects.values())) == before


def test_documents_one_by_one_make_the_same_clusters_as_all_at_once() -> None:
    titles = [
        ("하나일보", "한빛거래소, 마당코인 상장 예고"),
        ("둘경제", "한빛거래소 마당코인 상장 예고했다"),
        ("하나일보", "오늘 남쪽 바다에 큰 비가 내린다"),
        ("셋뉴스", "한빛거래소의 마당코인 상장 예고"),
    ]

    def clusters(*, at_once: bool) -> list[list[str]]:
        EventCluster.objects.all().delete()
        Document.objects.all().delete()
        for place, (name, title) in enumerate(titles):
            tell(name, title, NOON + place * HOUR)
            if not at_once:
                cluster_new_documents(now=NOON + place * HOUR)
        cluster_new_documents(now=NOON + 9 * HOUR)
        return sorted(
            sorted(cluster.documents.values_list("title", flat=True))
            for cluster in EventCluster.objects.all()
        )

    together = clusters(at_once=True)
    assert clusters(at_once=False) == together
    assert sorted(map(len, together)) == [1, 3]


def test_another_action_is_a_possible_merge_and_no_join() -> None:
    tell("하나일보", "한빛거래소 마당코인 상장")
    tell("둘경제", "한빛거래소 마당코인 상장 폐지", NOON + HOUR)
    cluster_new_documents(now=NOON + HOUR)
    assert EventCluster.objects.count() == 2
    pair = PossibleMerge.objects.get()
    assert (pair.one_id < pair.other_id, pair.noted_at, pair.dismissed_at) == (True, NOON + HOUR, None)
    cluster_new_documents(now=NOON + 2 * HOUR)
    assert PossibleMerge.objects.count() == 1


def test_backlog_undated_withdrawn_and_old_documents_raise_nothing() -> None:
    tell("하나일보", "한빛거래소 마당코인 상장 예고", seen_only=True)
    tell("둘경제", "한빛거래소 마당코인 상장 예고", withdrawn=True)
    tell("셋뉴스", "한빛거래소 마당코인 상장 예고", NOON - timedelta(days=7))
    document = tell("넷신문", "한빛거래소 마당코인 상장 예고")
    Document.objects.filter(pk=document.pk).update(published_at=None)
    assert cluster_new_documents(now=NOON) == 0


def test_a_candidate_nobody_took_up_expires_after_14_days() -> None:
    tell("하나일보", "한빛거래소, 마당코인 상장 예고")
    cluster_new_documents(now=NOON)
    cluster_new_documents(now=NOON + timedelta(days=14))
    assert EventCluster.objects.get().status == ClusterStatus.GATHERING
    cluster_new_documents(now=NOON + timedelta(days=15))
    cluster = EventCluster.objects.get()
    assert (cluster.status, cluster.decided_at) == (ClusterStatus.EXPIRED, NOON + timedelta(days=15))


def test_a_rejected_story_takes_later_documents_unseen() -> None:
    tell("하나일보", "한빛거래소, 마당코인 상장 예고")
    cluster_new_documents(now=NOON)
    EventCluster.objects.update(status=ClusterStatus.REJECTED, reason="광고", decided_at=NOON)
    tell("둘경제", "한빛거래소 마당코인 상장 예고했다", NOON + HOUR)
    assert cluster_new_documents(now=NOON + HOUR) == 1
    assert EventCluster.objects.get().status == ClusterStatus.REJECTED


def test_a_published_event_counts_what_joins_it_later() -> None:
    tell("하나일보", "한빛거래소, 마당코인 상장 예고")
    cluster_new_documents(now=NOON)
    event = make_unit("listing", "마당코인 상장", type=UnitType.EVENT, occurred_at=NOON)
    EventCluster.objects.update(status=ClusterStatus.PUBLISHED, event=event)
    tell("둘경제", "한빛거래소 마당코인 상장 예고했다", NOON + HOUR, kind="video")
    cluster_new_documents(now=NOON + HOUR)
    fold()
    event.refresh_from_db()
    assert (event.document_count, event.video_count) == (2, 1)


@pytest.mark.django_db(transaction=True)
def test_two_passes_at_once_do_not_both_place_a_document() -> None:
    tell("하나일보", "한빛거래소, 마당코인 상장 예고")
    other = connections.create_connection("default")
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [ONE_PASS_AT_A_TIME])
        try:
            assert cluster_new_documents(now=NOON) == 0
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [ONE_PASS_AT_A_TIME])
    other.close()
    assert cluster_new_documents(now=NOON) == 1


def test_reading_the_open_clusters_takes_a_fixed_number_of_queries() -> None:
    event = make_unit("old", "옛 사건", type=UnitType.EVENT, occurred_at=NOON, aliases=["옛 사건"])
    event.event_units.create(unit=Unit.objects.get(slug="mdg"))

    def queries(stored: int) -> int:
        for number in range(stored):
            tell("하나일보", f"옛 사건과 마당코인 이야기 {number}", NOON + number * timedelta(minutes=1))
        cluster_new_documents(now=NOON + HOUR)
        tell("하나일보", "한빛거래소의 다른 소식", NOON + HOUR)
        with CaptureQueriesContext(connection) as captured:
            cluster_new_documents(now=NOON + HOUR)
        return len(captured)

    few = queries(2)
    assert queries(20) <= few + 1


def test_placing_documents_takes_a_fixed_number_of_queries() -> None:
    def queries(documents: int) -> int:
        for number in range(documents):
            tell(f"매체 {documents} {number}", f"한빛거래소, 마당코인 상장 예고 {number}")
        with CaptureQueriesContext(connection) as captured:
            assert cluster_new_documents(now=NOON) == documents
        return len(captured)

    cluster_new_documents(now=NOON)
    queries(2)
    assert queries(12) <= queries(2) + 1


def reads_of_texts(monkeypatch: pytest.MonkeyPatch, now: datetime) -> list[str]:
    """The titles of the documents whose text one pass reads."""
    read, titles = intake._terms_of, []

    def noted(document: Document, authors: Mapping[int, Unit]) -> Any:
        titles.append(document.title)
        return read(document, authors)

    with monkeypatch.context() as patched:
        patched.setattr(intake, "_terms_of", noted)
        cluster_new_documents(now=now)
    return titles


def test_the_text_of_a_document_is_read_once_and_again_when_it_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = tell("하나일보", "한빛거래소, 마당코인 상장 예고")
    linked = tell("둘경제", "남쪽 바다에 큰 비")
    cluster_new_documents(now=NOON)
    tell("셋뉴스", "한빛거래소 마당코인 상장", NOON + HOUR)
    assert reads_of_texts(monkeypatch, NOON + HOUR) == ["한빛거래소 마당코인 상장"]
    Document.objects.filter(pk=document.pk).update(title="고친 제목", published_at=NOON)
    make_unit("sea", "남쪽 바다", type=UnitType.TOPIC)
    Mention.objects.create(
        document=linked, unit=Unit.objects.get(slug="sea"), start=0, end=5, surface="남쪽 바다"
    )
    tell("넷신문", "또 다른 소식", NOON + 2 * HOUR)
    read = reads_of_texts(monkeypatch, NOON + 2 * HOUR)
    assert sorted(read) == ["고친 제목", "남쪽 바다에 큰 비", "또 다른 소식"]
    assert DocumentTerms.objects.count() == 4


def test_terms_are_forgotten_with_the_window_and_with_a_withdrawal() -> None:
    old, withdrawn = tell("하나일보", "한빛거래소, 마당코인 상장 예고"), tell("둘경제", "남쪽 바다에 큰 비")
    cluster_new_documents(now=NOON)
    Document.objects.filter(pk=withdrawn.pk).update(withdrawn=True)
    new = tell("셋뉴스", "또 다른 소식", NOON + HOUR)
    cluster_new_documents(now=NOON + HOUR)
    assert set(DocumentTerms.objects.values_list("document", flat=True)) == {old.pk, new.pk}
    last = tell("넷신문", "보름 뒤의 소식", NOON + timedelta(days=15))
    cluster_new_documents(now=NOON + timedelta(days=15))
    assert list(DocumentTerms.objects.values_list("document", flat=True)) == [last.pk]


def test_a_document_of_a_closed_cluster_weighs_terms_as_if_it_had_been_restored() -> None:
    """The places of new documents are those that an index has which restores every document in full."""
    for day in range(10):
        tell("하나일보", f"한빛거래소, 마당코인 상장 예고 {day} 남쪽 바다", NOON - timedelta(days=10 - day))
        cluster_new_documents(now=NOON - timedelta(days=10 - day))
    tell("둘경제", "한빛거래소 마당코인 상장 예고했다")
    placed = Document.objects.filter(membership__isnull=False)
    index = EventIndex()
    for cluster, _pk, document in intake._counted(placed):
        index.restore(document, cluster=-cluster)
    new = Document.objects.filter(membership__isnull=True)
    intake._count_terms(new)
    ((_, pk, document),) = intake._counted(new)
    expected = index.place(pk, document)
    cluster_new_documents(now=NOON)
    member = ClusterDocument.objects.get(document=pk)
    assert (-member.cluster_id, member.score) == (expected.cluster, expected.score)


def decided_meanwhile(monkeypatch: pytest.MonkeyPatch, **decision: Any) -> None:
    """Lets an editor decide on a cluster after the pass has read it."""
    read = intake._held

    def then_decided(placements: Any) -> Any:
        clusters = read(placements)
        EventCluster.objects.filter(status=ClusterStatus.GATHERING).update(**decision)
        return clusters

    monkeypatch.setattr(intake, "_held", then_decided)


@pytest.mark.parametrize("status", [ClusterStatus.REJECTED, ClusterStatus.PUBLISHED])
def test_what_an_editor_decides_during_a_pass_stands(
    status: ClusterStatus, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make_unit("event", "사건", type=UnitType.EVENT, occurred_at=NOON)
    tell("하나일보", "한빛거래소, 마당코인 상장 예고")
    cluster_new_documents(now=NOON)
    tell("둘경제", "한빛거래소 마당코인 상장 예고했다", NOON + HOUR)
    extra = {"reason": "소문"} if status == ClusterStatus.REJECTED else {"event": event}
    decided_meanwhile(monkeypatch, status=status, decided_at=NOON + HOUR, **extra)
    assert cluster_new_documents(now=NOON + HOUR) == 1
    cluster = EventCluster.objects.get()
    assert (cluster.status, cluster.decided_at) == (status, NOON + HOUR)
    assert (cluster.first_document_at, cluster.last_document_at) == (NOON, NOON + HOUR)
    fold()
    event.refresh_from_db()
    assert event.document_count == (2 if status == ClusterStatus.PUBLISHED else 0)


def test_a_cluster_that_an_editor_joined_to_another_during_a_pass_stops_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tell("하나일보", "한빛거래소, 마당코인 상장 예고")
    cluster_new_documents(now=NOON)
    joined = EventCluster.objects.get()
    late = tell("둘경제", "한빛거래소 마당코인 상장 예고했다", NOON + HOUR)
    other = tell("셋뉴스", "오늘 남쪽 바다에 큰 비가 내린다", NOON + HOUR)
    restored = intake._restored

    def then_joined(now: datetime, **since: datetime) -> Any:
        index = restored(now, **since)
        joined.delete()
        return index

    monkeypatch.setattr(intake, "_restored", then_joined)
    assert cluster_new_documents(now=NOON + HOUR) == 1
    assert ClusterDocument.objects.get().document == other
    monkeypatch.undo()
    cluster_new_documents(now=NOON + HOUR)
    assert late.membership.cluster.status == ClusterStatus.OPEN
