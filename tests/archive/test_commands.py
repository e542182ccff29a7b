"""The commands and tasks of the city."""

from datetime import date, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command

from archive import nightly, storage, tasks
from archive.days import ONE_DAY, SEOUL
from archive.models import Signal, SisterService, Snapshot
from archive.published import calendars
from archive.rehearsal import signal_body
from archive.sisters import six_services
from archive.verification import verify
from knowledge.publications import build
from tests.archive.made import DAY, MIDNIGHT, SLUGS, answering, body_of, raw_signal, say_all, sealed
from tests.fakes.replay import Replay, replay_server  # noqa: F401  a fixture

pytestmark = pytest.mark.django_db
MORNING = datetime(2026, 11, 21, 9, 0, tzinfo=SEOUL)


def command(name: str, *arguments: str) -> str:
    out = StringIO()
    call_command(name, *arguments, stdout=out)
    return out.getvalue()


@time_machine.travel(MORNING, tick=False)
def test_seal_day_seals_yesterday_and_says_what_it_made() -> None:
    say_all()
    said = command("seal_day")
    row = Snapshot.objects.get()
    assert said == f"2026-11-20 r1 complete late {row.size} bytes sha256 {row.sha256}\n"
    assert command("seal_day", "--date", "2026-11-20") == said


@time_machine.travel(MORNING, tick=False)
@pytest.mark.parametrize("arguments", [["--date", "x"], ["--date", "2026-11-21"], ["--date", "2030-01-01"],
                                       ["--revise", "why"]])  # fmt: skip
def test_seal_day_refuses_what_cannot_be_sealed(arguments: list[str]) -> None:
    with pytest.raises(CommandError) as failure:
        command("seal_day", *arguments)
    assert failure.value.returncode == 2
    # A start in production form goes on.
    assert "nothing rehearsed" in command("rehearse_city", "--days", "14", "--if-empty")
    assert not Snapshot.objects.exists()


@time_machine.travel(MORNING, tick=False)
def test_seal_day_revises_a_sealed_day_with_a_reason() -> None:
    sealed(slugs=SLUGS[:5])
    assert command("seal_day", "--revise", "다시 센다").startswith("2026-11-20 r2 partial")


@time_machine.travel(MORNING, tick=False)
def test_a_disk_that_refuses_ends_the_command_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(*_arguments: Any, **_options: Any) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("archive.storage.tempfile.mkstemp", read_only)
    with pytest.raises(CommandError, match="Read-only file system") as failure:
        command("seal_day")
    assert failure.value.returncode == 1


@time_machine.travel(MORNING, tick=False)
def test_a_rehearsed_fortnight_lives_and_holds(settings: Any) -> None:
    settings.DEBUG = True
    said = command("rehearse_city", "--days", "14", "--if-empty")
    assert said.endswith("14 days rehearsed, 0 had a file\n")
    rows = list(Snapshot.objects.order_by("day"))
    assert [row.day for row in rows] == [DAY - back * ONE_DAY for back in range(13, -1, -1)]
    assert all(row.rehearsal and not row.late for row in rows)
    assert not any(found for found in verify())
    assert (
        command("rehearse_city", "--days", "14", "--if-empty")
        == "the archive has days already; nothing rehearsed\n"
    )
    assert command("rehearse_city", "--days", "15").endswith("1 days rehearsed, 14 had a file\n")
    assert not any(found for found in verify())


def test_the_same_day_is_rehearsed_the_same_everywhere() -> None:
    days = [date(2026, 1, 1) + offset * ONE_DAY for offset in range(60)]
    bodies = [signal_body(slug, day) for slug in SLUGS for day in days]
    assert bodies == [signal_body(slug, day) for slug in SLUGS for day in days]
    assert 0 < bodies.count(None) < 30


@time_machine.travel(MORNING, tick=False)
def test_a_public_archive_is_never_rehearsed(settings: Any) -> None:
    settings.DEBUG = False
    with pytest.raises(CommandError) as failure:
        command("rehearse_city", "--days", "14")
    assert failure.value.returncode == 2
    assert not Snapshot.objects.exists()


@time_machine.travel(MORNING, tick=False)
@pytest.mark.parametrize(
    "arguments", [["--days", "0"], ["--days", "9999"], ["--days", "3", "--until", "2026-11-21"]]
)
def test_rehearse_city_refuses_days_that_are_not_over(settings: Any, arguments: list[str]) -> None:
    settings.DEBUG = True
    with pytest.raises(CommandError) as failure:
        command("rehearse_city", *arguments)
    assert failure.value.returncode == 2


@pytest.fixture
def connected(replay: Replay, settings: Any) -> Replay:
    settings.FETCH_ALLOW_PRIVATE = True
    for slug in six_services():
        replay.handle(f"/{slug}", _signed(slug))
        SisterService.objects.filter(slug=slug).update(
            url=replay.url(f"/{slug}"), secret="a secret shared with the harbour", active=True
        )
    return replay


def _signed(slug: str) -> Any:
    def answer(exchange: Any) -> None:
        day = date.fromisoformat(exchange.asked.query.removeprefix("day="))
        answering(body_of(raw_signal(slug, day)))(exchange)

    return answer


@time_machine.travel(MIDNIGHT + timedelta(seconds=1), tick=False)
def test_at_midnight_the_sisters_are_asked_a_last_time_and_the_day_is_sealed(connected: Replay) -> None:
    tasks.seal_yesterday()
    assert Snapshot.objects.get().status == "complete"
    asked = len(connected.asked)
    tasks.seal_yesterday()
    assert len(connected.asked) == asked == 6


@time_machine.travel(MIDNIGHT - timedelta(minutes=3), tick=False)
def test_through_the_evening_the_sisters_are_asked_about_today(connected: Replay) -> None:
    tasks.pull_signals()
    assert set(Signal.objects.values_list("day", flat=True)) == {DAY}
    assert not Snapshot.objects.exists()


@time_machine.travel(MORNING, tick=False)
def test_a_worker_that_starts_seals_what_was_missed() -> None:
    tasks.catch_up()
    assert [(row.day, row.late, row.status) for row in Snapshot.objects.all()] == [(DAY, True, "no_signal")]


def test_a_night_without_any_service_still_has_its_file() -> None:
    row = nightly.seal_yesterday(now=MIDNIGHT)
    assert (row.status, row.late) == ("no_signal", False)
    assert storage.stored_files() == [(DAY, 1)]


def test_a_sealed_day_is_published_by_itself() -> None:
    build(now=MIDNIGHT)
    sealed()
    assert "archive" in build(now=MIDNIGHT)
    assert list(calendars.get().by_day) == [DAY]
