"""What the front keeps, and what makes it forget."""

import pytest

from config.front.memory import BYTES_EACH, NOTES_MAX, KeptResponse, Key, Memory

BUDGET = 100 * BYTES_EACH
KEY = Key("https", b"a.example", "/asset/btc", b"", "gzip")


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(clock: Clock) -> Memory:
    return Memory(BUDGET, clock)


def response(body: bytes = b"body", *scopes: str) -> KeptResponse:
    return KeptResponse([(b"etag", b'"a"')], [], body, b'"a"', "asset-page", frozenset(scopes), 2000.0)


def test_what_is_kept_is_found_under_its_key_alone(memory: Memory) -> None:
    kept = response()
    assert memory.keep(KEY, kept, asked_at=999)
    assert memory.get(KEY) is kept
    others = {
        "scheme": "http",
        "host": b"b.example",
        "path": "/asset/eth",
        "query": b"page=2",
        "coding": "br",
    }
    assert [memory.get(KEY._replace(**{name: value})) for name, value in others.items()] == [None] * 5


def test_queries_that_say_nothing_share_one_response(memory: Memory) -> None:
    for number in range(50):
        noise = KEY._replace(query=b"utm=%d" % number)
        assert memory.keep(noise, response(b"x" * BYTES_EACH), asked_at=999, variant=b"")
        assert memory.get(noise) is memory.get(KEY)
    assert len(memory) == 1


def test_a_told_scope_takes_what_was_made_from_it_and_no_more(memory: Memory) -> None:
    other = KEY._replace(path="/about")
    memory.keep(KEY, response(b"", "entity", "documents"), asked_at=999)
    memory.keep(other, response(b"", "entity"), asked_at=999)
    memory.forget({"documents"})
    assert memory.get(KEY) is None
    assert memory.get(other) is not None
    memory.forget({"all"})
    assert memory.get(other) is None
    assert memory.bytes == 0


def test_what_was_asked_for_before_a_change_is_not_kept_after_it(memory: Memory, clock: Clock) -> None:
    clock.now = 1010
    memory.forget({"entity"})
    assert not memory.keep(KEY, response(b"", "entity"), asked_at=1009)
    assert not memory.keep(KEY, response(b"", "entity"), asked_at=1010)
    assert memory.keep(KEY, response(b"", "topic"), asked_at=1009)
    assert memory.keep(KEY, response(b"", "entity"), asked_at=1010.1)
    memory.forget({"all"})
    assert not memory.keep(KEY, response(b"", "topic"), asked_at=1009)


def test_more_news_than_are_remembered_count_as_a_change(memory: Memory, clock: Clock) -> None:
    for number in range(NOTES_MAX):
        clock.now += 1
        memory.forget({f"answer:{number}"})
    assert memory.has_changed(1000, {"entity"})
    assert not memory.has_changed(clock.now, {"entity"})


def test_the_least_used_go_first_and_what_is_too_heavy_is_not_kept(memory: Memory) -> None:
    heavy = b"x" * (9 * BYTES_EACH)
    keys = [KEY._replace(path=f"/{number}") for number in range(11)]
    for key in keys[:10]:
        assert memory.keep(key, response(heavy, "entity"), asked_at=999)
    assert memory.get(keys[0]) is not None  # used just now
    memory.keep(keys[10], response(heavy, "entity"), asked_at=999)
    assert memory.get(keys[1]) is None
    assert memory.get(keys[0]) is not None
    assert memory.bytes <= BUDGET
    assert not memory.keep(KEY, response(b"x" * (BUDGET // 4)), asked_at=999)
    memory.forget({"entity"})
    assert len(memory) == 0


def test_a_newer_response_takes_the_place_of_the_older(memory: Memory) -> None:
    memory.keep(KEY, response(b"old", "entity"), asked_at=999)
    memory.keep(KEY, response(b"new", "topic"), asked_at=999)
    memory.forget({"entity"})
    kept = memory.get(KEY)
    assert kept is not None
    assert kept.body == b"new"
