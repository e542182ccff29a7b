"""The surfaces of the service, and a small world to show on them."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.factories.world import World, make_world


@pytest.fixture
def world(db: None) -> World:
    return make_world(timezone.now())
