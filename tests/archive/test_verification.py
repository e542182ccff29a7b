"""Whatever is changed in the archive, ``verify_archive`` finds it."""

import json
from datetime import date, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archive import capture, storage
from archive.canonical import canonical_bytes, sha256_hex
from archive.days import ONE_DAY
from archive.models import Signal, Snapshot
from archive.verification import verify
from tests.archive.made import DAY, MIDNIGHT, SLUGS, say, sealed, sealed_days

pytestmark = pytest.mark.django_db


def findings() -> list[str]:
    return [str(finding) for found in verify() for finding in found]


def path_of(root: Path, name: str = "2026-11-20") -> Path:
    return root / "2026" / f"{name}.json"


def rewrite(path: Path, change: Any) -> None:
    """Change a file and its row alike, as somebody with both keys would."""
    document = json.loads(path.read_bytes())
    change(document)
    content = canonical_bytes(document)
    path.write_bytes(content)
    Snapshot.objects.filter(day=document["date"], revision=1).update(
        sha256=sha256_hex(content), size=len(content)
    )


def test_an_archive_that_nobody_touched_holds() -> None:
    sealed_days(3)
    sealed(DAY + ONE_DAY, slugs=SLUGS[2:])
    say("market", DAY + ONE_DAY, at=MIDNIGHT + timedelta(days=1, hours=1))
    capture.revise(DAY + ONE_DAY, now=MIDNIGHT + timedelta(days=1, hours=2), compose=None, reason="늦은 신호")
    out = StringIO()
    call_command("verify_archive", stdout=out)
    assert out.getvalue() == "5 files hold: hashes, chain, states\n"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_byte_changed_anywhere_is_found(data: st.DataObject, root: Path) -> None:
    if not path_of(root).exists():
        sealed()
    original = path_of(root).read_bytes()
    at = data.draw(st.integers(0, len(original) - 1))
    changed = data.draw(st.integers(1, 255))
    path_of(root).write_bytes(original[:at] + bytes([original[at] ^ changed]) + original[at + 1 :])
    try:
        assert any("sha256 differs" in finding for finding in findings())
    finally:
        path_of(root).write_bytes(original)


def test_a_file_cut_short_or_made_longer_is_found(root: Path) -> None:
    sealed()
    original = path_of(root).read_bytes()
    for content in (original[:-1], original + b"\n", b""):
        path_of(root).write_bytes(content)
        assert findings()


def test_a_missing_file_and_a_stray_one_are_found(root: Path) -> None:
    sealed_days(2)
    path_of(root).rename(path_of(root, "2026-11-25"))
    assert findings() == [
        "2026-11-20 r1: the file is missing",
        "2026-11-25 r1: a file without a row (seal the day again to take it over)",
    ]


def test_a_state_changed_together_with_its_hashes_is_found_by_the_rules(root: Path) -> None:
    sealed()

    def brighten(document: dict[str, Any]) -> None:
        from archive.canonical import sha256_of
        from archive.day_file import state_of

        document["city"]["mood"]["score"] = 99
        document["integrity"]["stateSha256"] = sha256_of(state_of(document))

    rewrite(path_of(root), brighten)
    assert any("the rules give another state" in finding for finding in findings())


def test_a_signal_changed_with_all_hashes_is_found_by_what_was_received(root: Path) -> None:
    sealed()
    rewrite(path_of(root), lambda document: document["signals"][0]["raw"].update(extra=1))
    assert any("market differs from the one received" in finding for finding in findings())
    Signal.objects.filter(service__slug="media").delete()
    assert any("media is not among those received" in finding for finding in findings())


def test_a_day_rewritten_with_its_row_breaks_the_chain_of_the_next(root: Path) -> None:
    sealed_days(2)
    rewrite(path_of(root, "2026-11-19"), lambda document: document["reflection"].update(text="다른 글이다."))
    assert any("2026-11-20 r1: prevSha256 is not the hash of 2026-11-19" in finding for finding in findings())


def test_a_row_that_says_something_else_is_found() -> None:
    sealed()
    Snapshot.objects.update(status="partial", late=True)
    assert findings() == [
        "2026-11-20 r1: status differs from the row",
        "2026-11-20 r1: late differs from the row",
    ]


def test_a_forged_predecessor_of_a_revision_is_found(root: Path) -> None:
    sealed(slugs=SLUGS[:5])
    capture.revise(DAY, now=MIDNIGHT + timedelta(hours=2), compose=None, reason="다시")
    rewrite(path_of(root), lambda document: document["reflection"].update(text="다른 글이다."))
    assert any("r2: supersedes is not the hash" in finding for finding in findings())


@pytest.mark.parametrize("content", [b"[]", b"{}", b"null", b"\xff", b'{"integrity": 1}'])
def test_what_is_no_day_file_is_a_finding_and_no_crash(root: Path, content: bytes) -> None:
    sealed()
    path_of(root).write_bytes(content)
    assert any("not a day file" in finding for finding in findings())


def test_the_command_lists_what_does_not_hold_and_fails(root: Path) -> None:
    sealed_days(2)
    path_of(root).write_bytes(b"{}")
    out = StringIO()
    with pytest.raises(CommandError, match="1 of 2 files do not hold") as failure:
        call_command("verify_archive", stdout=out)
    assert failure.value.returncode == 1
    assert "2026-11-20 r1: sha256 differs" in out.getvalue()
    call_command("verify_archive", date="2026-11-19", stdout=out)


@pytest.mark.parametrize(("asked", "status"), [("yesterday", 2), ("2026-11-01", 1)])
def test_the_command_refuses_what_is_no_day(asked: str, status: int) -> None:
    with pytest.raises(CommandError) as failure:
        call_command("verify_archive", date=asked)
    assert failure.value.returncode == status


def test_a_file_that_cannot_be_read_is_a_finding_and_the_others_are_proved(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed_days(2)
    read = storage.read

    def broken(day: date, revision: int) -> bytes:
        if day == DAY:
            raise OSError(5, "Input/output error")
        return read(day, revision)

    monkeypatch.setattr(storage, "read", broken)
    assert findings() == ["2026-11-20 r1: the file cannot be read: [Errno 5] Input/output error"]


@pytest.mark.parametrize(
    ("place", "error", "said"),
    [
        ("archive.storage.stored_files", OSError("the bucket cannot be reached"), "bucket cannot be reached"),
        (
            "archive.verification.Snapshot.objects.all",
            OperationalError("the server is away"),
            "server is away",
        ),
    ],
)
def test_an_outage_ends_the_command_with_a_sentence_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, place: str, error: Exception, said: str
) -> None:
    def away() -> Any:
        raise error

    sealed()
    monkeypatch.setattr(place, away)
    with pytest.raises(CommandError, match=f"nothing is proved.*{said}") as failure:
        call_command("verify_archive")
    assert failure.value.returncode == 1


def test_a_missing_folder_is_named_first(root: Path) -> None:
    sealed_days(2)
    root.rename(root.with_name(f"{root.name}-elsewhere"))
    with pytest.raises(CommandError, match="ARCHIVE_ROOT"):
        call_command("verify_archive")
