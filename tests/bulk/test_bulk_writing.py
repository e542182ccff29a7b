"""What the files of a night hold, and that no list names a file that is not whole, whatever kills the writer."""

import contextlib
import gzip
import hashlib
import io
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from jsonschema import Draft202012Validator

from archive import storage
from archive.days import ONE_DAY
from archive.lock import held
from archive.storage import DayFileStorage
from ask.models import Answer
from bulk import shelf, tasks, writing
from bulk.catalogue import catalogue
from bulk.files import NAMES
from bulk.nights import KEPT_DAYS, due_day
from knowledge.models import Mention, Pulse, SeriesPattern, Status
from knowledge.queries import records
from tests.bulk.conftest import DAY
from tests.factories.knowledge import NOON, make_document, make_source, make_unit
from tests.factories.series import make_series, observe
from tests.factories.world import World

pytestmark = pytest.mark.django_db
Written = Callable[..., dict[str, Any]]


class KilledError(Exception):
    """In the place of a signal that ends the process."""


def lines_of(name: str) -> list[dict[str, Any]]:
    item = catalogue.nights().item(DAY, name)
    assert item
    content = b"".join(shelf.pieces(DAY, name, 0, item["bytes"], 1000))
    assert hashlib.sha256(content).hexdigest() == item["sha256"]
    lines = [orjson.loads(line) for line in gzip.decompress(content).splitlines()]
    assert len(lines) == item["count"]
    return lines


def assert_list_is_whole(days: list[date]) -> None:
    """These days are listed, with every file, and each is there byte for byte."""
    catalogue.forget()
    nights = catalogue.nights().lists
    assert list(nights) == days
    for day, night in nights.items():
        assert [item["name"] for item in night["items"]] == list(NAMES)
        for item in night["items"]:
            content = b"".join(shelf.pieces(day, item["name"], 0, item["bytes"] + 1, 1000))
            assert hashlib.sha256(content).hexdigest() == item["sha256"]


# What they hold
def test_the_records_are_those_of_the_indexes_and_each_line_meets_its_schema(
    client: Client, world: World, written: Written
) -> None:
    observe("us-10y", NOON - timedelta(days=3), 4.1)
    observe("us-10y", NOON - timedelta(days=1), 4.25, period="2026-11-19")
    make_series("us-10y", holder=world.topic)
    make_series("dry", holder=world.topic)
    items = written()
    for name, index in (
        ("entities", records.entities),
        ("topics", records.topics),
        ("events", records.events),
    ):
        assert lines_of(name) == list(index(NOON)), name
    newest_first = Pulse.objects.published().order_by("-detected_at", "key")
    assert [line["id"] for line in lines_of("pulses")] == [pulse.public_id for pulse in newest_first]
    answer = Answer.objects.get()
    (line,) = lines_of("answers")
    assert answer.current
    assert (line["questionHash"], line["answer"]) == (answer.pk, answer.current.body)
    for name, item in items.items():
        schema = client.get(item["schema"]).json()
        Draft202012Validator.check_schema(schema)
        assert schema["$id"].endswith(item["schema"])
        validator, found = Draft202012Validator(schema), lines_of(name)
        assert found, name
        assert not any(list(validator.iter_errors(line)) for line in found), name
        assert not validator.is_valid({}), name


def test_documents_name_outlet_and_units_and_never_their_text(written: Written) -> None:
    coin = make_unit()
    merged = make_unit("old-name", "옛이름코인", merged_into=coin)
    hidden = make_unit("draft", "초안코인", status=Status.DRAFT)
    outlet = make_source("morning", name="아침경제")
    document = make_document(outlet, "m", summary="남의 글", published_at=None)
    for unit in (merged, hidden):
        Mention.objects.create(document=document, unit=unit, start=0, end=2, surface="비트")
    make_document(outlet, "gone", withdrawn=True)
    make_document(make_source("silent", name="조용일보", in_bulk=False))
    written()
    assert lines_of("documents") == [
        {
            "id": f"document:{document.pk}",
            "kind": "news",
            "lang": "ko",
            "title": document.title,
            "url": document.url,
            "publishedAt": None,
            "source": "아침경제",
            "units": [coin.public_id],
        }
    ]
    (gap,) = catalogue.nights().gaps(NOON)
    assert (gap["name"], gap["date"]) == ("documents", "2026-11-20")
    assert "조용일보" in gap["reason"]


def test_prices_are_shown_and_not_passed_on(written: Written) -> None:
    coin = make_unit()
    SeriesPattern.objects.create(slug="price-<asset>", record={})
    make_series("price-btc", holder=coin, unit="KRW", redistributable=False)
    make_series("own-rate", holder=coin, redistributable=False)
    make_series("us-10y")
    for key in ("price-btc", "us-10y"):
        observe(key, NOON - ONE_DAY, 4.123)
        observe(key, NOON - ONE_DAY, 4.456, revision=2, newest=False)
    written()
    shown = {line["id"]: line["latest"]["value"] for line in lines_of("series") if line["latest"]}
    assert shown == {
        "series:price-btc": 4.12,
        "series:us-10y": 4.12,
    }
    assert lines_of("series-points") == [
        {
            "series": "series:us-10y",
            "at": "2026-11-19T12:00:00+09:00",
            "period": None,
            "value": 4.12,
            "revision": 1,
        }
    ]
    (gap,) = catalogue.nights().gaps(NOON)
    assert gap["name"] == "series-points"
    assert "own-rate (1), price-<asset> (1)" in gap["reason"]


# Written once
def test_a_day_that_has_files_is_never_written_again(written: Written) -> None:
    before = written()
    make_unit("later", "나중코인")
    with pytest.raises(writing.NotWritten, match="2026-11-20 has its files already"):
        written()
    writing.write_due(now=NOON)
    catalogue.forget()
    assert catalogue.nights().item(DAY, "entities") == before["entities"]


