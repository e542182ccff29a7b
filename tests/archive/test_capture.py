"""Sealing a day: what the file holds, once and for all."""

import json
import threading
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from archive import capture, nightly, storage
from archive.canonical import canonical_bytes, sha256_hex
from archive.days import ONE_DAY, end_of
from archive.models import Sealing, Snapshot
from ask.model_calls import Completion, ModelUnavailable
from tests.archive.made import (
    DAY,
    GOOD,
    MIDNIGHT,
    SLUGS,
    TEXT,
    ComposeFake,
    say,
    say_all,
    sealed,
    sealed_days,
)

pytestmark = pytest.mark.django_db
SOON = timedelta(seconds=3)


def document(day: date = DAY, revision: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(storage.read(day, revision))
    return found


def test_a_day_file_holds_what_the_contract_lists(settings: Any) -> None:
    settings.CITY_URL = "https://city.example"
    sealed()
    file = document()
    assert set(file) == {
        "schemaVersion", "rulesVersion", "date", "revision", "sealedAt", "status", "late", "rehearsal", "site",
        "license", "attribution", "signals", "inputs", "context", "city", "districts", "notable", "delta",
        "reflection", "integrity",
    }  # fmt: skip
    assert (file["schemaVersion"], file["rulesVersion"], file["date"]) == (1, "city-1", "2026-11-20")
    assert (file["status"], file["late"], file["rehearsal"]) == ("complete", False, False)
    assert file["sealedAt"] == "2026-11-21T00:00:03+09:00"
    assert (file["site"], file["license"]) == ("https://city.example", "CC BY 4.0")
    assert "https://city.example/city/2026-11-20" in file["attribution"]
    assert [entry["service"] for entry in file["signals"]] == list(SLUGS)
    assert set(file["reflection"]) == {"text", "lang", "source", "model", "promptVersion", "costUsd"}
    assert len(file["districts"]) == 6


def test_the_file_is_canonical_and_the_row_says_its_hash(root: Path) -> None:
    row = sealed()
    content = (root / "2026" / "2026-11-20.json").read_bytes()
    assert content == canonical_bytes(json.loads(content))
    assert (row.sha256, row.size) == (sha256_hex(content), len(content))


def test_a_sealed_day_stays_as_it_is() -> None:
    first = sealed()
    content = storage.read(DAY, 1)
    say("market", at=MIDNIGHT + timedelta(hours=1), metrics={"orders": 99_000})
    again = capture.seal(DAY, now=MIDNIGHT + timedelta(hours=2), compose=ComposeFake(GOOD))
    assert again == first
    assert storage.read(DAY, 1) == content


def test_each_file_names_the_hash_of_the_one_before() -> None:
    rows = sealed_days(3)
    for former, row in pairwise(rows):
        assert document(row.day)["integrity"]["prevSha256"] == former.sha256
        assert document(row.day)["integrity"]["prevDate"] == former.day.isoformat()
    assert document(rows[0].day)["integrity"]["prevSha256"] is None


def test_the_chain_reaches_over_a_gap() -> None:
    first = sealed(DAY - 3 * ONE_DAY)
    sealed(DAY)
    assert document()["integrity"]["prevSha256"] == first.sha256


@pytest.mark.parametrize("second", [0, 1])
def test_a_day_can_be_sealed_from_its_midnight_and_not_a_second_before(second: int) -> None:
    moment = datetime.fromisoformat(f"2026-11-20T{'15:00:00' if second else '14:59:59'}+00:00")
    if second:
        assert capture.seal(DAY, now=moment, compose=None).day == DAY
    else:
        with pytest.raises(ValueError, match="not over"):
            capture.seal(DAY, now=moment, compose=None)


def test_the_leap_day_has_a_file(root: Path) -> None:
    sealed(date(2028, 2, 29))
    sealed(date(2028, 3, 1))
    assert (root / "2028" / "2028-02-29.json").exists()
    assert document(date(2028, 3, 1))["integrity"]["prevDate"] == "2028-02-29"


@pytest.mark.parametrize(("minutes", "late"), [(0, False), (30, False), (36, True), (600, True)])
def test_what_is_sealed_after_the_night_s_half_hour_is_late(minutes: int, late: bool) -> None:
    row = capture.seal(DAY, now=MIDNIGHT + timedelta(minutes=minutes), compose=None)
    assert row.late is late
    assert document()["late"] is late


@pytest.mark.parametrize(
    ("heard", "status"), [(6, "complete"), (5, "partial"), (1, "partial"), (0, "no_signal")]
)
def test_the_status_says_how_many_were_heard(heard: int, status: str) -> None:
    assert sealed(slugs=SLUGS[:heard]).status == status


def test_a_missing_service_speaks_with_yesterday_s_voice_for_two_days_and_then_goes_dark() -> None:
    sealed(DAY)
    states = []
    for later in range(1, 4):
        sealed(DAY + later * ONE_DAY, slugs=SLUGS[1:])
        file = document(DAY + later * ONE_DAY)
        states.append((file["signals"][0]["state"], file["districts"][0]["status"], file["status"]))
    assert states == [("stale", "open", "partial")] * 2 + [("missing", "dark", "partial")]


def test_a_stale_signal_keeps_the_day_it_speaks_of() -> None:
    sealed(DAY)
    sealed(DAY + ONE_DAY, slugs=SLUGS[1:])
    assert document(DAY + ONE_DAY)["signals"][0]["raw"]["day"] == DAY.isoformat()


def test_stale_numbers_never_enter_the_norms() -> None:
    sealed(DAY)
    row = sealed(DAY + ONE_DAY, slugs=SLUGS[1:])
    assert "market" not in row.facts["heard"]
    assert "media" in row.facts["heard"]


def test_rehearsed_days_never_enter_the_norms_of_real_ones() -> None:
    sealed_days(8, last=DAY - ONE_DAY, rehearsal=True)
    sealed(DAY)
    file = document()
    assert {norm["days"] for norm in file["inputs"]["norms"].values()} == {0}
    assert file["inputs"]["yesterday"] is None
    assert file["delta"]["since"] is None


def test_the_norms_are_of_the_days_before() -> None:
    sealed_days(9)
    assert {norm["days"] for norm in document()["inputs"]["norms"].values()} == {8}
    assert not any(district["cold"] for district in document()["districts"])


def test_the_model_is_asked_once_and_its_cost_stands_in_the_file() -> None:
    model = ComposeFake(TEXT)
    sealed(compose=model)
    reflection = document()["reflection"]
    assert (reflection["source"], reflection["costUsd"]) == ("model", 0.0015)
    assert len(model.asked) == 1


def test_a_model_that_cannot_be_asked_delays_nothing() -> None:
    def unavailable(purpose: str, **_request: Any) -> Any:
        assert purpose == "reflection"
        raise ModelUnavailable

    row = sealed(compose=nightly.model(MIDNIGHT, unavailable))
    assert row.status == "complete"
    assert document()["reflection"]["source"] == "template"


def test_the_model_s_answer_comes_through_the_door_of_ask() -> None:
    def complete(purpose: str, *, system: str, content: str, max_tokens: int, now: datetime) -> Completion:
        assert (purpose, now) == ("reflection", MIDNIGHT)
        assert max_tokens > 0
        return Completion(TEXT, "haiku", 900)

    sealed(compose=nightly.model(MIDNIGHT, complete))
    assert document()["reflection"]["model"] == "haiku"


def test_a_text_that_was_paid_before_a_crash_is_not_paid_again(monkeypatch: pytest.MonkeyPatch) -> None:
    model = ComposeFake(TEXT, TEXT)
    say_all()
    with monkeypatch.context() as patched:
        patched.setattr(capture, "_write", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            capture.seal(DAY, now=MIDNIGHT + SOON, compose=model)
    row = capture.seal(DAY, now=MIDNIGHT + timedelta(minutes=5), compose=model)
    assert len(model.asked) == 1
    assert document(row.day)["reflection"]["source"] == "model"
    assert not Sealing.objects.exists()


def _interrupt(*_arguments: Any) -> None:
    raise KeyboardInterrupt


def test_a_call_that_never_came_back_is_not_made_again() -> None:
    say_all()

    def killed(system: str, content: str) -> Completion | None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        capture.seal(DAY, now=MIDNIGHT + SOON, compose=killed)
    model = ComposeFake(TEXT)
    capture.seal(DAY, now=MIDNIGHT + timedelta(minutes=5), compose=model)
    assert model.asked == []
    assert document()["reflection"]["source"] == "template"


def test_a_file_without_a_row_is_taken_over_as_it_is() -> None:
    row = sealed()
    content = storage.read(DAY, 1)
    Snapshot.objects.all().delete()
    model = ComposeFake(GOOD)
    again = capture.seal(DAY, now=MIDNIGHT + timedelta(days=2), compose=model)
    assert (again.sha256, again.late, again.sealed_at) == (row.sha256, False, row.sealed_at)
    assert storage.read(DAY, 1) == content
    assert model.asked == []


def test_a_revision_is_a_file_of_its_own_and_the_first_stays() -> None:
    first = sealed(slugs=SLUGS[:5])
    content = storage.read(DAY, 1)
    say("infra", at=MIDNIGHT + timedelta(hours=1))
    row = capture.revise(
        DAY, now=MIDNIGHT + timedelta(hours=2), compose=None, reason="발전소의 신호가 늦게 왔다"
    )
    assert (row.revision, row.status) == (2, "complete")
    assert storage.read(DAY, 1) == content
    assert document(revision=2)["supersedes"] == {
        "revision": 1, "sha256": first.sha256, "reason": "발전소의 신호가 늦게 왔다",
    }  # fmt: skip
    assert "supersedes" not in document()


def test_the_next_day_is_chained_to_the_first_revision_and_measured_by_it() -> None:
    first = sealed(slugs=SLUGS[:5])
    say("infra", at=MIDNIGHT + timedelta(hours=1))
    capture.revise(DAY, now=MIDNIGHT + timedelta(hours=2), compose=None, reason="늦은 신호")
    sealed(DAY + ONE_DAY)
    assert document(DAY + ONE_DAY)["integrity"]["prevSha256"] == first.sha256


def test_what_was_missed_is_sealed_late_and_days_nobody_spoke_of_stay_gaps() -> None:
    sealed(DAY - 4 * ONE_DAY)
    say_all(DAY - 2 * ONE_DAY)
    rows = capture.catch_up(now=MIDNIGHT + timedelta(hours=9), compose=None)
    assert [(row.day, row.status, row.late) for row in rows] == [
        (DAY - 2 * ONE_DAY, "complete", True),
        (DAY, "no_signal", True),
    ]
    assert capture.catch_up(now=MIDNIGHT + timedelta(hours=10), compose=None) == []


def test_a_disk_that_refuses_is_a_loud_failure_and_older_days_stay(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed(DAY - ONE_DAY)
    say_all()

    def full(*_arguments: Any) -> None:
        raise OSError(28, "No space left on device", "https://city:a-password@bucket.example/2026")

    with monkeypatch.context() as patched:
        patched.setattr("archive.storage.os.fsync", full)
        with pytest.raises(capture.SealFailed, match="No space left"):
            capture.seal(DAY, now=MIDNIGHT + SOON, compose=None)
    failure = Sealing.objects.get().failure
    assert ("No space left" in failure, "a-password" in failure) == (True, False)
    assert [path.name for path in sorted((root / "2026").iterdir())] == ["2026-11-19.json"]
    assert document(DAY - ONE_DAY)["date"] == "2026-11-19"
    capture.seal(DAY, now=MIDNIGHT + timedelta(minutes=5), compose=None)
    assert not Sealing.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_workers_make_one_file_with_one_model_call() -> None:
    say_all()
    model = _SlowModel()
    rows: list[Snapshot] = []

    def work() -> None:
        try:
            rows.append(capture.seal(DAY, now=MIDNIGHT + SOON, compose=model))
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _worker in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)
    assert len(rows) == 2
    assert rows[0].pk == rows[1].pk
    assert model.calls == 1
    assert storage.stored_files() == [(DAY, 1)]


class _SlowModel:
    def __init__(self) -> None:
        self.calls = 0
        self._other_arrived = threading.Event()

    def __call__(self, system: str, content: str) -> Completion | None:
        self.calls += 1
        self._other_arrived.wait(0.5)  # long enough for the other worker to reach the lock
        return Completion(TEXT, "slow", 100)


def test_the_world_outside_is_told_of_the_day_in_seoul() -> None:
    from archive.context import context_of
    from tests.factories.knowledge import make_document, make_pulse, make_source, make_unit

    asset, source = make_unit(), make_source()
    for number, moment in enumerate((end_of(DAY) - ONE_DAY, end_of(DAY) - timedelta(seconds=1), end_of(DAY))):
        make_pulse(asset, f"{number}", moment, direction="up", magnitude_pct=9)
        make_document(source, str(number), published_at=moment)
    assert context_of(DAY) == {"pulsesUp": 2, "pulsesDown": 0, "kimchiPremium": None, "documents": 2}
