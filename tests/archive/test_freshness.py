"""The archive's row on the status page and in health."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError

from archive import capture, freshness, inspection, storage
from archive.days import ONE_DAY
from archive.models import FailureKind, Sealing
from knowledge.ingestion.health.freshness import Freshness
from tests.archive.made import DAY, MIDNIGHT, sealed, sealed_days

pytestmark = pytest.mark.django_db
LONG_AGO = MIDNIGHT - timedelta(days=400)
MORNING = MIDNIGHT + timedelta(hours=9)


def row() -> Freshness:
    return freshness.city(MORNING, LONG_AGO)


@pytest.mark.parametrize(
    ("after", "status"),
    [(timedelta(minutes=29), "ok"), (timedelta(minutes=30), "warn"), (timedelta(hours=6), "fail")],
)
def test_health_counts_from_midnight(after: timedelta, status: str) -> None:
    found = freshness.city(MIDNIGHT + after, LONG_AGO)
    assert (found.name, found.status, found.age) == ("archive", status, after)


def test_health_is_well_once_the_file_is_there() -> None:
    sealed()
    found = row()
    assert (found.status, found.age, found.note) == ("ok", timedelta(), "")
    assert found.last_success == MIDNIGHT + timedelta(seconds=3)


def failing(monkeypatch: pytest.MonkeyPatch, where: str, error: Exception) -> None:
    """A seal of the day that meets ``error``."""

    def fail(*_arguments: Any, **_options: Any) -> Any:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(where, fail)
        with pytest.raises(capture.SealFailed):
            capture.seal(DAY, now=MIDNIGHT, compose=None)


@pytest.mark.parametrize(
    ("where", "error", "kind", "remedy"),
    [
        (
            "archive.storage.os.fsync",
            OSError(28, "No space left", "/srv/secret/x.part"),
            "storage",
            "seal_day",
        ),
        ("archive.capture.context_of", OperationalError("host 10.1.2.3 port 5432"), "database", "hour"),
        ("archive.capture.derive", KeyError("/srv/secret/key"), "defect", "log"),
    ],
)
def test_a_failed_seal_fails_at_once_and_says_its_kind_and_what_to_do_but_no_path_host_or_error_text(
    monkeypatch: pytest.MonkeyPatch, where: str, error: Exception, kind: str, remedy: str
) -> None:
    failing(monkeypatch, where, error)
    found = freshness.city(MIDNIGHT + timedelta(minutes=1), LONG_AGO)
    assert found.status == "fail"
    assert remedy in found.note
    assert not any(part in found.note for part in ("/srv", "10.1.2.3", "5432", "Errno", "No space"))
    sealing = Sealing.objects.get()
    assert sealing.failure_kind == kind
    assert sealing.failure == f"{type(error).__name__}: {error}"


def test_a_failure_that_a_former_version_wrote_down_is_told_without_its_text() -> None:
    Sealing.objects.create(day=DAY, began_at=MIDNIGHT, failed_at=MIDNIGHT, failure="[Errno 28] '/srv/x.part'")
    found = row()
    assert found.status == "fail"
    assert "/srv" not in found.note


def test_a_new_installation_owes_no_yesterday_but_a_seal_that_failed_there_is_told() -> None:
    installed = MIDNIGHT + timedelta(hours=8)
    assert freshness.city(MORNING, installed).status == "ok"
    Sealing.objects.create(
        day=DAY, began_at=MORNING, failed_at=MORNING, failure="full", failure_kind=FailureKind.STORAGE
    )
    found = freshness.city(MORNING, installed)
    assert (found.status, found.age) == ("fail", timedelta(hours=1))


def test_a_missing_folder_of_files_is_a_failure_that_names_no_path(root: Path) -> None:
    sealed()
    root.rename(root.with_name(f"{root.name}-elsewhere"))
    found = row()
    assert found.status == "fail"
    assert "ARCHIVE_ROOT" in found.note
    assert str(root) not in found.note


def test_damaged_and_missing_files_are_named_until_they_are_back(root: Path) -> None:
    sealed_days(3)
    first, second = (root / "2026" / f"2026-11-{day}.json" for day in (18, 19))
    assert row().status == "ok"
    whole = first.read_bytes()
    first.chmod(0o644)
    first.write_bytes(whole.replace(b"2", b"3", 1))
    os.utime(first, (1, 1))  # another time of change, however coarse the clock of the file system is
    second.unlink()
    found = row()
    assert found.status == "fail"
    assert "2026-11-18" in found.note
    assert "2026-11-19" in found.note
    assert "verify_archive" in found.note
    first.write_bytes(whole)
    storage.write(DAY - ONE_DAY, 1, b"x")
    assert "2026-11-18" not in row().note


def test_a_file_that_did_not_change_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sealed_days(2)
    assert row().status == "ok"
    monkeypatch.setattr(inspection, "_hash_of", None)  # to read again would fail
    assert row().status == "ok"
