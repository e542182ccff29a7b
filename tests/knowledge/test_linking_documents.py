"""Stored documents: mentions, counts, and what a change of aliases does to them."""

import contextlib
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from knowledge import curation, tasks
from knowledge.counting import fold
from knowledge.ingestion import relinking
from knowledge.linking import gazetteer
from knowledge.linking.gazetteer import Gazetteer
from knowledge.linking.store import link_documents, names_in, units_named
from knowledge.models import Alias, Creator, Document, Mention, Relinking, Status, Unit, UnitType
from knowledge.normalise import normalise_alias
from knowledge.search import indexing
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db


def mentions(document: Document) -> list[tuple[str, int, int, str]]:
    rows = Mention.objects.filter(document=document).order_by("start")
    return [(row.unit.slug, row.start, row.end, row.surface) for row in rows.select_related("unit")]


def counts(unit: Unit) -> tuple[int, int]:
    fold()
    unit.refresh_from_db()
    return unit.document_count, unit.video_count


def test_a_document_keeps_what_its_title_and_summary_name() -> None:
    make_unit("btc", "비트코인", aliases=["BTC"])
    make_unit("eth", "이더리움")
    document = make_document(make_source(), title="비트코인 상승", summary="이더리움도 BTC를 따랐다")
    assert link_documents([document])
    assert mentions(document) == [
        ("btc", 0, 4, "비트코인"),
        ("eth", 8, 12, "이더리움"),
        ("btc", 14, 17, "BTC"),
    ]
    assert all(document.text[start:end] == surface for _unit, start, end, surface in mentions(document))


def test_linking_twice_changes_nothing() -> None:
    make_unit()
    document = make_document(make_source())
    link_documents([document])
    rows = list(Mention.objects.values())
    assert not link_documents([document])
    assert list(Mention.objects.values()) == rows


def test_a_changed_title_moves_mentions_and_counts() -> None:
    btc, eth = make_unit(), make_unit("eth", "이더리움")
    document = make_document(make_source(kind="video"), title="비트코인 전망")
    link_documents([document])
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
    link_documents([document])
    assert units_named("매틱네트워크") == ["asset:pol"]
    assert mentions(document)[0][0] == "matic"
    assert counts(survivor) == (1, 0)
    curation.unmerge(record, now=NOON)
    assert (counts(survivor), counts(loser)) == ((0, 0), (1, 0))
    gazetteer.newest_gazetteer()
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
    link_documents([make_document(make_source(), title="폴리곤에코, 매틱네트워크, 폴리곤에코")])
    assert counts(survivor) == (1, 0)


def test_withdrawn_documents_do_not_count() -> None:
    unit = make_unit()
    document = make_document(make_source())
    link_documents([document])
    Document.objects.filter(pk=document.pk).update(withdrawn=True)
    assert counts(unit) == (0, 0)


def test_a_channels_own_videos_count_for_its_creator() -> None:
    creator = make_unit("someone", "마당지기채널", type=UnitType.CREATOR)
    document = make_document(make_source(kind="video", creator=creator), title="오늘의 이야기")
    link_documents([document])
    assert counts(creator) == (1, 1)


def link_again(norms: Iterable[str] | None) -> None:
    """What the task does until nothing waits."""
    relinking.request(norms)
    while relinking.proceed(now=NOON):
        pass


