"""An editor's change reaches the documents once it is committed, and a broker that is away undoes no edit."""

from typing import Any

import pytest

from knowledge import curation, tasks
from knowledge.counting import fold
from knowledge.linking.store import link_documents
from knowledge.models import Alias, Document, Entity, Mention, Relinking, Status, Unit
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("free_worker")]


@pytest.fixture
def document() -> Document:
    return make_document(make_source(), title="비트코인과 마루코인 소식")


def counted(unit: Unit) -> int:
    fold()
    unit.refresh_from_db()
    return unit.document_count


def test_aliases_that_come_change_and_go_are_followed(
    document: Document, django_capture_on_commit_callbacks: Any
) -> None:
    unit = make_unit("maru", "다른 이름")
    with django_capture_on_commit_callbacks(execute=True):
        alias = Alias.objects.create(unit=unit, surface="마루코인")
    assert counted(unit) == 1
    with django_capture_on_commit_callbacks(execute=True):
        alias.surface = "미루코인"
        alias.save()
    assert counted(unit) == 0
    with django_capture_on_commit_callbacks(execute=True):
        alias.surface = "마루코인"
        alias.save()
    with django_capture_on_commit_callbacks(execute=True):
        alias.delete()
    assert counted(unit) == 0


def test_a_published_unit_is_linked_and_a_retracted_one_no_longer(
    document: Document, django_capture_on_commit_callbacks: Any
) -> None:
    unit = make_unit("btc", "비트코인", status=Status.DRAFT)
    with django_capture_on_commit_callbacks(execute=True):
        curation.set_status(unit, Status.PUBLISHED)
    assert counted(unit) == 1
    with django_capture_on_commit_callbacks(execute=True):
        curation.set_status(unit, Status.RETRACTED)
    assert not Mention.objects.exists()


def test_an_edit_stands_when_the_broker_is_away(
    document: Document, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*args: Any) -> None:
        raise ConnectionError("no broker")

    unit = make_unit("maru", "다른 이름")
    with monkeypatch.context() as patched:
        patched.setattr(tasks.relink, "delay", away)
        with django_capture_on_commit_callbacks(execute=True):
            Alias.objects.create(unit=unit, surface="마루코인")
    assert Alias.objects.filter(surface="마루코인").exists()
    tasks.relink()
    assert counted(unit) == 1, "beat sends the task each minute"


def test_linking_everything_again_changes_nothing_that_is_in_order(document: Document) -> None:
    make_unit("btc", "비트코인")
    link_documents([document])
    before = list(Mention.objects.values())
    tasks.relink_everything()
    assert list(Mention.objects.values()) == before


@pytest.mark.parametrize("as_saved", [Unit, Entity])
def test_a_rename_is_followed_whichever_class_it_is_saved_through(
    document: Document, as_saved: type[Unit], django_capture_on_commit_callbacks: Any
) -> None:
    unit = as_saved.objects.get(pk=make_unit("maru", "다른 이름").pk)
    with django_capture_on_commit_callbacks(execute=True):
        unit.label = "마루코인"
        unit.save()
    assert counted(unit) == 1
    with django_capture_on_commit_callbacks() as sent:
        unit.label = "마루 코인"
        unit.summary = "요약"
        unit.save()
    assert not sent, "texts read both alike"


def test_a_merge_and_its_undoing_each_read_the_documents_once(
    document: Document, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bitcoin, maru = make_unit("btc", "비트코인"), make_unit("maru", "마루코인")
    monkeypatch.setattr(tasks.relink, "delay", lambda: None)
    with django_capture_on_commit_callbacks(execute=True):
        record = curation.merge(maru, bitcoin, now=NOON)
    with django_capture_on_commit_callbacks(execute=True):
        curation.unmerge(record, now=NOON)
    assert list(Relinking.objects.values_list("norms", flat=True)) == [["마루코인", "비트코인"]] * 2
