"""Pairs of documents and units, and the counts that follow from them."""

import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from knowledge import curation
from knowledge.counting import FOLD_LOCK, Counts, count_of, fold, verify
from knowledge.curation import decisions, withdrawal
from knowledge.models import (
    ClusterDocument,
    ClusterStatus,
    Document,
    DocumentUnit,
    DocumentUnitChange,
    EventCluster,
    Mention,
    Source,
    Unit,
    UnitMerge,
    UnitType,
    UnitWeek,
)
from tests.database import address_of_test_database
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db


def name(document: Document, unit: Unit, start: int = 0) -> Mention:
    return Mention.objects.create(
        document=document, unit=unit, start=start, end=start + 1, surface=unit.label
    )


def counts(unit: Unit) -> Counts:
    unit.refresh_from_db()
    return Counts(unit.document_count, unit.video_count)


def pairs() -> set[tuple[int, int]]:
    return set(DocumentUnit.objects.values_list("document_id", "unit_id"))


def cluster_of(*documents: Document, event: Unit | None = None) -> EventCluster:
    status = ClusterStatus.PUBLISHED if event else ClusterStatus.OPEN
    cluster = EventCluster.objects.create(
        status=status, event=event, label="사건", first_document_at=NOON, last_document_at=NOON
    )
    for document in documents:
        ClusterDocument.objects.create(cluster=cluster, document=document)
    return cluster


def test_a_pair_stays_until_its_last_reason_is_gone() -> None:
    creator = make_unit("someone", "마당지기", type=UnitType.CREATOR)
    source = make_source(creator=creator)
    document = make_document(source)
    first, second = name(document, creator), name(document, creator, start=5)
    assert pairs() == {(document.pk, creator.pk)}
    Source.objects.filter(pk=source.pk).update(creator=None)
    first.delete()
    assert pairs() == {(document.pk, creator.pk)}
    second.delete()
    assert pairs() == set()
    Source.objects.filter(pk=source.pk).update(creator=creator)
    assert pairs() == {(document.pk, creator.pk)}


def test_a_cluster_speaks_of_its_event_while_it_is_published() -> None:
    event = make_unit("e", "사건", type=UnitType.EVENT, occurred_at=NOON)
    one, other = (make_document(make_source(slug)) for slug in ("one", "other"))
    cluster = cluster_of(one)
    assert pairs() == set()
    EventCluster.objects.filter(pk=cluster.pk).update(status=ClusterStatus.PUBLISHED, event=event)
    ClusterDocument.objects.create(cluster=cluster, document=other)
    assert pairs() == {(one.pk, event.pk), (other.pk, event.pk)}
    ClusterDocument.objects.filter(document=one).update(cluster=cluster_of())
    assert pairs() == {(other.pk, event.pk)}
    EventCluster.objects.filter(pk=cluster.pk).update(status=ClusterStatus.OPEN, event=None)
    assert pairs() == set()


def test_a_pair_has_the_time_of_its_document() -> None:
    document = make_document(make_source(), published_at=None)
    name(document, make_unit())
    assert DocumentUnit.objects.get().published_at is None
    Document.objects.update(published_at=NOON)
    assert DocumentUnit.objects.get().published_at == NOON


@pytest.mark.parametrize("number", [1, 101])
def test_pairs_are_made_and_taken_away_for_few_documents_and_for_many(number: int) -> None:
    """Of more than a hundred each plan is a new one; the session plans on as it did."""
    source, units = make_source(), [make_unit("btc"), make_unit("eth", "이더리움")]
    documents = [make_document(source, str(n)) for n in range(number)]
    Mention.objects.bulk_create(
        Mention(document=document, unit=unit, start=0, end=1, surface="x")
        for document in documents
        for unit in units
    )
    both = {(document.pk, unit.pk) for document in documents for unit in units}
    assert pairs() == both
    Mention.objects.filter(unit=units[0]).delete()
    assert pairs() == {pair for pair in both if pair[1] == units[1].pk}
    with connection.cursor() as cursor:
        cursor.execute("SHOW plan_cache_mode")
        assert cursor.fetchone() == ("auto",)


@pytest.mark.parametrize("gone", [Document, Unit])
def test_what_is_deleted_has_no_pairs(gone: Any) -> None:
    unit = make_unit()
    name(make_document(make_source()), unit)
    gone.objects.get_queryset().delete()
    assert pairs() == set()
    fold()
    assert not DocumentUnitChange.objects.exists()


def test_counts_follow_when_they_are_folded_and_not_before() -> None:
    unit = make_unit()
    name(make_document(make_source(kind="video")), unit)
    assert counts(unit) == (0, 0)
    assert fold() == 1
    assert counts(unit) == (1, 1)
    assert fold() == 0


