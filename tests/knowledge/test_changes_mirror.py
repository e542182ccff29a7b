"""A mirror that follows ``/api/changes.json`` while eight writers are at work misses nothing."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from knowledge.curation import CurationError, merge, set_status, unmerge
from knowledge.models import (
    Alias,
    EventUnit,
    Persona,
    Series,
    SeriesInput,
    Status,
    Unit,
    UnitChange,
    UnitMerge,
    UnitType,
)
from knowledge.publications import build, publication_cache
from knowledge.queries.changes import newest_seq
from tests.factories.knowledge import NOON, make_event, make_persona, make_unit
from tests.factories.series import make_series

pytestmark = pytest.mark.django_db(transaction=True)

WRITERS = 8
COUNTS = {"documentCount", "videoCount"}
GONE = {"merged", "retracted"}
Act = Callable[[random.Random], Any]
# Numbers that are given and not yet seen: a commit takes a moment longer here than on a quick disk.
SLOW_COMMITS = """
CREATE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_sleep(0.04) WHERE random() < 0.5;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON knowledge_unitchange
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow_commit()
"""


# What editors, loaders and hands in psql do


def any_unit(chance: random.Random, **filters: Any) -> Unit:
    """One that may be public; what ``draft`` writes stays a draft, and what is a writer's own is left alone."""
    return chance.choice(list(Unit.objects.filter(**filters).exclude(slug__regex="^(draft|own)-")))


def rename(chance: random.Random) -> None:
    unit = any_unit(chance)
    unit.label = f"{unit.slug} {chance.random()}"
    unit.save(update_fields=["label"])


def summarise_many(chance: random.Random) -> None:
    slugs = [any_unit(chance).slug for _ in range(3)]
    Unit.objects.filter(slug__in=slugs).update(summary=f"요약 {chance.random()}")


def name_again(chance: random.Random) -> None:
    Alias.objects.create(unit=any_unit(chance), surface=f"별칭 {chance.random()}")


def unname(chance: random.Random) -> None:
    aliases = list(Alias.objects.all())
    if aliases:
        chance.choice(aliases).delete()


def by_hand(chance: random.Random) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE knowledge_unit SET website = %s, document_count = %s WHERE id = %s",
            [f"https://{chance.randrange(99)}.example", chance.randrange(99), any_unit(chance).pk],
        )


def draft(chance: random.Random) -> None:
    slug = f"draft-{chance.randrange(10**9)}"
    Unit.objects.filter(pk=make_unit(slug, slug, status=Status.DRAFT).pk).update(summary="초안")


def bring_to_another_status(chance: random.Random) -> None:
    set_status(any_unit(chance, merged_into=None), chance.choice(list(Status)))


def join(chance: random.Random) -> None:
    loser = any_unit(chance)
    merge(loser, any_unit(chance, prefix=loser.prefix), now=NOON)


def part(chance: random.Random) -> None:
    merges = list(UnitMerge.objects.filter(undone_at=None))
    if merges:
        unmerge(chance.choice(merges), now=NOON)


def speak_of_another(chance: random.Random) -> None:
    event, unit = any_unit(chance, type=UnitType.EVENT), any_unit(chance, type=UnitType.ASSET)
    if not EventUnit.objects.filter(event=event, unit=unit).delete()[0]:
        EventUnit.objects.create(event=event, unit=unit)


def hold_elsewhere(chance: random.Random) -> None:
    Series.objects.update(holder=any_unit(chance, type=UnitType.ASSET), position=chance.randrange(9))


def premium_of_another(chance: random.Random) -> None:
    SeriesInput.objects.update(key=f"premium:{any_unit(chance, type=UnitType.ASSET).slug}")


def other_glyph(chance: random.Random) -> None:
    Persona.objects.update(glyph=chance.choice("◆◇◈○●"))


ACTS: tuple[Act, ...] = (
    *(rename, summarise_many, name_again, unname, by_hand, draft, bring_to_another_status, join, part),
    *(bring_to_another_status, join, part, speak_of_another, hold_elsewhere, other_glyph),
    premium_of_another,
)


class WithdrawnError(Exception):
    """A transaction is rolled back."""


