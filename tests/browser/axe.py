"""What is wrong with a page by axe, in both colour schemes and at two widths, and whether it scrolls sideways."""

import json
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

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


def problems(
    browser: Browser, origin: str, statuses: dict[str, int], checks: Checks
) -> list[tuple[str, ...]]:
    """Of the pages at these paths, each of which must answer its status: the path, the rule, the element, where."""
    page = browser.new_page()
    page.add_init_script(Axe().axe_script)
    found: list[tuple[str, ...]] = []
    for path, status in statuses.items():
        response = page.goto(origin + path)
        assert response is not None
        assert response.status == status, path
        found += [(path, *problem) for problem in problems_of(page, checks)]
    page.close()
    return found


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
