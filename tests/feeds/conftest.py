"""The surfaces of the service, and a small world to show on them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
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


@pytest.fixture
def one_transaction() -> Iterator[None]:
    """The application is called as a server would, which closes connections; the test's transaction needs its own."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)
