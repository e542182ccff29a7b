"""Building: once when records change, one builder at a time, nothing lost in between."""

import gzip
import json
import threading
from datetime import datetime, timedelta
from typing import Any

import brotli
import pytest
from django.db import connection, transaction

from knowledge.models import OutboxEntry, Publication, Status, Unit, UnitType
from knowledge.publications import Definition, PublicationGroup, build, builder, register, registry
from knowledge.publications.indexes import OWN
from tests.factories.knowledge import NOON, make_unit
from tests.factories.series import make_series, observe

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(minutes=5)


def stored(name: str) -> Publication:
    return Publication.objects.get(name=name)


def labels(name: str = "entities") -> list[str]:
    return [record["label"] for record in json.loads(bytes(stored(name).body))[name]]


def units() -> Any:
    return Unit.objects


@pytest.fixture(autouse=True)
def own_definitions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the knowledge base's own, whatever upper apps add; what a test registers is gone after it."""
    monkeypatch.setattr(registry, "_definitions", {definition.name: definition for definition in OWN})


def test_the_first_build_makes_all_of_them() -> None:
    make_unit()
    assert set(build(now=NOON)) >= {"entities", "topics", "events", "pulses"}
    body = json.loads(bytes(stored("entities").body))
    assert list(body) == ["version", "count", "generated_at", "site", "licence", "entities"]
    assert (body["version"], body["count"], body["generated_at"]) == ("v1", 1, "2026-11-20T12:00:00+09:00")


def test_an_empty_canon_is_published_as_empty() -> None:
    build(now=NOON)
    assert json.loads(bytes(stored("topics").body))["topics"] == []
    assert stored("topics").count == 0


def test_korean_is_written_as_itself_and_all_encodings_hold_the_same_bytes() -> None:
    make_unit("btc", "비트코인")
    build(now=NOON)
    row = stored("entities")
    body = bytes(row.body)
    assert "비트코인".encode() in body
    assert gzip.decompress(bytes(row.gz)) == body
    assert brotli.decompress(bytes(row.br)) == body


def test_a_service_that_moved_says_so_though_its_records_are_equal(settings: Any) -> None:
    make_unit()
    build(now=NOON)
    settings.BASE_URL = "https://moved.example"
    assert "entities" in build(now=NOON, force=True)
    assert json.loads(bytes(stored("entities").body))["site"] == "https://moved.example"
    assert build(now=NOON, force=True) == []


def test_equal_records_keep_body_version_etag_and_generated_at() -> None:
    make_unit()
    build(now=NOON)
    before = stored("entities")
    units().update(label="다른 이름")
    units().update(label="비트코인")
    assert build(now=LATER) == []
    assert not OutboxEntry.objects.exists()
    assert build(now=LATER, force=True) == []
    kept = stored("entities")
    assert (kept.version, kept.etag, kept.built_at) == (before.version, before.etag, before.built_at)
    assert bytes(kept.body) == bytes(before.body)


def test_other_records_get_a_new_version_etag_and_generated_at() -> None:
    make_unit()
    build(now=NOON)
    before = stored("entities")
    units().update(label="다른 이름")
    assert build(now=LATER) == ["entities"]
    after = stored("entities")
    assert after.version == before.version + 1
    assert after.etag != before.etag
    assert json.loads(bytes(after.body))["generated_at"] == "2026-11-20T12:05:00+09:00"


def test_without_a_change_nothing_is_looked_at(django_assert_max_num_queries: Any) -> None:
    build(now=NOON)
    OutboxEntry.objects.all().delete()
    with django_assert_max_num_queries(12) as queries:
        assert build(now=LATER) == []
    assert not [query for query in queries.captured_queries if "knowledge_unit" in query["sql"]]


def test_only_what_a_change_shows_in_is_rebuilt() -> None:
    make_unit()
    make_unit("mining", "채굴", type=UnitType.TOPIC)
    build(now=NOON)
    units().filter(slug="mining").update(label="마이닝")
    assert build(now=LATER) == ["topics"]
    assert OutboxEntry.objects.count() == 0


