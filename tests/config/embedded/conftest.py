"""Projects to run the stack in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.embedded.fake_project import FakeProject, assert_nothing_left, fill, folder_open_to_all


@pytest.fixture(scope="session")
def prepared() -> Iterator[Path]:
    """A folder whose database is made once for many tests: making it takes longer than everything else."""
    with folder_open_to_all() as root:
        status, output = fill(root).run("true")
        assert status == 0, output
        yield root


@pytest.fixture
def project(prepared: Path) -> Iterator[FakeProject]:
    """A project that has been started before; for tests that leave its ``var/`` in order."""
    for trace in (prepared / ".env", prepared / "var/embedded/admin-created", *prepared.glob("printed-*")):
        trace.unlink(missing_ok=True)
    made = fill(prepared)
    yield made
    assert_nothing_left(made)


@pytest.fixture
def new_project() -> Iterator[FakeProject]:
    """A project that has never been started."""
    with folder_open_to_all() as root:
        made = fill(root)
        yield made
        assert_nothing_left(made)
