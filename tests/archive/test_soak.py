"""Kills (R6) and large files (R16)."""

import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection

from archive import storage
from archive.bodies import DaysBody
from archive.canonical import canonical_bytes, sha256_hex
from archive.days import ONE_DAY, end_of
from archive.models import Sealing, Signal, Snapshot
from archive.published import calendars
from archive.verification import verify
from tests.archive.made import DAY, say_all

KILLS = 20
CLIENTS = 20
MEGABYTE = 1024 * 1024


class Sealer:
    """The sealing process of ``seal_and_tell`` against this test's database."""

    def __init__(self, root: Path, calls: Path) -> None:
        self._arguments = [str(root), DAY.isoformat(), str(calls)]
        # The same server and user as this process, and the test's own database.
        address, mark, options = os.environ["DATABASE_URL"].partition("?")
        address = f"{address.rpartition('/')[0]}/{connection.settings_dict['NAME']}{mark}{options}"
        self._environment = {**os.environ, "DATABASE_URL": address}

    def run(self, kill_after: float | None = None) -> float:
        """Seal; the seconds from ready to done. With ``kill_after`` it is killed that long after ready."""
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.archive.seal_and_tell", *self._arguments],
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        with process, process.stdout as said:
            assert said.readline() == "ready\n"
            began = time.perf_counter()
            if kill_after is not None:
                time.sleep(kill_after)
                process.kill()
            else:
                assert said.readline() == "done\n"
        return time.perf_counter() - began


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_a_seal_killed_at_twenty_points_leaves_the_whole_file_or_none_and_the_rerun_ends_it(
    root: Path, tmp_path: Path
) -> None:
    calls = tmp_path / "calls"
    sealer = Sealer(root, calls)
    say_all()
    seconds = sealer.run()
    outcomes = set()
    for point in range(KILLS):
        start_over(root, calls)
        sealer.run(kill_after=seconds * point / KILLS)
        outcomes.add(what_is_there())
        sealer.run()
        assert storage.stored_files() == [(DAY, 1)]
        assert Snapshot.objects.get().sha256 == sha256_hex(storage.read(DAY, 1))
        assert not any(found for found in verify())
        assert not Sealing.objects.exists()
        assert calls.exists() is False or calls.read_text().count("asked") <= 1
        assert [path.name for path in (root / "2026").iterdir()] == ["2026-11-20.json"]
    assert "absent" in outcomes


def start_over(root: Path, calls: Path) -> None:
    Snapshot.objects.all().delete()
    Sealing.objects.all().delete()
    Signal.objects.update(late=False)
    for path in root.rglob("*.json"):
        path.unlink()
    calls.unlink(missing_ok=True)


def what_is_there() -> str:
    """Nothing, or a whole file; anything else fails here."""
    if not storage.exists(DAY, 1):
        return "absent"
    assert json.loads(storage.read(DAY, 1))["integrity"]["stateSha256"]
    return "whole"


@pytest.mark.django_db
def test_sixty_days_of_a_megabyte_are_handed_out_to_twenty_clients_in_little_memory() -> None:
    for back in range(60):
        large_day(back)
    bulk = DaysBody(calendars.get(), 60)
    assert bulk.size > 60 * MEGABYTE
    assert not bulk.is_small
    streams = [bulk.pieces() for _client in range(CLIENTS)]
    tracemalloc.start()
    try:
        sent = drained(streams)
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sent == CLIENTS * bulk.size
    assert peak < 8 * MEGABYTE


def drained(streams: list[Iterator[bytes]]) -> int:
    """Take from each stream in turn, as twenty slow readers do."""
    sent = 0
    while streams:
        for stream in list(streams):
            chunk = next(stream, None)
            if chunk is None:
                streams.remove(stream)
            else:
                sent += len(chunk)
    return sent


def large_day(back: int) -> None:
    day = DAY - back * ONE_DAY
    content = canonical_bytes({"date": day.isoformat(), "pad": "가" * (MEGABYTE // 3)})
    storage.write(day, 1, content)
    sealed_at = end_of(day) + timedelta(seconds=1)
    Snapshot.objects.create(
        day=day, status="complete", late=False, rehearsal=False, size=len(content), sha256=sha256_hex(content),
        sealed_at=sealed_at,
    )  # fmt: skip
