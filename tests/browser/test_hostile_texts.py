"""R20 in Chromium: two hundred hostile texts on pages, in the feed and in the admin, and nothing of them runs."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page

from tests.factories.world import World
from tests.feeds.hostile import addresses, hostile_world
from tests.feeds.surfaces import rebuild

pytestmark = pytest.mark.slow


def watched(context: BrowserContext) -> tuple[Page, list[str]]:
    """A page, and what it did that no page should: dialogs, failed scripts, refused resources, other hosts."""
    page = context.new_page()
    seen: list[str] = []
    page.on("dialog", lambda dialog: (seen.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on("pageerror", lambda error: seen.append(f"error {error}"))
    page.on("console", lambda said: seen.append(said.text) if said.type == "error" else None)
    page.on(
        "request",
        lambda request: None if request.url.startswith("http://localhost") else seen.append(request.url),
    )
    return page, seen


def test_nothing_of_two_hundred_hostile_texts_runs(browser: Browser, site: tuple[str, World]) -> None:
    address, _world = site
    units = hostile_world(timezone.now())
    rebuild()
    context = browser.new_context(base_url=address)
    page, seen = watched(context)
    for path in (
        *addresses(units),
        "/",
        "/asset",
        "/topic",
        "/event",
        "/entity",
        "/creator",
        "/search?q=alert",
    ):
        page.goto(path, wait_until="load")
        assert page.url == address + path, "a text led somewhere else"
        assert page.locator("script:not([type])").count() == 0, path
        assert page.locator("footer").count() == 1, "a text ended the page"
        assert seen == [], path
    context.close()


def test_nothing_of_them_runs_on_the_desk(browser: Browser, site: tuple[str, World]) -> None:
    address, _world = site
    units = hostile_world(timezone.now())
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("editor", "", "x"))
    context = browser.new_context(base_url=address)
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
    page, seen = watched(context)
    desks = {"asset": "entity", "person": "entity", "topic": "topic", "event": "event"}
    changes = [
        f"/admin/knowledge/{desks[unit.type]}/{unit.pk}/change/" for unit in units[:10] if unit.type in desks
    ]
    lists = [f"/admin/knowledge/{model}/" for model in ("entity", "topic", "event", "document")]
    for path in (*lists, *changes, "/admin/ask/answer/"):
        response = page.goto(path, wait_until="load")
        assert response is not None
        assert response.status == 200, path
        assert seen == [], path
    context.close()
