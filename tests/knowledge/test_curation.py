"""Publish, retract, merge, unmerge: all or nothing, and merging moves nothing."""

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from knowledge import curation
from knowledge.counting import fold
from knowledge.models import Alias, Mention, Status, Unit, UnitType
from knowledge.signals import unit_retracted
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db


def mention(unit: Unit, external_id: str, kind: str = "news") -> None:
    source = make_source(f"s-{unit.slug}-{external_id}", kind=kind)
    document = make_document(source, external_id)
    Mention.objects.create(document=document, unit=unit, start=0, end=4, surface=unit.label)


def test_only_published_survivors_are_public() -> None:
    kept = make_unit("btc", "비트코인")
    make_unit("draft", "초안", status=Status.DRAFT)
    make_unit("gone", "철회", status=Status.RETRACTED)
    curation.merge(make_unit("xbt", "엑스비티"), kept, now=NOON)
    assert [unit.public_id for unit in Unit.objects.published()] == ["asset:btc"]


def test_a_merge_redirects_and_counts_for_the_survivor() -> None:
    survivor, loser = make_unit("btc", "비트코인"), make_unit("xbt", "엑스비티")
    mention(survivor, "1")
    mention(loser, "2")
    mention(loser, "3", kind="video")
    curation.merge(loser, survivor, now=NOON)
    fold()
    loser.refresh_from_db()
    survivor.refresh_from_db()
    assert loser.survivor == survivor
    assert (survivor.document_count, survivor.video_count) == (3, 1)


def test_redirects_stay_one_hop_and_undo_restores_exactly() -> None:
    first, second, third = make_unit("a", "가나"), make_unit("b", "다라"), make_unit("c", "마바")
    mention(first, "1")
    curation.merge(first, second, now=NOON)
    later = curation.merge(second, third, now=NOON)
    assert set(Unit.objects.filter(merged_into=third).values_list("slug", flat=True)) == {"a", "b"}
    curation.unmerge(later, now=NOON)
    fold()
    first.refresh_from_db()
    second.refresh_from_db()
    third.refresh_from_db()
    assert (first.merged_into, second.merged_into) == (second, None)
    assert (second.document_count, third.document_count) == (1, 0)


def test_the_database_refuses_a_redirect_of_two_hops() -> None:
    first, second, third = make_unit("a", "가나"), make_unit("b", "다라"), make_unit("c", "마바")
    curation.merge(first, second, now=NOON)
    with connection.cursor() as cursor:
        # The check waits for the commit, which a test never makes.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(DatabaseError), transaction.atomic():
        Unit.objects.filter(pk=second.pk).update(merged_into=third)


@pytest.mark.parametrize("case", ["itself", "another sort", "merged already"])
def test_a_merge_that_makes_no_sense_is_refused(case: str) -> None:
    unit, other = make_unit("btc", "비트코인"), make_unit("xbt", "엑스비티")
    match case:
        case "itself":
            other = unit
        case "another sort":
            other = make_unit("halving", "반감기", type=UnitType.TOPIC)
        case _:
            curation.merge(make_unit("old", "옛것"), unit, now=NOON)
            other = Unit.objects.get(slug="old")
    with pytest.raises(curation.CurationError):
        curation.merge(other, unit, now=NOON)


def test_a_retraction_is_told_to_the_apps_above() -> None:
    unit = make_unit()
    heard: list[Any] = []

    def listen(unit: Unit, **kwargs: Any) -> None:
        heard.append(unit)

    unit_retracted.connect(listen)
    try:
        curation.set_status(unit, Status.RETRACTED)
    finally:
        unit_retracted.disconnect(listen)
    assert heard == [unit]
    assert not Unit.objects.published().exists()


def test_an_event_without_a_date_is_not_published() -> None:
    event = make_unit("later", "언젠가", type=UnitType.EVENT, status=Status.DRAFT)
    with pytest.raises(curation.CurationError):
        curation.set_status(event, Status.PUBLISHED)


def test_an_alias_belongs_to_one_unit_of_a_type_unless_it_is_ambiguous() -> None:
    make_unit("btc", "비트코인", aliases=["Bitcoin"])
    rival = make_unit("bch", "비트코인캐시")
    alias = Alias(unit=rival, surface="bit coin")
    assert "비트코인" in alias.collision(rival.type)
    with pytest.raises(DatabaseError), transaction.atomic():
        alias.save()
    alias.ambiguous = True
    assert alias.collision(rival.type) == ""
    alias.save()


def test_updated_at_moves_with_public_content_and_not_with_counts() -> None:
    unit = make_unit()
    unit.refresh_from_db()
    before = unit.updated_at
    Unit.objects.filter(pk=unit.pk).update(document_count=7)
    unit.refresh_from_db()
    assert unit.updated_at == before