def test_relinking_reads_only_documents_with_the_alias(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = make_unit("kimp", "김치프리미엄", type=UnitType.TOPIC)
    source = make_source()
    named = make_document(source, "1", title="김치 프리미엄이 벌어졌다")
    make_document(source, "2", title="전혀 다른 소식")
    read: list[tuple[list[int], list[int]]] = []

    def spy(documents: Any, names: Gazetteer) -> list[int]:
        chosen = list(documents)
        changed = link_documents(chosen, names)
        read.append(([document.pk for document in chosen], changed))
        return changed

    monkeypatch.setattr(relinking, "link_documents", spy)
    link_again(gazetteer.norms_of(unit))
    assert counts(unit) == (1, 0)
    link_again(gazetteer.norms_of(unit))
    assert read == [([named.pk], [named.pk]), ([named.pk], [])]


def test_a_removed_alias_takes_its_mentions_along() -> None:
    unit = make_unit("btc", "비트코인", aliases=["엑스비티"])
    document = make_document(make_source(), title="엑스비티 급등")
    link_documents([document])
    Alias.objects.filter(surface="엑스비티").delete()
    link_again([normalise_alias("엑스비티")])
    assert mentions(document) == []
    assert counts(unit) == (0, 0)


def test_a_percent_sign_in_an_alias_is_no_wildcard() -> None:
    make_unit("half", "절반%코인")
    document = make_document(make_source(), title="절반의 코인")
    make_document(document.source, "2", title="절반%코인 출시")
    assert relinking.containing({normalise_alias("절반%코인")}).get().url != document.url


@pytest.mark.parametrize("name", ["수이", "톤", "OG", "Jean–Paul", "비트코인 캐시"])
def test_documents_are_found_by_names_of_any_length_however_they_are_spaced(name: str) -> None:
    source = make_source()
    named = make_document(source, "1", title="오늘의 소식", summary=f"그리고 {name}가 올랐다")
    spaced = make_document(source, "2", title=f"( {name[0]} {name[1:].upper()} )")
    make_document(source, "3", title="전혀 다른 소식", summary="이수 비트")
    assert set(relinking.containing({normalise_alias(name)})) == {named, spaced}


def test_documents_with_a_name_are_found_by_an_index() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        plan = relinking.containing({"수이", "비트코인"}).explain()
    assert plan.count("document_pairs") == 2


def test_publishing_makes_old_documents_speak_of_a_unit() -> None:
    unit = make_unit("btc", "비트코인", status=Status.DRAFT)
    document = make_document(make_source())
    link_documents([document])
    assert mentions(document) == []
    curation.set_status(unit, Status.PUBLISHED)
    link_again(gazetteer.norms_of(unit))
    assert [name for name, *_rest in mentions(document)] == ["btc"]


def test_another_process_that_changes_aliases_is_noticed() -> None:
    unit = make_unit()
    first = gazetteer.newest_gazetteer().linker
    assert gazetteer.newest_gazetteer().linker is first
    Alias.objects.bulk_create(
        [Alias(unit=unit, unit_type=unit.type, surface="엑스비티", norm=normalise_alias("엑스비티"))]
    )
    assert gazetteer.newest_gazetteer().linker.units("엑스비티") == [unit.pk]


def test_counting_documents_builds_no_new_linker() -> None:
    unit = make_unit()
    first = gazetteer.newest_gazetteer().linker
    Unit.objects.filter(pk=unit.pk).update(document_count=7, summary="새 요약")
    assert gazetteer.newest_gazetteer().linker is first


def test_the_linker_is_not_asked_of_the_database_for_every_text(django_assert_num_queries: Any) -> None:
    make_unit()
    gazetteer.current_gazetteer()
    with django_assert_num_queries(0):
        assert units_named("비트코인") == ["asset:btc"]


def test_a_surface_longer_than_the_column_is_cut() -> None:
    make_unit()
    document = make_document(make_source(), title="비" + "\u200b" * 300 + "트코인")
    link_documents([document])
    assert len(mentions(document)[0][3]) == 200


def test_while_one_asks_the_database_the_others_go_on_with_what_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_unit()
    known = gazetteer.newest_gazetteer()
    asking, others_done, asked = threading.Event(), threading.Event(), []

    def version() -> str:
        asked.append(1)
        asking.set()
        assert others_done.wait(timeout=10)
        return known.version

    monkeypatch.setattr(gazetteer, "_version", version)
    monkeypatch.setattr(gazetteer, "_checked_at", float("-inf"))
    with ThreadPoolExecutor(20) as pool:
        first = pool.submit(gazetteer.current_gazetteer)
        assert asking.wait(timeout=10)
        others = list(pool.map(lambda _number: gazetteer.current_gazetteer(), range(19)))
        others_done.set()
        assert [first.result(), *others] == [known] * 20
    assert asked == [1]


def test_nobody_waits_for_a_large_gazetteer_that_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = make_unit()
    known = gazetteer.newest_gazetteer()
    reading, read = threading.Event(), threading.Event()

    def slow() -> None:
        reading.set()
        assert read.wait(timeout=10)

    monkeypatch.setattr(gazetteer, "PATIENCE_SECONDS", -1.0)
    monkeypatch.setattr(gazetteer, "_read", slow)
    Alias.objects.create(unit=unit, surface="엑스비티")
    assert gazetteer.current_gazetteer() is known
    assert reading.wait(timeout=10)
    assert gazetteer.current_gazetteer() is known
    read.set()
    assert gazetteer._lock.acquire(timeout=10)
    gazetteer._lock.release()


def test_who_has_to_wait_for_the_first_vocabulary_keeps_no_connection_and_asks_nothing_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_unit()
    known = gazetteer.newest_gazetteer()
    waiting, asked = threading.Semaphore(0), []

    def read() -> Gazetteer:
        asked.append(1)
        for _other in range(19):
            assert waiting.acquire(timeout=10)
        monkeypatch.setattr(gazetteer, "_current", known)
        return known

    monkeypatch.setattr(gazetteer, "_read", read)
    monkeypatch.setattr(gazetteer, "release_connection", waiting.release)
    monkeypatch.setattr(gazetteer, "_current", None)
    monkeypatch.setattr(gazetteer, "_checked_at", float("-inf"))
    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(lambda _number: gazetteer.current_gazetteer(), range(20)))
    assert found == [known] * 20
    assert asked == [1]


