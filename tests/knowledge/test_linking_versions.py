"""Documents linked by names that are no longer the newest are linked again, whatever happens in whichever order."""

import threading
from typing import Any

import pytest
from django.db import connection, transaction

from knowledge.ingestion import documents, relinking
from knowledge.linking import gazetteer
from knowledge.linking.gazetteer import newest_gazetteer
from knowledge.linking.store import link_documents
from knowledge.models import Alias, Document, Mention, Relinking
from knowledge.sources.base import DocumentItem
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db


def work_off() -> None:
    while relinking.proceed(now=NOON):
        pass


def surfaces() -> list[str]:
    return list(Mention.objects.order_by("document", "start").values_list("surface", flat=True))


def elsewhere(task: Any) -> None:
    """Done by another connection and committed, before this goes on."""

    def run() -> None:
        try:
            task()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()


def edit() -> None:
    """Names one unit otherwise, and the requests that follow from it are worked off."""
    alias = Alias.objects.get(surface="미루코인")
    alias.delete()
    Alias.objects.create(unit=alias.unit, surface="마루코인")
    work_off()


@pytest.mark.parametrize("edited", ["before the batch", "after its commit"])
def test_an_edit_reaches_a_batch_that_is_linked_by_older_names(edited: str) -> None:
    make_unit("maru", "다른 이름", aliases=["미루코인"])
    names, source = newest_gazetteer(), make_source()
    if edited == "before the batch":
        edit()
    link_documents([make_document(source, title="미루코인이 아니라 마루코인")], names)
    assert surfaces() == ["미루코인"]
    if edited == "after its commit":
        edit()
    work_off()
    assert surfaces() == ["마루코인"]
    assert not Relinking.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_an_edit_that_is_worked_off_while_a_batch_waits_for_its_commit_reaches_it_afterwards() -> None:
    make_unit("maru", "다른 이름", aliases=["미루코인"])
    work_off()
    names, source = newest_gazetteer(), make_source()
    with transaction.atomic():
        link_documents([make_document(source, title="미루코인이 아니라 마루코인")], names)
        elsewhere(work_off)
        assert Relinking.objects.count() == 1, "a worker that does not see the batch yet leaves its note"
        elsewhere(edit)
        assert surfaces() == ["미루코인"]
    assert Relinking.objects.count() == 1, "all that the edit requested is done with"
    work_off()
    assert surfaces() == ["마루코인"]
    assert not Relinking.objects.exists()


def test_what_was_linked_by_the_newest_names_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    make_unit()
    Relinking.objects.all().delete()
    link_documents([make_document(make_source())])
    assert Relinking.objects.count() == 1
    monkeypatch.setattr(relinking, "link_documents", None)
    assert not relinking.proceed(now=NOON)
    assert not Relinking.objects.exists()


def test_a_slow_worker_does_not_bring_back_what_a_later_edit_took_away() -> None:
    make_unit("maru", "다른 이름", aliases=["마루코인"])
    document, names = make_document(make_source(), title="마루코인 소식"), newest_gazetteer()
    Alias.objects.get(surface="마루코인").delete()
    work_off()
    assert link_documents([document], names), "the slow one writes last"
    work_off()
    assert surfaces() == []


def test_a_slow_worker_does_not_take_away_what_a_later_edit_brought() -> None:
    unit = make_unit("maru", "다른 이름")
    document, names = make_document(make_source(), title="마루코인 소식"), newest_gazetteer()
    Alias.objects.create(unit=unit, surface="마루코인")
    work_off()
    assert link_documents([document], names), "the slow one writes last"
    assert surfaces() == []
    work_off()
    assert surfaces() == ["마루코인"]


def test_a_unit_that_was_deleted_since_the_names_were_read_gets_no_mention() -> None:
    unit = make_unit()
    names, document = newest_gazetteer(), make_document(make_source())
    unit.delete()
    link_documents([document], names)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    assert surfaces() == []


def test_what_another_worker_is_at_is_left_to_it_until_its_lease_is_over() -> None:
    unit = make_unit("maru", "다른 이름")
    document, names = make_document(make_source(), title="마루코인 소식"), newest_gazetteer()
    Alias.objects.create(unit=unit, surface="마루코인")
    Relinking.objects.all().delete()
    link_documents([document], names)
    Relinking.objects.update(claimed_until=NOON + relinking.LEASE)
    assert not relinking.proceed(now=NOON)
    assert surfaces() == []
    assert relinking.proceed(now=NOON + relinking.LEASE * 1.01)
    assert surfaces() == ["마루코인"]


def test_ingestion_waits_for_no_newer_names_and_the_worker_makes_up_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unit = make_unit("maru", "다른 이름")
    newest_gazetteer()
    Alias.objects.create(unit=unit, surface="마루코인")
    Relinking.objects.all().delete()
    read = threading.Event()
    with monkeypatch.context() as patched:
        patched.setattr(gazetteer, "PATIENCE_SECONDS", -1.0)
        patched.setattr(gazetteer, "_read", lambda: read.wait(10))
        item = DocumentItem(external_id="1", url="https://paper.example/1", title="마루코인 소식")
        documents.store(make_source(), [item], now=NOON)
        assert (Document.objects.count(), surfaces()) == (1, [])
        read.set()
        with gazetteer._lock:
            pass
    work_off()
    assert surfaces() == ["마루코인"]


def test_a_thread_that_read_the_names_leaves_its_connection_in_the_pool(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gazetteer, "_current", None)
    left: list[Any] = []
    elsewhere(
        lambda: (gazetteer.read_beside(gazetteer._read, gazetteer._lock), left.append(connection.connection))
    )
    assert gazetteer._current is not None
    assert left == [None]
