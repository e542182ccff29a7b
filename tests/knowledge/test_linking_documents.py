"""Stored documents: mentions, counts, and what a change of aliases does to them."""

from __future__ import annotations

from typing import Any

import pytest

from knowledge import curation
from knowledge.counting import recount
from knowledge.linking import relinking, vocabulary
from knowledge.linking.normalise import normalise_alias
from knowledge.linking.service import link_document, link_documents, speaks_of_a_unit, units_named
from knowledge.models import Alias, Document, Mention, Status, Unit, UnitType
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db


def mentions(document: Document) -> list[tuple[str, int, int, str]]:
    rows = Mention.objects.filter(document=document).order_by("start")
    return [(row.unit.slug, row.start, row.end, row.surface) for row in rows.select_related("unit")]


def counts(unit: Unit) -> tuple[int, int]:
    unit.refresh_from_db()
    return unit.document_count, unit.video_count


def test_a_document_keeps_what_its_title_and_summary_name() -> None:
    make_unit("btc", "비트코인", aliases=["BTC"])
    make_unit("eth", "이더리움")
    document = make_document(make_source(), title="비트코인 상승", summary="이더리움도 BTC를 따랐다")
    assert link_document(document)
    assert mentions(document) == [
        ("btc", 0, 4, "비트코인"),
        ("eth", 8, 12, "이더리움"),
        ("btc", 14, 17, "BTC"),
    ]
    assert all(document.text[start:end] == surface for _unit, start, end, surface in mentions(document))


def test_linking_twice_changes_nothing() -> None:
    make_unit()
    document = make_document(make_source())
    link_document(document)
    rows = list(Mention.objects.values())
    assert not link_document(document)
    assert list(Mention.objects.values()) == rows


def test_a_changed_title_moves_mentions_and_counts() -> None:
    btc, eth = make_unit(), make_unit("eth", "이더리움")
    document = make_document(make_source(kind="video"), title="비트코인 전망")
    link_document(document)
    assert (counts(btc), counts(eth)) == ((1, 1), (0, 0))
    document.title = "이더리움 전망"
    document.save()
    assert link_documents([document]) == [document.pk]
    assert (counts(btc), counts(eth)) == ((0, 0), (1, 1))


@pytest.mark.parametrize("status", [Status.DRAFT, Status.RETRACTED])
@pytest.mark.parametrize("kind", [UnitType.ASSET, UnitType.CREATOR])
def test_what_is_not_public_is_not_linked(status: str, kind: str) -> None:
    make_unit("btc", "비트코인", status=status, type=kind, aliases=["BTC"])
    assert units_named("비트코인과 BTC") == []
    assert not speaks_of_a_unit("비트코인")


def test_events_are_called_only_by_their_explicit_aliases() -> None:
    make_unit("luna", "테라루나 붕괴", type=UnitType.EVENT, occurred_at=NOON, aliases=["루나 사태"])
    assert units_named("테라루나 붕괴의 기록") == []
    assert units_named("루나 사태의 기록") == ["event:luna"]


def test_an_inactive_alias_silences_the_label_too() -> None:
    unit = make_unit("gas", "가스코어")
    assert units_named("가스코어 소식") == ["asset:gas"]
    Alias.objects.create(unit=unit, surface="가스코어", active=False)
    assert units_named("가스코어 소식") == []


def test_a_merged_units_names_speak_for_the_survivor_but_stay_its_own() -> None:
    survivor, loser = make_unit("pol", "폴리곤에코"), make_unit("matic", "매틱네트워크")
    document = make_document(make_source(), title="매틱네트워크 전환 완료")
    record = curation.merge(loser, survivor, now=NOON)
    link_document(document)
    assert units_named("매틱네트워크") == ["asset:pol"]
    assert mentions(document)[0][0] == "matic"
    assert counts(survivor) == (1, 0)
    curation.unmerge(record, now=NOON)
    assert (counts(survivor), counts(loser)) == ((0, 0), (1, 0))
    vocabulary.current_vocabulary(max_age=0)
    assert units_named("매틱네트워크") == ["asset:matic"]


def test_the_crypto_channel_is_evidence_for_doubtful_names() -> None:
    make_unit("luna", "루나")
    told = make_document(make_source(crypto=True), title="오늘의 루나")
    untold = make_document(make_source("general", crypto=False), title="오늘의 루나")
    link_documents([told, untold])
    assert (len(mentions(told)), len(mentions(untold))) == (1, 0)