def test_a_document_that_becomes_a_video_counts_as_one() -> None:
    unit = make_unit()
    document = make_document(make_source())
    name(document, unit)
    fold()
    Document.objects.filter(pk=document.pk).update(kind="video")
    fold()
    assert counts(unit) == (1, 1)


def test_a_merge_counts_a_document_of_both_once_and_undoing_it_gives_each_its_own() -> None:
    survivor, loser = make_unit("pol", "폴리곤"), make_unit("matic", "매틱")
    source = make_source()
    both, own = make_document(source, "1"), make_document(source, "2")
    for unit in (survivor, loser):
        name(both, unit)
    name(own, loser)
    fold()
    record = curation.merge(loser, survivor, now=NOON)
    late = make_document(source, "3")
    name(late, loser)
    fold()
    assert counts(survivor) == (3, 0)
    curation.unmerge(record, now=NOON)
    fold()
    assert (counts(survivor), counts(loser)) == ((1, 0), (3, 0))


def test_a_repair_of_what_should_never_differ_is_a_line_of_error(caplog: pytest.LogCaptureFixture) -> None:
    unit = make_unit()
    document = make_document(make_source())
    name(document, unit)
    fold()
    assert verify() == (0, 0)
    assert not caplog.records
    DocumentUnit.objects.all().delete()
    DocumentUnitChange.objects.all().delete()
    Unit.objects.filter(pk=unit.pk).update(document_count=7)
    assert verify() == (1, 1)
    assert (pairs(), counts(unit)) == ({(document.pk, unit.pk)}, (1, 0))
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_a_week_that_is_counted_wrongly_is_put_right() -> None:
    unit = make_unit()
    name(make_document(make_source()), unit)
    fold()
    UnitWeek.objects.update(documents=5)
    UnitWeek.objects.create(unit=unit, week=date(2020, 1, 6), documents=1)
    assert verify() == (0, 1)
    assert weeks() == {(unit.pk, week_of(NOON)): 1}


def test_nothing_is_folded_while_another_process_folds() -> None:
    unit = make_unit()
    name(make_document(make_source()), unit)
    with psycopg.connect(address_of_test_database()) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", [FOLD_LOCK])
        assert fold() == 0
    assert fold() == 1
    assert counts(unit) == (1, 0)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_change_the_reasons_of_one_document_the_second_sees_what_the_first_did() -> None:
    event = make_unit("e", "사건", type=UnitType.EVENT, occurred_at=NOON)
    document = make_document(make_source())
    cluster_of(document, event=event)
    with psycopg.connect(address_of_test_database()) as other, ThreadPoolExecutor(1) as pool:
        other.execute(
            'INSERT INTO knowledge_mention (document_id, unit_id, start, "end", surface) VALUES (%s, %s, 0, 2, %s)',
            [document.pk, event.pk, "사건"],
        )
        leaving = pool.submit(_leave_clusters)
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        while other.execute(waiting).fetchone() == (0,):
            assert not leaving.done()
        other.commit()
        leaving.result(timeout=10)
    assert pairs() == {(document.pk, event.pk)}


def _leave_clusters() -> None:
    try:
        ClusterDocument.objects.all().delete()
    finally:
        connection.close()


