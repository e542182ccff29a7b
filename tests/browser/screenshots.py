"""``make screenshots``: the README's pictures, of pages of the rehearsed world, and the general card of links.

Run over the servers of a rehearsal (``python -m config.embedded --demo``), whose world is made where there is none;
Chromium takes each page in both colour schemes. Written: ``docs/images/*.png``, ``static/card.png``.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from playwright.sync_api import ViewportSize, sync_playwright

ABSENT = "make screenshots needs Chromium, and none is installed here (on Debian: apt install chromium)."
VIEW: ViewportSize = {"width": 900, "height": 900}


def main() -> int:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print(ABSENT, file=sys.stderr)
        return 2
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Playwright's synchronous driver runs an event loop in this thread, which Django takes for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    django.setup()
    # What follows needs the apps.
    from django.conf import settings

    from feeds.cards import painting

    root = Path(settings.BASE_DIR)
    with shown_world() as (address, pages):
        take(chromium, address, pages, root / "docs" / "images")
    (root / "static" / "card.png").write_bytes(painting.general())
    return 0


@contextmanager
def shown_world() -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a server over the rehearsed world, and the path of each page to take, by its file's name."""
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.management import call_command
    from django.test import override_settings
    from django.test.testcases import LiveServerThread
    from django.utils import timezone

    import config.celery  # noqa: F401  the app that tasks are sent with
    from rehearsal import pages

    call_command("release", verbosity=0)
    call_command("rehearse_world")
    server = LiveServerThread("localhost", StaticFilesHandler)
    server.daemon = True
    # The address that pages print is an example's, not that of this machine.
    shown = "https://madang.example"
    with override_settings(BASE_URL=shown, CITY_URL=shown, ALLOWED_HOSTS=["*"]):
        server.start()
        server.is_ready.wait()
        if server.error:
            raise server.error
        try:
            found = pages.paths(timezone.now())
            yield f"http://localhost:{server.port}", {name: found[name] for name in pages.PICTURES}
        finally:
            server.terminate()


def take(chromium: str, address: str, pages: dict[str, str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport=VIEW, color_scheme=scheme)
            page = context.new_page()
            for name, path in pages.items():
                response = page.goto(address + path)
                if response is None or response.status != 200:
                    raise RuntimeError(f"{path} did not answer 200")
                page.screenshot(path=folder / f"{name}-{scheme}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
