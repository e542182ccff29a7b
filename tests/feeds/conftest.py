"""The surfaces of the service, and a small world to show on them."""

import pytest
from django.utils import timezone

from tests.factories.world import World, make_world


@pytest.fixture
def world(db: None) -> World:
    return make_world(timezone.now())