class History:
    """Random changes of everything that makes a document speak of a unit."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)
        self.units = [make_unit(f"unit-{number}", f"단위{number}") for number in range(6)]
        self.creators = [
            make_unit(f"creator-{number}", f"사람{number}", type=UnitType.CREATOR) for number in range(2)
        ]
        self.events = [
            make_unit(f"event-{number}", f"사건{number}", type=UnitType.EVENT, occurred_at=NOON)
            for number in range(3)
        ]
        self.sources = [
            make_source(f"source-{number}", kind=kind, enabled=False)
            for number, kind in enumerate(("news", "video", "news", "video"))
        ]
        self.clusters = [cluster_of() for _number in range(4)]
        self.number = 0

    def step(self) -> None:
        steps: list[Callable[[], object]] = [
            *[self.publish] * 4, *[self.mention] * 5, self.forget, self.join_cluster, self.leave_cluster,
            self.decide, self.own, self.withdraw, self.restore, self.redate, self.merge, self.unmerge,
            self.delete, self.delete_by_source, self.count,
        ]  # fmt: skip
        self.choose.choice(steps)()

    def document(self) -> Document | None:
        keys = list(Document.objects.order_by("pk").values_list("pk", flat=True))
        return Document.objects.get(pk=self.choose.choice(keys)) if keys else None

    def publish(self) -> None:
        self.number += 1
        at = NOON - timedelta(hours=self.number) if self.number % 7 else None
        make_document(self.choose.choice(self.sources), str(self.number), published_at=at)

    def mention(self) -> None:
        if document := self.document():
            unit = self.choose.choice([*self.units, *self.creators, *self.events])
            start = document.mentions.count() + 1000 * self.number
            name(document, Unit.objects.get(pk=unit.pk), start)
            self.number += 1

    def forget(self) -> None:
        if document := self.document():
            first = list(document.mentions.order_by("pk").values_list("pk", flat=True)[:2])
            Mention.objects.filter(pk__in=first).delete()

    def join_cluster(self) -> None:
        if document := self.document():
            cluster = self.choose.choice(self.clusters)
            ClusterDocument.objects.update_or_create(document=document, defaults={"cluster": cluster})

    def leave_cluster(self) -> None:
        if document := self.document():
            ClusterDocument.objects.filter(document=document).delete()

    def decide(self) -> None:
        event = self.choose.choice([None, *self.events])
        status = ClusterStatus.PUBLISHED if event else ClusterStatus.OPEN
        EventCluster.objects.filter(pk=self.choose.choice(self.clusters).pk).update(
            status=status, event=event
        )

    def own(self) -> None:
        source = self.choose.choice(self.sources)
        Source.objects.filter(pk=source.pk).update(creator=self.choose.choice([None, *self.creators]))

    def withdraw(self) -> None:
        if document := self.document():
            withdrawal.withdraw([document.pk])

    def restore(self) -> None:
        withdrawn = Document.objects.filter(withdrawn=True).values_list("pk", flat=True)
        withdrawal.restore(list(withdrawn[:2]))

    def redate(self) -> None:
        if document := self.document():
            at = self.choose.choice([None, NOON])
            Document.objects.filter(pk=document.pk).update(published_at=at)

    def merge(self) -> None:
        group = self.choose.choice([self.units, self.creators, self.events])
        loser, survivor = (Unit.objects.get(pk=unit.pk) for unit in self.choose.sample(group, 2))
        if not decisions.merge_blocked_by(loser, survivor):
            curation.merge(loser, survivor, now=NOON)

    def unmerge(self) -> None:
        if merges := list(UnitMerge.objects.filter(undone_at=None).order_by("pk")):
            curation.unmerge(self.choose.choice(merges), now=NOON)

    def delete(self) -> None:
        if document := self.document():
            document.delete()

    def delete_by_source(self) -> None:
        if self.choose.random() < 0.2:
            withdrawal.delete_documents_of(self.choose.choice(self.sources))

    def count(self) -> None:
        fold()


Spoken = dict[int, set[tuple[int, bool, date | None]]]


def spoken_of() -> Spoken:
    """The documents of each unit, whether they are videos and their weeks: from scratch and without any pair."""
    spoken: Spoken = {}
    survivors = {unit.pk: unit.merged_into_id or unit.pk for unit in Unit.objects.get_queryset()}
    for document in Document.objects.published().select_related("source"):
        clusters = EventCluster.objects.filter(members__document=document)
        named = {
            *document.mentions.values_list("unit_id", flat=True),
            *clusters.values_list("event_id", flat=True),
            document.source.creator_id,
        }
        for unit in named:
            if unit is not None:
                row = (document.pk, document.kind == "video", week_of(document.published_at))
                spoken.setdefault(survivors[unit], set()).add(row)
    return spoken


def week_of(moment: datetime | None) -> date | None:
    day = timezone.localtime(moment).date() if moment else None
    return day - timedelta(days=day.weekday()) if day else None


def weeks() -> Counter[tuple[int, date | None]]:
    """The documents of each survivor by weeks, as they are kept."""
    kept = UnitWeek.objects.filter(unit__merged_into=None).exclude(documents=0)
    return Counter({(unit, week): documents for unit, week, documents in kept.values_list()})


def test_counts_equal_a_recount_from_scratch_after_any_history() -> None:
    history = History(seed=1)
    for _number in range(500):
        history.step()
    fold()
    counted = {unit.pk: counts(unit) for unit in Unit.objects.survivors() if any(counts(unit))}
    spoken = spoken_of()
    assert counted == {
        unit: (len(told), sum(video for _pk, video, _week in told)) for unit, told in spoken.items()
    }
    assert counted
    assert weeks() == Counter((unit, week) for unit, told in spoken.items() for _, _, week in told if week)
    for unit in Unit.objects.survivors():
        members = [unit.pk, *unit.merged_units.values_list("pk", flat=True)]
        assert counts(unit) == count_of(members)
    times = DocumentUnit.objects.values_list("document_id", "published_at", "video")
    documents = {document.pk: document for document in Document.objects.published()}
    assert all(
        (at, video) == (documents[pk].published_at, documents[pk].kind == "video") for pk, at, video in times
    )
    assert verify() == (0, 0)