@pytest.fixture
def own_connections(transactional_db: None) -> Iterator[None]:
    """Each thread has a connection for itself: the pool's eight are fewer than the writers and the reader."""
    connection.close()  # while it still goes back to the pool
    options = connection.settings_dict["OPTIONS"]
    pool = options.pop("pool")
    yield
    connection.close()
    options["pool"] = pool


@pytest.fixture
def slow_commits(own_connections: None) -> Iterator[Callable[[], None]]:
    """From when it is called on, some commits take a moment."""

    def slow() -> None:
        with connection.cursor() as cursor:
            cursor.execute(SLOW_COMMITS)

    yield slow
    with connection.cursor() as cursor:
        cursor.execute("DROP FUNCTION IF EXISTS slow_commit CASCADE")


@contextmanager
def refusals_aside() -> Iterator[None]:
    """A transaction that may be refused, or given up for another's lock."""
    with suppress(WithdrawnError, CurationError, DatabaseError, ObjectDoesNotExist), transaction.atomic():
        with connection.cursor() as cursor:
            # Sooner than Postgres looks for a deadlock.
            cursor.execute("SET LOCAL lock_timeout = '400ms'")
        yield


def change_own(seed: int) -> None:
    """A merge, its undoing and a retraction that no other writer stands in the way of, and a draft."""
    loser, survivor = (Unit.objects.get(slug=f"own-{seed}-{name}") for name in "ab")
    with refusals_aside():
        merge(loser, survivor, now=NOON)
    with refusals_aside():
        unmerge(UnitMerge.objects.get(loser=loser), now=NOON)
    with refusals_aside():
        set_status(loser, Status.RETRACTED)
    with refusals_aside():
        draft(random.Random(seed))


def change_any(chance: random.Random) -> None:
    """One to three acts. Some linger, so that they end in another order than they began; some are rolled back."""
    for _ in range(chance.randint(1, 3)):
        chance.choice(ACTS)(chance)
        time.sleep(chance.choice((0, 0, 0, 0.01)))
    if chance.random() < 0.1:
        raise WithdrawnError


def write(seed: int, turn: int, until: float, failures: list[BaseException]) -> None:
    chance = random.Random(f"{seed} {turn}")
    try:
        if turn == 0:
            change_own(seed)
        while time.monotonic() < until:
            with refusals_aside():
                change_any(chance)
    except BaseException as error:
        failures.append(error)
    finally:
        connection.close()


@contextmanager
def writers(seconds: float, turn: int) -> Iterator[list[threading.Thread]]:
    """Eight of them at work; what is no refusal fails the test."""
    failures: list[BaseException] = []
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=write, args=(seed, turn, until, failures)) for seed in range(WRITERS)]
    for thread in threads:
        thread.start()
    try:
        yield threads
    finally:
        for thread in threads:
            thread.join()
    assert failures == []


def meanwhile(act: Callable[[], Any]) -> threading.Thread:
    """Another editor, who commits as soon as the database lets."""

    def work() -> None:
        act()
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def renaming(unit: Unit) -> threading.Thread:
    return meanwhile(lambda: Unit.objects.filter(pk=unit.pk).update(label="새 이름"))


def let_go_on(other: threading.Thread) -> None:
    """Until the other editor waits for this one, or has committed."""
    with connection.cursor() as cursor:
        while other.is_alive():
            cursor.execute("SELECT FROM pg_locks WHERE NOT granted")
            if cursor.rowcount:
                return


def told_since(seq: int) -> list[str]:
    return list(UnitChange.objects.filter(seq__gt=seq).order_by("seq").values_list("unit", flat=True))


def test_who_has_a_number_commits_before_the_next_is_given() -> None:
    first, second = make_unit("a", "가"), make_unit("b", "나")
    before = newest_seq()
    with transaction.atomic():
        Unit.objects.filter(pk=first.pk).update(label="새 이름")
        connection.check_constraints()  # what a commit begins with
        other = renaming(second)
        other.join(0.3)
        assert other.is_alive()
    other.join(20)
    assert told_since(before) == ["asset:a", "asset:b"]


def test_a_long_transaction_holds_nobody_up_and_is_numbered_when_it_ends() -> None:
    first, second = make_unit("a", "가"), make_unit("b", "나")
    before = newest_seq()
    with transaction.atomic():
        Unit.objects.filter(pk=first.pk).update(label="새 이름")
        other = renaming(second)
        other.join(20)
        assert not other.is_alive()
        assert told_since(before) == ["asset:b"]
    assert told_since(before) == ["asset:b", "asset:a"]