@pytest.mark.parametrize(
    "text",
    [
        "비트코인과 비트 코인 캐시, BTC의 하루",
        "한국 은행과 한국은행",
        "매틱네트워크(MATIC) 시세",
        "루나 시세와 XRP",
        "RWA-X 상장",
        "아무 이름도 없는 말",
    ],
)
def test_a_process_without_a_gazetteer_reads_short_texts_as_the_whole_one_does(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_unit("btc", "비트코인", symbol="BTC", aliases=["BTC"])
    make_unit("bch", "비트코인 캐시")
    make_unit("bok", "한국은행", type=UnitType.ORGANISATION)
    make_unit("rwa", "실물코인", symbol="RWA-X")
    make_unit("luna", "루나", aliases=["LUNC"])
    survivor = make_unit("pol", "폴리곤에코", aliases=["POL"])
    curation.merge(make_unit("matic", "매틱네트워크", aliases=["MATIC"]), survivor, now=NOON)
    whole = gazetteer.newest_gazetteer()
    monkeypatch.setattr(gazetteer, "_current", None)
    monkeypatch.setattr(gazetteer, "_checked_at", float("-inf"))
    with gazetteer._lock:  # another thread is reading it
        own = gazetteer.current_gazetteer(text)
        assert own.linker.find(text) == whole.linker.find(text)
        assert own.version == whole.version
        assert [own.names.public_id(one.unit) for one in own.linker.find(text)] == units_in(whole, text)
        for word in text.split():
            norm = normalise_alias(word)
            assert gazetteer.current_gazetteer(norm).names.called(norm) == whole.names.called(norm)


def units_in(whole: Gazetteer, text: str) -> list[str]:
    return [whole.names.public_id(one.unit) for one in whole.linker.find(text)]


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE knowledge_alias SET surface = '엑스비티', norm = '엑스비티'",
        "UPDATE knowledge_unit SET label = '엑스비티'",
        "UPDATE knowledge_unit SET symbol = 'XBT'",
        "UPDATE knowledge_unit SET status = 'draft'",
        "DELETE FROM knowledge_alias",
    ],
)
def test_a_hand_in_psql_is_noticed_by_a_query_that_reads_neither_units_nor_aliases(edit: str) -> None:
    make_unit(aliases=["비코"])
    first = gazetteer.newest_gazetteer().linker
    with connection.cursor() as cursor:
        cursor.execute(edit)
    with CaptureQueriesContext(connection) as queries:
        assert gazetteer.newest_gazetteer().linker is not first
    version = queries.captured_queries[0]["sql"]
    assert "knowledge_unit" not in version
    assert "knowledge_alias" not in version


def test_what_was_rolled_back_is_never_taken_for_what_came_later() -> None:
    unit = make_unit()
    with contextlib.suppress(InterruptedError), transaction.atomic():
        Alias.objects.create(unit=unit, surface="없던이름")
        assert gazetteer.newest_gazetteer().linker.units("없던이름")
        raise InterruptedError
    Alias.objects.create(unit=unit, surface="엑스비티")
    linker = gazetteer.newest_gazetteer().linker
    assert linker.units("엑스비티") == [unit.pk]
    assert linker.units("없던이름") == []


def test_two_editors_of_aliases_do_not_wait_for_one_another() -> None:
    make_unit(aliases=["비코"])  # this transaction holds what it changed until the test ends
    first = gazetteer._version()
    parameters = connection.get_connection_params()
    kept = {
        name: parameters[name]
        for name in ("host", "port", "dbname", "user", "password")
        if name in parameters
    }
    with psycopg.connect(**kept, autocommit=True, options="-c lock_timeout=2000") as other:
        other.execute("SELECT knowledge_vocabulary_changed()")
    assert gazetteer._version() != first


