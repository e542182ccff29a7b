"""axe finds nothing on any kind of page, in both colour schemes and at two widths; nothing scrolls sideways."""

import json
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from archive.models import Snapshot
from tests.factories.world import World

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
EVERY_RULE = {
    "runOnly": {"type": "tag", "values": TAGS},
    "resultTypes": ["violations"],
    "preload": False,
}
# All that another colour scheme can change, of which no style sheet tells widths apart.
RULES_OF_COLOUR = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
    "preload": False,
}
# All that less room can change: nothing is shown there that a wide page lacks.
RULES_OF_ROOM = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "target-size", "scrollable-region-focusable"]},
    "resultTypes": ["violations"],
    "preload": False,
}
Checks = dict[int, tuple[tuple[Any, dict[str, Any]], ...]]
CHECKS: Checks = {
    320: (("light", RULES_OF_ROOM),),
    1100: (("light", EVERY_RULE), ("dark", RULES_OF_COLOUR)),
}
# In `make soak` nothing is inferred: every rule in both schemes at both widths.
ALL_CHECKS: Checks = dict.fromkeys((320, 1100), (("light", EVERY_RULE), ("dark", EVERY_RULE)))


def pages_of(world: World) -> dict[str, int]:
    """The addresses of every kind of page, and the status that each answers."""
    units = (world.asset, world.topic, world.event, world.person, world.persona)
    found = [
        "/",
        "/asset",
        "/entity?type=person",
        "/event",
        *(unit.get_absolute_url() for unit in units),
        f"{world.asset.get_absolute_url()}?page=2",
        world.answer,
        "/ask",
        "/numbers",
        "/number/maru-rate",
        "/en/number/price-maru",
        "/embed/number/price-maru",
        "/city",
        f"/city/{Snapshot.objects.latest('day').day}",
        "/search",
        "/search?q=마루코인",
        "/pulses",
        "/about",
        "/terms",
        "/docs",
        "/status",
    ]
    others = {"/search?q=!!": 400, "/topic/marucoin": 404, "/number/maru-rates": 404, "/city/2020-01-01": 404}
    return dict.fromkeys(found, 200) | others


@pytest.mark.slow
@pytest.mark.parametrize(
    "checks", [CHECKS, pytest.param(ALL_CHECKS, marks=pytest.mark.soak)], ids=["shared", "whole"]
)
def test_no_page_has_a_violation_or_scrolls_sideways(
    browser: Browser, site: tuple[str, World], checks: Checks
) -> None:
    address, world = site
    page = browser.new_page()
    page.add_init_script(Axe().axe_script)
    problems = []
    for path, status in pages_of(world).items():
        response = page.goto(address + path)
        assert response is not None
        assert response.status == status, path
        problems += [(path, *problem) for problem in problems_of(page, checks)]
    page.close()
    assert problems == []


def problems_of(page: Page, wanted: Checks) -> list[tuple[str, ...]]:
    """What is wrong with the open page in either scheme and at both widths."""
    found: list[tuple[str, ...]] = []
    for width, checks in wanted.items():
        page.set_viewport_size({"width": width, "height": 800})
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wider > 0:
            found.append(("scrolls sideways", f"{wider} px at {width}"))
        for scheme, rules in checks:
            page.emulate_media(color_scheme=scheme)
            found += [(*violation, scheme, str(width)) for violation in violations(page, rules)]
    return found


def violations(page: Page, rules: dict[str, Any]) -> list[tuple[str, str]]:
    report = page.evaluate(f"axe.run(document, {json.dumps(rules)})")
    return [(each["id"], each["nodes"][0]["html"]) for each in report["violations"]]
