"""A world that the tests of a file share is whole for each of them, whatever the one before did to it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from pytest_django.plugin import DjangoDbBlocker

from knowledge.models import Unit
from tests.factories.knowledge import make_unit
from tests.shared import Shared, shared

FILE = "2026/2026-11-20.json"


def make() -> list[Unit]:
    storages["archive"].save(FILE, ContentFile(b"{}"))
    return [make_unit()]


@pytest.fixture(scope="module")
def shared_units(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shared[list[Unit]]]:
    with shared(make, django_db_blocker, tmp_path_factory.mktemp("world") / "archive") as made:
        yield made


@pytest.fixture
def units(shared_units: Shared[list[Unit]], db: None, own_archive: Path) -> list[Unit]:
    return shared_units.brought_to(own_archive)


@pytest.mark.parametrize("turn", [1, 2])
def test_what_one_test_changes_no_other_sees(units: list[Unit], own_archive: Path, turn: int) -> None:
    (unit,) = units
    assert (unit.label, Unit.objects.get().label) == ("비트코인", "비트코인")
    assert (own_archive / FILE).read_bytes() == b"{}"
    unit.label = "바뀐 이름"
    unit.save()
    units.append(make_unit("eth", "이더리움"))
    (own_archive / FILE).unlink()
