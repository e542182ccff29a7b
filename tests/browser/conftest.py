"""Debian's Chromium, driven through Playwright against a live server with a small invented world."""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, sync_playwright

from archive.days import yesterday
from archive.rehearsal import rehearse
from tests.factories.world import World, make_world

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# The tests' own browser: nothing of it may look for updates or talk to anybody.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


# For one file of tests: while the driver is up, its event loop runs in this thread, and no other test's can.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        absent = "no Chromium is installed here (on Debian: apt install chromium)"
        # Elsewhere a browser is a wish; where changes are judged its absence would hide what it should show.
        pytest.fail(absent) if os.environ.get("CI") else pytest.skip(absent)
    # Playwright's synchronous driver runs an event loop in this thread, which Django takes for asynchronous code.
    former = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield launched
        launched.close()
    if former is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
    else:
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = former


@pytest.fixture
def site(live_server: Any, browser: Browser, settings: Any) -> tuple[str, World]:
    """The address of the running service, and the world it shows."""
    settings.BASE_URL = settings.CITY_URL = live_server.url
    now = timezone.now()
    list(rehearse(3, until=yesterday(now)))
    return live_server.url, make_world(now)
