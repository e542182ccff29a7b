"""Files that appear whole and once, in a folder and in a bucket."""

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.base import File

from archive import storage
from archive.days import ONE_DAY
from tests.archive.made import DAY


@pytest.fixture
def bucket(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A real S3 API on a loopback socket."""
    boto3 = pytest.importorskip("boto3", reason="needs the s3 extra")
    server_module = pytest.importorskip("moto.server", reason="needs moto[server]")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    name = f"city-{uuid4().hex}"  # the server's memory outlives a test
    endpoint = f"http://{host}:{port}"
    boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1").create_bucket(Bucket=name)
    settings.STORAGES = {
        **settings.STORAGES,
        "archive": {
            "BACKEND": "archive.s3.S3DayFileStorage",
            "OPTIONS": {
                "bucket_name": name,
                "endpoint_url": endpoint,
                "region_name": "us-east-1",
                "location": "days",
            },
        },
    }
    yield
    server.stop()


@pytest.fixture(params=["folder", "bucket"])
def place(request: pytest.FixtureRequest) -> str:
    if request.param == "bucket":
        request.getfixturevalue("bucket")
    return str(request.param)


@pytest.mark.usefixtures("place")
def test_what_is_written_is_read_byte_for_byte() -> None:
    content = "한 줄\n".encode() * 50_000
    storage.write(DAY, 1, content)
    assert storage.read(DAY, 1) == content
    assert b"".join(storage.chunks(DAY, 1, 65_536)) == content
    assert storage.exists(DAY, 1)


@pytest.mark.usefixtures("place")
def test_a_file_is_never_overwritten() -> None:
    storage.write(DAY, 1, b"first")
    with pytest.raises(FileExistsError):
        storage.write(DAY, 1, b"second")
    assert storage.read(DAY, 1) == b"first"


@pytest.mark.usefixtures("place")
def test_what_is_not_there_is_said_to_be_missing() -> None:
    assert not storage.exists(DAY, 1)
    with pytest.raises(FileNotFoundError):
        storage.read(DAY, 1)
    assert storage.stored_files() == []


@pytest.mark.usefixtures("place")
def test_a_part_of_a_file_is_read_without_the_rest() -> None:
    content = bytes(range(256)) * 1000
    storage.day_storage().save("bulk/2026-11-20/x.jsonl.gz", File(io.BytesIO(content)))
    assert (
        b"".join(storage.pieces("bulk/2026-11-20/x.jsonl.gz", 1000, 101_000, 4096)) == content[1000:101_000]
    )
    with pytest.raises(FileNotFoundError):
        storage.pieces("bulk/2026-11-20/y.jsonl.gz", 0, 1, 4096)


@pytest.mark.usefixtures("place")
def test_the_files_are_listed_by_day_and_revision() -> None:
    for day, revision in ((DAY, 2), (DAY, 1), (DAY - 400 * ONE_DAY, 1)):
        storage.write(day, revision, b"x")
    assert storage.stored_files() == [(DAY - 400 * ONE_DAY, 1), (DAY, 1), (DAY, 2)]


@pytest.mark.usefixtures("bucket")
def test_a_bucket_that_refuses_is_an_os_error(settings: Any) -> None:
    options = settings.STORAGES["archive"]["OPTIONS"] | {"bucket_name": "nobody-s"}
    settings.STORAGES = {**settings.STORAGES, "archive": {**settings.STORAGES["archive"], "OPTIONS": options}}
    with pytest.raises(OSError, match="bucket refused"):
        storage.write(DAY, 1, b"x")


def test_a_failed_write_leaves_nothing_behind(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        storage.write(DAY, 1, b"x")
    assert list((root / "2026").iterdir()) == []


def test_what_a_killed_writer_left_is_swept_away_and_never_listed(root: Path) -> None:
    (root / "2026").mkdir(parents=True)
    leftover = root / "2026" / ".2026-11-20.json.abc.part"
    leftover.write_bytes(b"half")
    assert storage.stored_files() == []
    storage.write(DAY, 1, b"whole")
    assert not leftover.exists()
    assert storage.read(DAY, 1) == b"whole"


def test_what_was_left_of_another_day_goes_with_the_next_file(root: Path) -> None:
    storage.write(DAY - ONE_DAY, 1, b"whole")
    leftovers = [root / "2026" / ".2026-11-19.json.abc.part", root / "2025" / ".2025-12-31.json.abc.part"]
    for leftover in leftovers:
        leftover.parent.mkdir(exist_ok=True)
        leftover.write_bytes(b"whole")
    storage.write(DAY, 1, b"whole")
    assert not any(leftover.exists() for leftover in leftovers)
    assert storage.stored_files() == [(DAY - ONE_DAY, 1), (DAY, 1)]


def test_without_hard_links_a_file_is_still_never_overwritten(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(*_arguments: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", unsupported)
    storage.write(DAY, 1, b"first")
    with pytest.raises(FileExistsError):
        storage.write(DAY, 1, b"second")
    assert storage.read(DAY, 1) == b"first"


def test_days_lie_in_a_folder_a_year() -> None:
    assert storage.name_of(DAY, 1) == "2026/2026-11-20.json"
    assert storage.name_of(DAY, 3) == "2026/2026-11-20.r3.json"