def test_a_channel_that_is_saved_is_known_to_this_process_at_once() -> None:
    unit = make_unit("tv", "마당TV", type=UnitType.CREATOR)
    assert gazetteer.current_gazetteer().linker.units("마당TV") == [unit.pk]
    channel = Creator.objects.get(pk=unit.pk)
    channel.label = "바다TV"
    channel.save()
    assert gazetteer.current_gazetteer().linker.units("바다TV") == [unit.pk]


@pytest.mark.parametrize("norms", [None, ["비트코인"]])
def test_documents_are_linked_again_a_range_at_a_time_the_newest_first(
    norms: list[str] | None,
    monkeypatch: pytest.MonkeyPatch,
    free_worker: None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "knowledge.ingestion.relinking")
    monkeypatch.setattr(relinking, "RANGE", 2)
    source = make_source()
    rows = [make_document(source, str(number), title="비트코인 상승") for number in range(5)]
    make_unit()
    Relinking.objects.all().delete()
    relinking.request(norms)
    assert relinking.proceed(now=NOON)
    assert {mention.document_id for mention in Mention.objects.all()} == {rows[3].pk, rows[4].pk}
    tasks.relink()
    assert Mention.objects.count() == 5
    assert not Relinking.objects.exists()
    assert "mentions of 5 documents changed" in caplog.text


def test_what_a_killed_worker_left_is_taken_up_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relinking, "RANGE", 2)
    source = make_source()
    for number in range(4):
        make_document(source, str(number), title="비트코인 상승")
    make_unit()
    Relinking.objects.all().delete()
    relinking.request(["비트코인"])
    assert relinking.proceed(now=NOON)

    def killed(documents: Any, names: Gazetteer) -> list[int]:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(relinking, "link_documents", killed)
        with pytest.raises(SystemExit):
            relinking.proceed(now=NOON)
    assert not relinking.proceed(now=NOON + relinking.LEASE), "the other worker might still be at it"
    assert relinking.proceed(now=NOON + relinking.LEASE * 1.01)
    assert Mention.objects.count() == 4


def test_a_range_that_takes_too_long_goes_on_behind_its_last_whole_batch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(relinking, "BATCH", 2)
    source = make_source()
    for number in range(5):
        make_document(source, str(number), title="비트코인 상승")
    make_unit()
    Relinking.objects.all().delete()
    relinking.request(["비트코인"])
    batches: list[int] = []

    def killed_in_search(touched: list[int]) -> int:
        batches.append(len(touched))
        if len(batches) == 2:
            raise SoftTimeLimitExceeded
        return indexing.relink_documents(touched)

    with monkeypatch.context() as patched:
        patched.setattr(relinking, "indexing", SimpleNamespace(relink_documents=killed_in_search))
        with pytest.raises(SoftTimeLimitExceeded):
            relinking.proceed(now=NOON)
        assert Mention.objects.count() == 2, "of a batch that search does not have, no mention stays"
        while relinking.proceed(now=NOON + relinking.LEASE * 1.01):
            pass
    assert batches == [2, 2, 2, 1]


def test_the_whole_is_asked_for_once_unless_a_worker_is_past_a_part_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    relinking.request(None)
    relinking.request(None)
    assert Relinking.objects.count() == 1
    monkeypatch.setattr(relinking, "RANGE", 1)
    make_document(make_source())
    assert relinking.proceed(now=NOON)
    relinking.request(None)
    assert Relinking.objects.filter(norms=None).count() == 2


def test_who_asks_of_a_topic_asks_not_of_the_asset_in_its_name() -> None:
    btc, halving = make_unit(), make_unit("halving", "비트코인 반감기", type=UnitType.TOPIC)
    text = "비트코인 반감기가 지났다"
    assert units_named(text) == ["topic:halving"]
    assert {found.unit for found in gazetteer.newest_gazetteer().linker.find(text)} == {btc.pk, halving.pk}


def test_names_stand_where_they_are_written_and_an_asset_within_a_topics_name_too() -> None:
    topic = make_unit("maru-halving", "마루코인 반감기", type=UnitType.TOPIC)
    coin = make_unit("maru", "마루코인")
    text = "다음 마루코인 반감기"
    found = [(text[one.start : one.end], one.public_ids) for one in names_in(text)]
    assert found == [("마루코인 반감기", (topic.public_id,)), ("마루코인", (coin.public_id,))]
