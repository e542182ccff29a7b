"""The surfaces of the service, and a small world to show on them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from tests.factories.world import World, make_world
from tests.shared import Shared, shared


@pytest.fixture(scope="module")
def shared_world(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shared[World]]:
    folder = tmp_path_factory.mktemp("world") / "archive"
    with shared(lambda: make_world(timezone.now()), django_db_blocker, folder) as made:
        yield made


@pytest.fixture
def world(shared_world: Shared[World], db: None, own_archive: Path) -> World:
    return shared_world.brought_to(own_archive)