def test_a_value_that_becomes_overdue_is_published_though_nothing_changed() -> None:
    make_series("us-10y")
    observe("us-10y", NOON, 4.25)
    build(now=NOON)
    later = NOON + timedelta(days=6)
    assert build(now=later) == []
    assert build(now=later, aged=True) == ["series"]
    (record,) = json.loads(bytes(stored("series").body))["series"]
    assert record["latest"]["stale"] is True
    assert build(now=later, aged=True) == []


def test_a_retracted_unit_leaves_the_events_that_named_it() -> None:
    asset = make_unit()
    event = make_unit("halving", "반감기", type=UnitType.EVENT)
    event.related_units.add(asset)
    build(now=NOON)
    units().filter(pk=asset.pk).update(status=Status.RETRACTED)
    assert set(build(now=LATER)) == {"entities", "events"}
    assert json.loads(bytes(stored("events").body))["events"][0]["entities"] == []


def test_counts_alone_wait_half_a_minute_after_the_last_body() -> None:
    make_unit()
    build(now=NOON)
    units().update(document_count=1)
    assert build(now=NOON + timedelta(seconds=29)) == []
    assert OutboxEntry.objects.exists()
    assert build(now=NOON + timedelta(seconds=30)) == ["entities"]
    assert not OutboxEntry.objects.exists()


def test_an_edit_takes_waiting_counts_along() -> None:
    make_unit()
    build(now=NOON)
    units().update(document_count=1)
    units().update(label="새 이름")
    assert build(now=NOON + timedelta(seconds=1)) == ["entities"]
    assert not OutboxEntry.objects.exists()
    assert json.loads(bytes(stored("entities").body))["entities"][0]["documentCount"] == 1


def test_naming_one_publication_leaves_the_changes_for_the_others() -> None:
    make_unit()
    make_unit("halving", "반감기", type=UnitType.EVENT)
    build(now=NOON)
    units().update(summary="요약")
    assert build(now=LATER, names=["entities"]) == ["entities"]
    assert build(now=LATER) == ["events"]


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(KeyError):
        build(now=NOON, names=["nonsense"])


def test_an_upper_app_publishes_what_it_likes() -> None:
    def records(now: datetime) -> list[str]:
        return [f"/asset/{slug}" for slug in units().published().values_list("slug", flat=True)]

    def body(rows: Any, built_at: datetime) -> bytes:
        return "\n".join(rows).encode()

    register(
        Definition("site", frozenset({"entity"}), records, body, content_type="text/plain; charset=utf-8")
    )
    make_unit()
    assert "site" in build(now=NOON)
    assert bytes(stored("site").body) == b"/asset/btc"
    units().update(document_count=3)
    assert build(now=LATER) == ["entities"]
    make_unit("eth", "이더리움")
    assert set(build(now=LATER)) == {"entities", "site"}


def test_two_publications_cannot_share_a_name() -> None:
    with pytest.raises(ValueError, match="entities"):
        register(Definition("entities", frozenset(), lambda now: [], lambda rows, at: b""))


def test_a_new_revision_is_built_from_the_same_records() -> None:
    def definition(revision: int) -> Definition:
        return Definition(
            "site", frozenset(), lambda now: [1], lambda rows, at: b"%d" % revision, revision=revision
        )

    register(definition(1))
    build(now=NOON)
    registry._definitions["site"] = definition(2)
    assert build(now=LATER, force=True) == ["site"]
    assert bytes(stored("site").body) == b"2"


def test_what_one_publication_raises_stops_no_other() -> None:
    def broken(now: datetime) -> list[str]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1/0")
        return []

    register(Definition("broken", frozenset({"entity"}), broken, lambda rows, at: b""))
    make_unit()
    with pytest.raises(ExceptionGroup) as caught:
        build(now=NOON)
    assert "broken" in caught.value.exceptions[0].__notes__[0]
    assert labels() == ["비트코인"]
    assert OutboxEntry.objects.filter(scope="entity").exists()


# Two connections


