"""Rights holders' documents go, and with them whatever showed or counted them."""

from typing import Any

import pytest

from knowledge.counting import fold
from knowledge.curation import CurationError, withdrawal
from knowledge.events import decisions
from knowledge.ingestion.runs import ingest
from knowledge.linking.store import link_documents
from knowledge.models import (
    ClusterDocument,
    ClusterStatus,
    Document,
    EventCluster,
    Mention,
    Pulse,
    SearchCorpus,
    SearchPassage,
    SearchTerm,
    Source,
    Unit,
)
from knowledge.search import indexing
from knowledge.signals import documents_removed
from knowledge.sources.http.client import HttpClient
from rehearsal.bodies import news
from tests.factories.knowledge import NOON, make_document, make_pulse, make_source, make_unit
from tests.fakes.replay import Replay

pytestmark = pytest.mark.django_db


@pytest.fixture
def bitcoin() -> Unit:
    return make_unit("btc", "비트코인")


def stored(source: Source, external_id: str, title: str = "비트코인 상승") -> Document:
    document = make_document(source, external_id, title=title)
    link_documents([document])
    indexing.index_documents([document.pk])
    return document


def cluster_of(*documents: Document, status: ClusterStatus = ClusterStatus.OPEN) -> EventCluster:
    cluster = EventCluster.objects.create(
        label="후보", status=status, first_document_at=NOON, last_document_at=NOON
    )
    for document in documents:
        ClusterDocument.objects.create(cluster=cluster, document=document)
    return cluster


def corpus() -> tuple[Any, ...]:
    return (
        list(SearchCorpus.objects.values_list()),
        sorted(SearchTerm.objects.filter(df__gt=0).values_list("term", "df")),
    )


def test_a_withdrawn_document_is_neither_counted_nor_found_nor_quoted(bitcoin: Unit) -> None:
    heard: list[list[int]] = []

    def listen(keys: list[int], **kwargs: Any) -> None:
        heard.append(keys)

    kept = stored(make_source("one"), "1")
    gone = stored(make_source("two"), "2")
    documents_removed.connect(listen)
    assert withdrawal.withdraw([gone.pk]) == 1
    documents_removed.disconnect(listen)
    assert heard == [[gone.pk]]
    fold()
    bitcoin.refresh_from_db()
    assert bitcoin.document_count == 1
    assert list(SearchPassage.objects.values_list("document_id", flat=True)) == [kept.pk]
    assert withdrawal.withdraw([gone.pk]) == 0, "twice is once"


def test_a_restored_document_is_back(bitcoin: Unit) -> None:
    document = stored(make_source(), "1")
    before = corpus()
    withdrawal.withdraw([document.pk])
    assert withdrawal.restore([document.pk]) == 1
    fold()
    bitcoin.refresh_from_db()
    assert bitcoin.document_count == 1
    assert corpus() == before


def test_pulses_lose_their_links_to_it_and_keep_the_others(bitcoin: Unit) -> None:
    document = stored(make_source(), "1")
    others = [{"url": "https://api.upbit.com/v1"}, {"url": "https://other.example/1"}]
    mixed = ["text", {"url": document.url}, {"name": "no address"}, 3]
    for key, sources in (
        ("both", [others[0], {"url": document.url}, others[1]]),
        ("mixed", mixed),
        ("none", others),
    ):
        make_pulse(bitcoin, key, sources=sources)
    withdrawal.withdraw([document.pk])
    left = dict(Pulse.objects.values_list("key", "sources"))
    assert left == {
        "both": others,
        "mixed": ["text", {"name": "no address"}, 3],
        "none": others,
    }


def test_events_count_one_less(bitcoin: Unit) -> None:
    one, other = stored(make_source("one"), "1"), stored(make_source("two"), "2")
    event = decisions.publish(cluster_of(one, other), now=NOON)
    withdrawal.withdraw([other.pk])
    fold()
    event.refresh_from_db()
    assert event.document_count == 1


def test_a_source_that_is_on_keeps_its_documents(bitcoin: Unit) -> None:
    source = make_source()
    stored(source, "1")
    with pytest.raises(CurationError):
        withdrawal.delete_documents_of(source)
    assert Document.objects.exists()


def test_deleting_by_source_takes_everything_that_hung_on_its_documents(bitcoin: Unit) -> None:
    other = stored(make_source("other"), "9", title="비트코인 다른 매체")
    before = corpus()
    source = make_source("gone", etag='"v1"', first_success_at=NOON, enabled=False)
    mine = [stored(source, str(number)) for number in range(3)]
    lonely, shared = cluster_of(mine[0]), cluster_of(mine[1], other)
    published = cluster_of(mine[2])
    event = decisions.publish(published, now=NOON)
    assert withdrawal.delete_documents_of(source) == 3
    assert list(Document.objects.all()) == [other]
    assert set(Mention.objects.values_list("document_id", flat=True)) == {other.pk}
    assert corpus() == before
    fold()
    bitcoin.refresh_from_db()
    event.refresh_from_db()
    assert (bitcoin.document_count, event.document_count) == (1, 0)
    assert set(EventCluster.objects.all()) == {shared, published}, f"{lonely} has nothing left to tell"
    source.refresh_from_db()
    assert (source.etag, source.first_success_at) == ("", None)


def test_many_documents_go_in_batches(bitcoin: Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(withdrawal, "BATCH", 2)
    source = make_source(enabled=False)
    for number in range(5):
        stored(source, str(number))
    assert withdrawal.delete_documents_of(source) == 5
    assert not Document.objects.exists()


def test_a_source_that_is_switched_on_again_begins_anew(
    bitcoin: Unit, replay: Replay, http: HttpClient
) -> None:
    source = make_source(url=replay.serve("/rss", news(("1", "비트코인", NOON)), etag='"v1"'))
    ingest(source, now=NOON, http=http)
    Source.objects.update(enabled=False)
    withdrawal.delete_documents_of(source)
    Source.objects.update(enabled=True)
    assert ingest(Source.objects.get(), now=NOON, http=http).created == 1