def test_a_name_that_is_given_while_its_unit_is_merged_is_told_of_the_survivor() -> None:
    loser, survivor = make_unit("xbt", "가"), make_unit("btc", "나")
    with transaction.atomic():
        Unit.objects.filter(pk=loser.pk).update(merged_into=survivor)
        before = newest_seq()
        other = meanwhile(lambda: Alias.objects.create(unit=loser, surface="별칭"))
        let_go_on(other)
    other.join(20)
    assert told_since(before) == ["asset:xbt", "asset:btc", "asset:btc"]


@pytest.mark.parametrize("links_first", [True, False])
def test_a_link_that_is_made_while_its_unit_appears_is_told_of_the_event(links_first: bool) -> None:
    draft, event = make_unit("btc", "가", status=Status.DRAFT), make_event("halving")
    acts: list[Callable[[], Any]] = [
        lambda: EventUnit.objects.create(event=event, unit=draft),
        lambda: Unit.objects.filter(pk=draft.pk).update(status=Status.PUBLISHED),
    ]
    first, second = acts if links_first else reversed(acts)
    before = newest_seq()
    with transaction.atomic():
        first()
        other = meanwhile(second)
        let_go_on(other)
    other.join(20)
    assert set(told_since(before)) == {"asset:btc", "event:halving"}


class Mirror:
    """What a reader keeps who follows every change; its loop is that of ``/docs``."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.records: dict[str, Any] = {}
        self.seen: list[int] = []

    def follow(self) -> None:
        address = f"/api/changes.json?since={self.seen[-1] if self.seen else 0}&limit=20"
        while address:
            page = self.client.get(address).json()
            for item in page["items"]:
                self.seen.append(item["seq"])
                if item["kind"] in GONE or item["record"] is None:
                    self.records.pop(item["id"], None)
                else:
                    self.records[item["id"]] = item["record"]
            address = page["next"]


def indexes(client: Client) -> dict[str, Any]:
    build(now=timezone.now(), force=True)
    publication_cache.clear()  # nobody listens in a test, so it would show what it read first
    bodies = {
        name: client.get(f"/api/canonical/{name}.json").json() for name in ("entities", "topics", "events")
    }
    return {record["id"]: record for name, body in bodies.items() for record in body[name]}


def without_counts(records: dict[str, Any]) -> dict[str, Any]:
    return {
        key: {name: value for name, value in record.items() if name not in COUNTS}
        for key, record in records.items()
    }


# A later edit makes up for one that was missed, so the long version looks again and again.
@pytest.mark.parametrize(
    ("turns", "seconds"), [(1, 1.5), pytest.param(30, 4.0, marks=pytest.mark.soak, id="120 s")]
)
def test_at_the_end_the_mirror_equals_the_indexes(
    client: Client, slow_commits: Callable[[], None], turns: int, seconds: float
) -> None:
    assets = [make_unit(f"asset-{number}", f"자산 {number}") for number in range(20)]
    for number in range(3):
        make_event(f"event-{number}", number, *assets[:3])
        make_unit(f"topic-{number}", f"주제 {number}", type=UnitType.TOPIC)
    make_persona(make_unit("sage", "현자", type=UnitType.CREATOR))
    make_series("price", holder=assets[0])
    for seed in range(WRITERS):
        make_unit(f"own-{seed}-a", "가")
        make_unit(f"own-{seed}-b", "나")
    slow_commits()
    mirror = Mirror(client)
    for turn in range(turns):
        with writers(seconds, turn) as threads:
            while any(thread.is_alive() for thread in threads):
                mirror.follow()
        mirror.follow()
        told = list(UnitChange.objects.order_by("seq").values_list("seq", "kind"))
        assert mirror.seen == [seq for seq, _kind in told], "a change that was committed late was passed over"
        assert without_counts(mirror.records) == without_counts(indexes(client))
    assert {kind for _seq, kind in told} == {"published", "edited", "merged", "unmerged", "retracted"}
    assert Unit.objects.filter(slug__startswith="draft-").exists()
    assert not UnitChange.objects.filter(unit__startswith="asset:draft-").exists()