@pytest.mark.parametrize("offset", [1, -KEPT_DAYS])
def test_a_day_that_is_not_due_or_would_not_be_kept_is_refused(offset: int) -> None:
    with pytest.raises(writing.NotWritten, match="can be dated from 2026-10-17 to 2026-11-20"):
        writing.write(DAY + offset * ONE_DAY, now=NOON, tell=print)


def test_before_four_in_the_morning_the_files_are_of_the_day_before() -> None:
    four = NOON.replace(hour=19) - ONE_DAY  # 04:00 in Seoul
    assert due_day(four) == DAY
    assert due_day(four - timedelta.resolution) == DAY - ONE_DAY


def test_two_writers_at_once_are_one() -> None:
    with held(writing.BULK_LOCK, "another", 0) as ours:
        assert ours
        with pytest.raises(writing.NotWritten, match="Another process"):
            writing.write(DAY, now=NOON, tell=print)
        writing.write_due(now=NOON)
    assert shelf.listed_days() == []


def test_the_task_writes_what_is_due_and_runs_twice() -> None:
    tasks.write_bulk()
    (day,) = shelf.listed_days()
    tasks.write_bulk()
    assert shelf.listed_days() == [day]


def test_by_hand_it_says_how_far_it_is_and_refuses_in_a_sentence() -> None:
    told = io.StringIO()
    call_command("write_bulk", stdout=told)
    for name in NAMES:
        assert f"{name}: " in told.getvalue()
    with pytest.raises(CommandError, match="has its files already"):
        call_command("write_bulk", stdout=told)
    with pytest.raises(CommandError, match="such as"):
        call_command("write_bulk", "--date", "yesterday", stdout=told)
    with pytest.raises(CommandError, match="can be dated from"):
        call_command("write_bulk", "--date", "2001-01-01", stdout=told)


# Killed anywhere
def killed_at(name: str, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The storage saves, or deletes, ``step`` files and the process dies with the next."""
    taken = iter(range(step))
    whole: Callable[..., Any] = getattr(DayFileStorage, name)

    def call(*arguments: Any, **named: Any) -> Any:
        if next(taken, None) is None:
            raise KilledError
        return whole(*arguments, **named)

    monkeypatch.setattr(DayFileStorage, name, call)


def test_killed_while_it_writes_the_list_names_whole_files_only(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(NOON - ONE_DAY)
    for step in range(len(NAMES) + 1):  # the list is the last
        with monkeypatch.context() as patched:
            killed_at("save", step, patched)
            with pytest.raises(KilledError):
                writing.write(DAY, now=NOON, tell=lambda line: None)
        assert_list_is_whole([DAY - ONE_DAY])
    written(NOON)
    assert_list_is_whole([DAY, DAY - ONE_DAY])


def test_killed_while_it_removes_the_list_names_whole_files_only(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(NOON - KEPT_DAYS * ONE_DAY)
    written()
    for _step in range(len(NAMES) + 2):  # the list, its files, their folder: one more goes with each run
        with monkeypatch.context() as patched:
            killed_at("delete", 1, patched)
            with contextlib.suppress(KilledError):
                writing.prune(now=NOON)
        assert_list_is_whole([DAY])
    assert shelf.stored_days() == [DAY]


def test_a_failed_transfer_leaves_nothing_that_is_listed(
    own_archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CommandError, match="is listed"):
        call_command("write_bulk", stdout=io.StringIO())
    assert shelf.listed_days() == []
    assert [path for path in own_archive.rglob("*") if path.is_file()] == []


# Kept for 35 days
def test_files_are_kept_for_35_days(written: Written) -> None:
    for back in (KEPT_DAYS, KEPT_DAYS - 1, 0):
        written(NOON - back * ONE_DAY)
    writing.write_due(now=NOON)
    assert shelf.listed_days() == [DAY, DAY - (KEPT_DAYS - 1) * ONE_DAY]
    assert shelf.stored_days() == [DAY - (KEPT_DAYS - 1) * ONE_DAY, DAY]


def test_a_full_storage_is_given_the_room_of_what_is_too_old(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(NOON - KEPT_DAYS * ONE_DAY)

    def full(*_file: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shelf, "keep_file", full)
    with pytest.raises(OSError, match="No space left"):
        writing.write_due(now=NOON)
    assert (shelf.listed_days(), shelf.stored_days()) == ([], [])


def test_nothing_is_removed_while_another_process_writes(written: Written) -> None:
    written(NOON - KEPT_DAYS * ONE_DAY)
    with held(writing.BULK_LOCK, "another", 0):
        writing.prune(now=NOON)
        assert shelf.listed_days() == [DAY - KEPT_DAYS * ONE_DAY]
    writing.prune(now=NOON)
    assert shelf.listed_days() == []


def test_the_city_s_days_and_the_bulk_files_leave_each_other_alone(
    own_archive: Path, written: Written
) -> None:
    storage.write(DAY, 1, b"a day")
    being_sealed = own_archive / "2026" / ".2026-11-21.json.abc.part"
    being_sealed.write_bytes(b"half")
    written()
    assert being_sealed.exists()
    being_written = own_archive / "bulk" / DAY.isoformat() / ".documents.jsonl.gz.abc.part"
    being_written.write_bytes(b"half")
    storage.write(DAY + ONE_DAY, 1, b"another")
    assert being_written.exists()
    assert storage.stored_files() == [(DAY, 1), (DAY + ONE_DAY, 1)]


def test_equal_records_give_equal_bytes(written: Written) -> None:
    make_unit()
    former, newer = written(NOON - ONE_DAY), written()
    assert former["entities"]["sha256"] == newer["entities"]["sha256"]
