"""A browser in which an editor works, which notices whatever runs, breaks the policy or asks another host."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Locator, Page

CLICKS_MAX = 9  # each journey takes under ten

# Set before any script of a page: what a hostile text would call, and what the policy refused.
WATCH = """
window.hits = []; window.refused = [];
for (const name of ['hit', 'alert', 'confirm', 'prompt', 'print'])
  window[name] = (...given) => { window.hits.push(name + ':' + given.join()); };
document.addEventListener('securitypolicyviolation', event =>
  window.refused.push(event.effectiveDirective + ' ' + event.blockedURI + ' ' + (event.sample || '')));
"""


class Watched:
    """A page, how often the editor had to click, and what was noticed on all pages so far."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.clicks = 0
        self.noticed: list[str] = []
        page.on("pageerror", lambda error: self.noticed.append(f"a script failed: {error}"))
        page.on("dialog", lambda dialog: self._opened(dialog))
        page.on("request", lambda request: self._asked(request.url))
        page.on("console", lambda said: self._said(said.text))
        page.set_default_timeout(10_000)
        page.add_init_script(WATCH)

    def go(self, path: str) -> None:
        self.page.goto(path)
        self.look()

    def click(self, target: Locator) -> None:
        target.click()
        self.clicks += 1
        self.page.wait_for_load_state()
        self.look()

    def look(self) -> None:
        """Note what ran or was refused on the page that is shown."""
        found = self.page.evaluate("[...(window.hits || []), ...(window.refused || [])]")
        self.noticed += [f"{self.page.url}: {one}" for one in found]

    def _opened(self, dialog: Any) -> None:
        self.noticed.append(f"a dialog opened: {dialog.message}")
        dialog.dismiss()

    def _asked(self, url: str) -> None:
        if not url.startswith((self.address, "data:image/")):
            self.noticed.append(f"asked for {url}")

    def _said(self, text: str) -> None:
        if "Security Policy" in text:
            self.noticed.append(text)


@contextmanager
def editing(browser: Browser, address: str, **context: Any) -> Iterator[Watched]:
    """A signed-in superuser's browser; on the way out, nothing may have been noticed and few clicks made."""
    client = Client()
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    opened = browser.new_context(base_url=address, locale="ko", **context)
    opened.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": address}])
    watched = Watched(opened.new_page(), address)
    try:
        yield watched
        watched.look()
    finally:
        opened.close()
    if watched.noticed:
        pytest.fail("\n".join(watched.noticed[:10]))
    assert watched.clicks <= CLICKS_MAX
