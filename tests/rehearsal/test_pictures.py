"""The README's pictures are those that `make screenshots` takes of the rehearsed world."""

import re

from django.conf import settings

from rehearsal import pages


def test_the_readme_shows_the_pictures_that_are_taken() -> None:
    readme = (settings.BASE_DIR / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r'srcset="docs/images/([a-z-]+)-dark\.png"', readme)
    assert tuple(shown) == pages.PICTURES
    images = settings.BASE_DIR / "docs" / "images"
    wanted = {f"{name}-{scheme}.png" for name in pages.PICTURES for scheme in ("light", "dark")}
    assert {path.name for path in images.glob("*.png")} == wanted
