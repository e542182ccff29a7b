"""What is kept of look-ups: seconds at most, and never past a change of the canon."""

from collections.abc import Iterator

import pytest

from knowledge.models import Status, Unit
from knowledge.publications import publication_cache
from mcpserver.kept import KEPT_MAX, KEPT_SECONDS, Key, found, keep, kept, key_of
from tests.factories.knowledge import make_unit
from tests.mcpserver.conftest import publish
from tests.mcpserver.wire import call, lesson, record

pytestmark = [pytest.mark.urls("tests.mcpserver.urls"), pytest.mark.django_db]


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    kept.clear()
    yield
    kept.clear()


def test_a_second_look_up_needs_no_query(django_assert_num_queries: object) -> None:
    make_unit()
    publish()
    first = record("get_entity", id="asset:btc")
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert record("get_entity", id="asset:btc") == first


def test_a_default_that_is_spelled_out_asks_the_same(django_assert_num_queries: object) -> None:
    make_unit()
    publish()
    first = record("get_entity", id="asset:btc")
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert record("get_entity", response_format="concise", id="asset:btc") == first


def test_arguments_that_do_not_fit_are_never_kept() -> None:
    make_unit()
    publish()
    for _ in range(2):
        assert call("get_entity", id=5)["isError"]
        assert "no such argument" in lesson("get_entity", id="asset:btc", extra=1)


def test_a_retracted_unit_is_not_given_out_once_its_index_changed() -> None:
    make_unit()
    publish()
    record("get_entity", id="asset:btc")
    Unit.objects.update(status=Status.RETRACTED)
    publish()
    assert "withdrawn" in lesson("get_entity", id="asset:btc")


def key(arguments: dict[str, object], tool: str = "get_entity") -> Key:
    made = key_of(tool, arguments)
    assert made
    return made


def test_what_is_kept_is_forgotten_after_seconds() -> None:
    publish()
    keep(key({"id": "x"}), {"a": 1})
    assert found(key({"id": "x"})) == {"a": 1}
    assert found(key({"id": "x"}, tool="get_topic")) is None
    now = kept.timer()
    kept.expire(now + KEPT_SECONDS - 1)
    assert found(key({"id": "x"})) == {"a": 1}
    kept.expire(now + KEPT_SECONDS)
    assert found(key({"id": "x"})) is None


def test_a_process_without_publications_keeps_nothing() -> None:
    publication_cache.clear()
    assert key_of("get_entity", {"id": "x"}) is None
    keep(None, {"a": 1})
    assert found(None) is None


def test_what_was_read_before_a_change_is_not_kept_after_it() -> None:
    publish()
    before = key({"id": "x"})
    make_unit()
    publish()
    keep(before, {"a": 1})
    assert found(key({"id": "x"})) is None


def test_memory_is_bounded() -> None:
    publish()
    for number in range(KEPT_MAX + 5):
        keep(key({"id": number}), {"a": number})
    assert found(key({"id": 0})) is None
    assert found(key({"id": KEPT_MAX + 4})) is not None