def test_a_document_counts_once_however_often_it_names_the_family() -> None:
    survivor, loser = make_unit("pol", "폴리곤에코"), make_unit("matic", "매틱네트워크")
    curation.merge(loser, survivor, now=NOON)
    link_document(make_document(make_source(), title="폴리곤에코, 매틱네트워크, 폴리곤에코"))
    assert counts(survivor) == (1, 0)


def test_withdrawn_documents_do_not_count() -> None:
    unit = make_unit()
    document = make_document(make_source())
    link_document(document)
    Document.objects.filter(pk=document.pk).update(withdrawn=True)
    assert recount([unit.pk]) == 1
    assert counts(unit) == (0, 0)
    assert recount([unit.pk]) == 0


def test_a_channels_own_videos_count_for_its_creator() -> None:
    creator = make_unit("someone", "마당지기채널", type=UnitType.CREATOR)
    document = make_document(make_source(kind="video", creator=creator), title="오늘의 이야기")
    link_document(document)
    assert counts(creator) == (1, 1)


def test_relinking_reads_only_documents_with_the_alias(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = make_unit("kimp", "김치프리미엄", type=UnitType.TOPIC)
    source = make_source()
    named = make_document(source, "1", title="김치 프리미엄이 벌어졌다")
    make_document(source, "2", title="전혀 다른 소식")
    read: list[int] = []

    def spy(documents: Any) -> list[int]:
        chosen = list(documents)
        read.extend(document.pk for document in chosen)
        return link_documents(chosen)

    monkeypatch.setattr(relinking, "link_documents", spy)
    assert relinking.relink_unit(unit) == 1
    assert read == [named.pk]
    assert counts(unit) == (1, 0)
    assert relinking.relink_unit(unit) == 0


def test_a_removed_alias_takes_its_mentions_along() -> None:
    unit = make_unit("btc", "비트코인", aliases=["엑스비티"])
    document = make_document(make_source(), title="엑스비티 급등")
    link_document(document)
    Alias.objects.filter(surface="엑스비티").delete()
    assert relinking.relink([normalise_alias("엑스비티")]) == 1
    assert mentions(document) == []
    assert counts(unit) == (0, 0)


def test_a_percent_sign_in_an_alias_is_no_wildcard() -> None:
    make_unit("half", "절반%코인")
    document = make_document(make_source(), title="절반의 코인")
    make_document(document.source, "2", title="절반%코인 출시")
    assert relinking.relink([normalise_alias("절반%코인")]) == 1


def test_publishing_makes_old_documents_speak_of_a_unit() -> None:
    unit = make_unit("btc", "비트코인", status=Status.DRAFT)
    document = make_document(make_source())
    link_document(document)
    assert mentions(document) == []
    curation.publish(unit)
    relinking.relink_unit(unit)
    assert [name for name, *_rest in mentions(document)] == ["btc"]


def test_another_process_that_changes_aliases_is_noticed() -> None:
    unit = make_unit()
    first = vocabulary.current_linker(max_age=0)
    assert vocabulary.current_linker(max_age=0) is first
    Alias.objects.bulk_create(
        [Alias(unit=unit, unit_type=unit.type, surface="엑스비티", norm=normalise_alias("엑스비티"))]
    )
    assert vocabulary.current_linker(max_age=0).units("엑스비티") == [unit.pk]


def test_counting_documents_builds_no_new_linker() -> None:
    unit = make_unit()
    first = vocabulary.current_linker(max_age=0)
    Unit.objects.filter(pk=unit.pk).update(document_count=7, summary="새 요약")
    assert vocabulary.current_linker(max_age=0) is first


def test_the_linker_is_not_asked_of_the_database_for_every_text(django_assert_num_queries: Any) -> None:
    make_unit()
    vocabulary.current_linker()
    with django_assert_num_queries(0):
        assert units_named("비트코인") == ["asset:btc"]


def test_a_surface_longer_than_the_column_is_cut() -> None:
    make_unit()
    document = make_document(make_source(), title="비" + "\u200b" * 300 + "트코인")
    link_document(document)
    assert len(mentions(document)[0][3]) == 200
