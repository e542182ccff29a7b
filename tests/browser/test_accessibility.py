"""axe finds nothing on any kind of page, in both colour schemes and at two widths; nothing scrolls sideways."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Browser

from archive.days import yesterday
from tests.browser.world import World

WIDTHS = (320, 1100)
SCHEMES = ("light", "dark")
RULES = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }
}


def pages_of(world: World) -> list[str]:
    units = (world.asset, world.topic, world.event, world.person, world.persona)
    return [
        "/",
        "/asset",
        "/entity?type=person",
        "/event",
        *(unit.get_absolute_url() for unit in units),
        world.answer,
        "/ask",
        "/city",
        f"/city/{yesterday(timezone.now())}",
        "/search",
        "/search?q=마루코인",
        "/pulses",
        "/about",
        "/docs",
        "/status",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_has_a_violation_or_scrolls_sideways(
    browser: Browser, site: tuple[str, World], scheme: Any, width: int
) -> None:
    address, world = site
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800})
    page, axe = context.new_page(), Axe()
    problems = []
    for path in pages_of(world):
        response = page.goto(address + path)
        assert response is not None
        assert response.status == 200, path
        found = axe.run(page, options=RULES)
        problems += [(path, each["id"], each["nodes"][0]["html"]) for each in found.response["violations"]]
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wider > 0:
            problems.append((path, "scrolls sideways", str(wider)))
    context.close()
    assert problems == []
