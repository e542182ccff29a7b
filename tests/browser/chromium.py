"""Debian's Chromium, driven through Playwright. What it opens is said by the test: nothing else is asked."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# The tests' own browser: nothing of it may look for updates or talk to anybody.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser. While it is up, its driver's event loop runs in this thread, and no other test's can."""
    if CHROMIUM is None:
        absent = "no Chromium is installed here (on Debian: apt install chromium)"
        # Elsewhere a browser is a wish; where changes are judged its absence would hide what it should show.
        pytest.fail(absent) if os.environ.get("CI") else pytest.skip(absent)
    # Playwright's synchronous driver runs an event loop in this thread, which Django takes for asynchronous code.
    former = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()
    if former is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
    else:
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = former
