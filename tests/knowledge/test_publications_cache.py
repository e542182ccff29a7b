"""The bodies in this process's cache."""

import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection

from knowledge.models import Publication, Unit
from knowledge.publications import PublicationGroup, StoredBody, build, builder, cache
from knowledge.publications.cache import NotReady, PublicationCache
from tests.factories.knowledge import NOON, make_unit

pytestmark = pytest.mark.django_db


@pytest.fixture
def bodies() -> PublicationCache:
    return PublicationCache()


def refresh(bodies: PublicationCache) -> list[str]:
    with connection.cursor() as cursor:
        return bodies.refresh(cursor)


def text(body: StoredBody) -> str:
    return body.plain.decode()


def test_the_very_first_request_builds_what_nobody_has_built(bodies: PublicationCache) -> None:
    make_unit()
    assert "비트코인" in text(bodies.get("entities"))
    assert Publication.objects.filter(name="entities").exists()


def test_only_the_first_request_of_a_process_queries(
    bodies: PublicationCache, django_assert_num_queries: Any
) -> None:
    build(now=NOON)
    with django_assert_num_queries(2):
        bodies.get("entities")
    with django_assert_num_queries(0):
        bodies.get("entities")


def test_a_refresh_takes_in_what_differs_and_nothing_else(bodies: PublicationCache) -> None:
    make_unit()
    build(now=NOON)
    assert set(refresh(bodies)) >= {"entities", "topics", "events", "pulses"}
    topics = bodies.get("topics")
    Unit.objects.update(label="새 이름")
    build(now=NOON + timedelta(minutes=1))
    changed = refresh(bodies)
    assert "entities" in changed
    assert "topics" not in changed
    assert "새 이름" in text(bodies.get("entities"))
    assert bodies.get("topics") is topics
    assert refresh(bodies) == []


def test_a_store_restored_from_a_backup_is_believed_although_its_versions_are_older(
    bodies: PublicationCache,
) -> None:
    build(now=NOON)
    Publication.objects.update(version=9)
    refresh(bodies)
    Publication.objects.update(version=3)
    refresh(bodies)
    assert bodies.get("entities").version == 3


def test_what_is_here_is_served_although_the_store_lost_it(bodies: PublicationCache) -> None:
    build(now=NOON)
    refresh(bodies)
    Publication.objects.all().delete()
    assert refresh(bodies) == []
    assert bodies.get("entities").count == 0


def test_an_unknown_name_is_an_error(bodies: PublicationCache) -> None:
    with pytest.raises(KeyError):
        bodies.get("nonsense")


def test_a_store_out_of_reach_is_the_databases_own_error(
    bodies: PublicationCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> Any:
        raise DatabaseError("out of reach")

    monkeypatch.setattr(connection, "cursor", refuse)
    with pytest.raises(DatabaseError, match="out of reach"):
        bodies.get("entities")


def test_a_first_copy_that_took_long_to_build_is_given_all_the_same(
    bodies: PublicationCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(**arguments: Any) -> list[str]:
        time.sleep(0.2)
        return build(**arguments)

    monkeypatch.setattr(cache, "COLD_START_SECONDS", 0.1)
    monkeypatch.setattr(cache, "build", slowly)
    assert text(bodies.get("entities"))


@pytest.fixture
def builder_elsewhere() -> Iterator[None]:
    """Another session holds the builders' lock for as long as the test lasts."""
    locked, done = threading.Event(), threading.Event()

    def hold() -> None:
        with builder._alone(PublicationGroup.INDEXES):
            locked.set()
            done.wait(20)
        connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert locked.wait(20)
    yield
    done.set()
    thread.join(20)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("builder_elsewhere")
def test_a_first_copy_that_takes_too_long_is_not_waited_for(
    bodies: PublicationCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "COLD_START_SECONDS", 0.2)
    with pytest.raises(NotReady) as caught:
        bodies.get("entities")
    assert (caught.value.status_code, caught.value.retry_after) == (503, 3)