@pytest.mark.django_db(transaction=True)
def test_a_second_builder_leaves_the_work_to_the_first() -> None:
    make_unit()
    built: list[list[str]] = []

    def second() -> None:
        built.append(build(now=NOON))
        connection.close()

    with builder._alone(PublicationGroup.INDEXES) as alone:
        assert alone
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(20)
    assert built == [[]]
    assert "entities" in build(now=NOON)


@pytest.mark.django_db(transaction=True)
def test_a_change_that_commits_during_a_build_is_taken_by_the_next_one() -> None:
    make_unit()
    build(now=NOON)

    def edit() -> None:
        make_unit("eth", "이더리움")
        connection.close()

    def slow(now: datetime) -> list[str]:
        thread = threading.Thread(target=edit)
        thread.start()
        thread.join(20)
        return []

    # Registered last of all, it would be built after the entities; first, it edits before they are read.
    registry._definitions = {
        "slow": Definition("slow", frozenset(), slow, lambda rows, at: b""),
        **registry._definitions,
    }
    units().update(summary="요약")
    assert set(build(now=LATER)) == {"slow", "entities"}
    assert labels() == ["비트코인"]
    assert OutboxEntry.objects.filter(scope="entity").exists()
    assert build(now=LATER) == ["entities"]
    assert sorted(labels()) == ["비트코인", "이더리움"]


def test_what_one_group_shows_waits_for_the_other() -> None:
    registry._definitions["site"] = Definition(
        "site",
        frozenset({"entity"}),
        lambda now: sorted(units().values_list("label", flat=True)),
        lambda rows, at: str(rows).encode(),
        group=PublicationGroup.CRAWLERS,
    )
    make_unit()
    assert "site" not in build(now=NOON, groups=[PublicationGroup.INDEXES])
    waiting = OutboxEntry.objects.filter(scope="entity")
    assert {(each.for_indexes, each.for_crawlers) for each in waiting} == {(False, True)}
    assert build(now=LATER, groups=[PublicationGroup.INDEXES]) == []
    units().update(label="새 이름")
    assert build(now=LATER, groups=[PublicationGroup.CRAWLERS]) == ["site"]
    # The edit that the indexes do not show yet.
    assert {(each.for_indexes, each.for_crawlers) for each in waiting.all()} == {(True, False)}
    assert build(now=LATER) == ["entities"]
    assert not OutboxEntry.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_an_edit_does_not_wait_for_the_files_of_crawlers() -> None:
    make_unit()
    build(now=NOON)
    seen = []

    def edit() -> None:
        make_unit("eth", "이더리움")
        seen.append(build(now=LATER, groups=[PublicationGroup.INDEXES]))
        connection.close()

    def slow(now: datetime) -> list[str]:
        thread = threading.Thread(target=edit)
        thread.start()
        thread.join(20)
        return labels()

    registry._definitions["slow"] = Definition(
        "slow",
        frozenset({"entity"}),
        slow,
        lambda rows, at: str(rows).encode(),
        group=PublicationGroup.CRAWLERS,
    )
    assert build(now=LATER) == ["slow"]
    # The index had the edit while the file was being written, whose snapshot is older.
    assert seen == [["entities"]]
    assert bytes(stored("slow").body).decode() == "['비트코인']"
    waiting = OutboxEntry.objects.filter(scope="entity")
    assert {(each.for_indexes, each.for_crawlers) for each in waiting} == {(False, True)}


@pytest.mark.django_db(transaction=True)
def test_the_build_reads_one_snapshot_and_releases_its_lock() -> None:
    levels = []

    def isolation(now: datetime) -> list[str]:
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_isolation")
            levels.append(cursor.fetchone()[0])
        return []

    definition = Definition("probe", frozenset(), isolation, lambda rows, at: b"")
    with builder._alone(PublicationGroup.INDEXES), builder._snapshot():
        builder._publish(definition, None, NOON)
        transaction.set_rollback(True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
        assert cursor.fetchone() == (0,)
    assert levels == ["repeatable read"]
