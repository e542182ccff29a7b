"""What editors decide about candidates, and what the public sees of it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from knowledge import curation
from knowledge.counting import fold
from knowledge.curation import CurationError
from knowledge.events import decisions, drafts, intake
from knowledge.events.drafts import EventDraft
from knowledge.linking.store import link_documents
from knowledge.models import (
    ClusterDocument,
    ClusterStatus,
    EventCluster,
    PossibleMerge,
    Source,
    Status,
    Unit,
    UnitType,
)
from knowledge.queries.units import documents_about
from knowledge.signals import unit_published, unit_retracted
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def candidate(
    *ids: str, status: ClusterStatus = ClusterStatus.OPEN, title: str = "비트코인 급등"
) -> EventCluster:
    """A cluster of one document an id, an hour apart, each of an outlet of its own."""
    cluster = EventCluster.objects.create(
        status=status, label=title, first_document_at=NOON, last_document_at=NOON + (len(ids) - 1) * HOUR
    )
    for place, one in enumerate(ids):
        source = make_source(f"s-{one}")
        document = make_document(source, one, title=f"{title} {one}", published_at=NOON + place * HOUR)
        link_documents([document])
        ClusterDocument.objects.create(cluster=cluster, document=document)
    return cluster


def keys(cluster: EventCluster, *ids: str) -> list[int]:
    return list(cluster.documents.filter(external_id__in=ids).values_list("pk", flat=True))


def count_of(event: Unit) -> int:
    fold()
    event.refresh_from_db()
    return event.document_count


def test_publishing_makes_an_event_of_a_candidate() -> None:
    bitcoin = make_unit("btc", "비트코인")
    cluster = candidate("1", "2")
    heard: list[Unit] = []

    def listen(unit: Unit, **kwargs: Any) -> None:
        heard.append(unit)

    unit_published.connect(listen)
    event = decisions.publish(cluster, now=NOON + 3 * HOUR)
    unit_published.disconnect(listen)
    assert heard == [event]
    assert (event.public_id, event.label, event.occurred_at) == (
        "event:2026-11-20-btc",
        "비트코인 급등",
        NOON,
    )
    assert [row.unit for row in event.event_units.all()] == [bitcoin]
    assert count_of(event) == 2
    cluster.refresh_from_db()
    assert (cluster.status, cluster.event, cluster.decided_at) == (
        ClusterStatus.PUBLISHED,
        event,
        NOON + 3 * HOUR,
    )
    assert Unit.objects.published().filter(pk=event.pk).exists()


def test_the_slug_tells_the_korean_day_and_never_collides() -> None:
    make_unit("btc", "비트코인")
    first = candidate("1")
    EventCluster.objects.update(first_document_at=NOON.replace(hour=16))  # the 21st in Seoul
    assert decisions.publish(first, now=NOON).slug == "2026-11-21-btc"
    second = candidate("2")
    EventCluster.objects.filter(pk=second.pk).update(first_document_at=NOON.replace(hour=17))
    assert decisions.publish(second, now=NOON).slug == "2026-11-21-btc-2"


def test_adding_to_an_event_adds_to_its_counts() -> None:
    event = decisions.publish(candidate("1", "2"), now=NOON)
    assert decisions.publish(candidate("3"), now=NOON, event=event) == event
    assert count_of(event) == 3


def test_counts_are_the_union_of_mentions_and_published_clusters() -> None:
    event = make_unit("surge", "가상의 급등", type=UnitType.EVENT, occurred_at=NOON, aliases=["가상의 급등"])
    cluster = candidate("1", "2", title="가상의 급등")
    decisions.publish(cluster, now=NOON, event=event)
    assert count_of(event) == 2
    link_documents([make_document(make_source("x"), "3", title="가상의 급등 뒷이야기")])
    assert count_of(event) == 3


def test_merged_events_count_both_memberships_and_give_them_back() -> None:
    one, other = decisions.publish(candidate("1", "2"), now=NOON), decisions.publish(candidate("3"), now=NOON)
    record = curation.merge(other, one, now=NOON)
    assert count_of(one) == 3
    curation.unmerge(record, now=NOON)
    assert (count_of(one), count_of(other)) == (2, 1)


def test_waiting_candidates_count_for_nobody() -> None:
    event = make_unit("e", "사건", type=UnitType.EVENT, occurred_at=NOON)
    candidate("1", "2")
    assert count_of(event) == 0


@pytest.mark.parametrize("case", ["an asset", "a draft", "a merged one"])
def test_documents_join_public_events_only(case: str) -> None:
    match case:
        case "an asset":
            event = make_unit()
        case "a draft":
            event = make_unit("e", "사건", type=UnitType.EVENT, status=Status.DRAFT)
        case _:
            event = make_unit("e", "사건", type=UnitType.EVENT, occurred_at=NOON)
            curation.merge(event, make_unit("f", "사고", type=UnitType.EVENT, occurred_at=NOON), now=NOON)
            event.refresh_from_db()
    with pytest.raises(CurationError):
        decisions.publish(candidate("1"), now=NOON, event=event)


def test_a_rejection_needs_a_reason_and_is_final() -> None:
    cluster = candidate("1")
    with pytest.raises(CurationError):
        decisions.reject(cluster, reason="  ", now=NOON)
    decisions.reject(cluster, reason=" 광고 ", now=NOON)
    cluster.refresh_from_db()
    assert (cluster.status, cluster.reason) == (ClusterStatus.REJECTED, "광고")
    with pytest.raises(CurationError):
        decisions.publish(cluster, now=NOON)
    assert not Unit.objects.filter(type=UnitType.EVENT).exists()


def test_joining_keeps_the_older_cluster_and_its_doubts() -> None:
    older, younger, third = candidate("1"), candidate("2", "3"), candidate("4")
    PossibleMerge.objects.create(one=older, other=younger, noted_at=NOON)
    PossibleMerge.objects.create(one=younger, other=third, noted_at=NOON)
    assert decisions.join(younger, older) == older
    older.refresh_from_db()
    assert (older.members.count(), older.status) == (3, ClusterStatus.OPEN)
    assert older.last_document_at == NOON + HOUR
    assert not EventCluster.objects.filter(pk=younger.pk).exists()
    pair = PossibleMerge.objects.get()
    assert (pair.one, pair.other) == (older, third)


def test_a_cluster_does_not_join_itself_or_a_decided_one() -> None:
    one, decided = candidate("1"), candidate("2")
    decisions.reject(decided, reason="중복", now=NOON)
    for other in (one, decided):
        with pytest.raises(CurationError):
            decisions.join(one, other)
    assert EventCluster.objects.count() == 2


def test_splitting_leaves_the_larger_part_its_event() -> None:
    cluster = candidate("1", "2", "3")
    event = decisions.publish(cluster, now=NOON)
    fresh = decisions.split(cluster, keys(cluster, "3"))
    assert (count_of(event), fresh.status, fresh.label) == (2, ClusterStatus.OPEN, "비트코인 급등 3")
    assert fresh.first_document_at == fresh.last_document_at == NOON + 2 * HOUR
    cluster.refresh_from_db()
    assert (cluster.event, cluster.last_document_at) == (event, NOON + HOUR)


def test_splitting_off_the_larger_part_moves_the_smaller_one() -> None:
    cluster = candidate("1", "2", "3")
    fresh = decisions.split(cluster, keys(cluster, "2", "3"))
    assert list(fresh.documents.values_list("external_id", flat=True)) == ["1"]
    cluster.refresh_from_db()
    assert cluster.first_document_at == NOON + HOUR


@pytest.mark.parametrize("ids", [(), ("1", "2"), ("9",)])
def test_a_split_that_leaves_a_part_empty_is_refused(ids: tuple[str, ...]) -> None:
    cluster = candidate("1", "2")
    with pytest.raises(CurationError):
        decisions.split(cluster, keys(cluster, *ids))
    assert EventCluster.objects.count() == 1


def test_a_dismissed_doubt_keeps_when_it_was() -> None:
    pair = PossibleMerge.objects.create(one=candidate("1"), other=candidate("2"), noted_at=NOON)
    decisions.dismiss(pair, now=NOON)
    decisions.dismiss(pair, now=NOON + HOUR)
    pair.refresh_from_db()
    assert pair.dismissed_at == NOON


def test_the_page_of_an_event_lists_the_documents_that_its_count_counts() -> None:
    event = decisions.publish(candidate("1", "2"), now=NOON)
    listed = {document.external_id for document in documents_about(event, 10)}
    assert listed == {"1", "2"}
    assert count_of(event) == len(listed)


def test_an_editor_says_what_the_event_is_called_and_where_it_stands() -> None:
    make_unit("btc", "비트코인")
    ether = make_unit("eth", "이더리움")
    cluster = candidate("1", "2")
    wanted = EventDraft(
        label="제목", slug="2026-11-20-own", occurred_at=NOON - HOUR, units=(ether,), summary="요약"
    )
    event = decisions.publish(cluster, now=NOON, draft=wanted)
    assert (event.label, event.slug, event.occurred_at, event.summary) == (
        "제목",
        "2026-11-20-own",
        NOON - HOUR,
        "요약",
    )
    assert [row.unit for row in event.event_units.all()] == [ether]


def test_an_address_that_another_event_has_is_refused() -> None:
    make_unit("taken", "다른 사건", type=UnitType.EVENT, occurred_at=NOON)
    cluster = candidate("1")
    wanted = replace(drafts.draft(cluster), slug="taken")
    with pytest.raises(CurationError, match="taken"):
        decisions.publish(cluster, now=NOON, draft=wanted)
    cluster.refresh_from_db()
    assert cluster.status == ClusterStatus.OPEN
    assert Unit.objects.get(slug="taken").label == "다른 사건"


def test_two_candidates_of_a_day_are_offered_two_addresses() -> None:
    make_unit("btc", "비트코인")
    offered = drafts.drafts([candidate("1"), candidate("2")])
    assert [one.slug for one in offered.values()] == ["2026-11-20-btc", "2026-11-20-btc-2"]


def test_undoing_a_publication_leaves_a_draft_that_is_taken_up_again() -> None:
    cluster = candidate("1", "2")
    event = decisions.publish(cluster, now=NOON)
    heard: list[Unit] = []

    def listen(unit: Unit, **kwargs: Any) -> None:
        heard.append(unit)

    unit_retracted.connect(listen)
    decisions.undo(cluster)
    unit_retracted.disconnect(listen)
    fold()
    event.refresh_from_db()
    cluster.refresh_from_db()
    assert (event.status, event.document_count, heard) == (Status.DRAFT, 0, [event])
    assert (cluster.status, cluster.event, cluster.decided_at) == (ClusterStatus.OPEN, None, None)
    assert drafts.draft(cluster).slug == event.slug
    again = decisions.publish(cluster, now=NOON)
    assert (again, again.status, count_of(again)) == (event, Status.PUBLISHED, 2)
    assert Unit.objects.filter(type=UnitType.EVENT).count() == 1


def test_undoing_an_addition_leaves_the_event_public() -> None:
    first, second = candidate("1", "2"), candidate("3")
    event = decisions.publish(first, now=NOON)
    decisions.publish(second, now=NOON, event=event)
    decisions.undo(second)
    assert (count_of(event), event.status) == (2, Status.PUBLISHED)
    decisions.publish(second, now=NOON, event=event)
    decisions.undo(first)
    # Another cluster stands on it by now, so it stays.
    assert (count_of(event), event.status) == (1, Status.PUBLISHED)


def test_undoing_a_rejection_puts_the_candidate_back() -> None:
    cluster = candidate("1")
    decisions.reject(cluster, reason="광고", now=NOON)
    decisions.undo(cluster)
    cluster.refresh_from_db()
    assert (cluster.status, cluster.reason) == (ClusterStatus.OPEN, "")
    with pytest.raises(CurationError):
        decisions.undo(cluster)


def test_a_removed_document_stands_alone_and_does_not_come_back() -> None:
    cluster = candidate("1", "2", "3")
    assert decisions.remove(cluster, keys(cluster, "2", "3")) == 2
    cluster.refresh_from_db()
    assert list(cluster.documents.values_list("external_id", flat=True)) == ["1"]
    assert (cluster.status, cluster.last_document_at) == (ClusterStatus.OPEN, NOON)
    alone = EventCluster.objects.exclude(pk=cluster.pk)
    assert {row.status for row in alone} == {ClusterStatus.GATHERING}
    intake.cluster_new_documents(now=NOON + 3 * HOUR)
    assert cluster.members.count() == 1
    with pytest.raises(CurationError):
        decisions.remove(cluster, keys(cluster, "1"))


def test_the_word_of_a_regulator_is_a_candidate_by_itself_when_it_is_taken_out() -> None:
    cluster = candidate("1", "2")
    Source.objects.filter(slug="s-2").update(primary=True)
    decisions.remove(cluster, keys(cluster, "2"))
    assert EventCluster.objects.exclude(pk=cluster.pk).get().status == ClusterStatus.OPEN


def test_a_pair_of_which_one_is_given_up_is_no_question() -> None:
    one, other, third = candidate("1"), candidate("2"), candidate("3")
    PossibleMerge.objects.create(one=one, other=other, noted_at=NOON)
    kept = PossibleMerge.objects.create(one=one, other=third, noted_at=NOON)
    decisions.reject(other, reason="광고", now=NOON)
    assert list(PossibleMerge.objects.awaiting()) == [kept]
    decisions.publish(one, now=NOON)
    assert list(PossibleMerge.objects.awaiting()) == [kept]
    decisions.dismiss(kept, now=NOON)
    assert not PossibleMerge.objects.awaiting().exists()
    decisions.recall(kept)
    assert list(PossibleMerge.objects.awaiting()) == [kept]
