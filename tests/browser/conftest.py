"""A browser, and a live server with a small invented world."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser

from archive.days import yesterday
from archive.rehearsal import rehearse
from tests.browser.chromium import launched
from tests.factories.world import World, make_world


# For one file of tests: see what launched() says of event loops.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as opened:
        yield opened


@pytest.fixture
def site(live_server: Any, browser: Browser, settings: Any) -> tuple[str, World]:
    """The address of the running service, and the world it shows."""
    settings.BASE_URL = settings.CITY_URL = live_server.url
    now = timezone.now()
    list(rehearse(3, until=yesterday(now)))
    return live_server.url, make_world(now)
