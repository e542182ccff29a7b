"""The changelog as a feed: one entry for each section, safe, and the same while the file is."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import feedparser
import pytest
from django.conf import settings
from django.test import Client

from feeds import changelog
from tests.feeds.test_validators import check_html

WRITTEN = datetime(2026, 11, 20, 16, 30, tzinfo=UTC).astimezone(changelog.SEOUL)  # the 21st in Seoul
TEXT = """# Changelog

Fields are added, never removed.

## Unreleased
- `/api/changes.json` says **what changed**.
- A link to [a page](https://pages.example/x), [ours](/docs), [none](javascript:alert(1)).

## 1.1.0 (2026-10-02)
- Two lines
  that are one, <script>alert(1)</script> & "quotes".

```
## no heading
```

## 1.0.0 - 2026-09-01
### Added
- Everything.
"""


@pytest.fixture(autouse=True)
def read_anew() -> Iterator[None]:
    changelog.ready.cache_clear()
    yield
    changelog.ready.cache_clear()


@pytest.fixture
def file(tmp_path: Path, settings: Any) -> Path:
    settings.BASE_DIR = tmp_path
    return tmp_path / "CHANGELOG.md"


def entries(text: str) -> list[Any]:
    feed = feedparser.parse(changelog.made(text, WRITTEN).plain, sanitize_html=False)
    assert not feed.bozo
    return list(feed.entries)


def test_the_services_own_changelog_is_a_valid_feed_that_is_revalidated(client: Client) -> None:
    """The database is out of reach here, as in every test that does not ask for it."""
    response = client.get("/changelog.xml")
    again = client.get("/changelog.xml", headers={"if-none-match": response["ETag"]})
    assert (response.status_code, again.status_code) == (200, 304)
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert "public" in response["Cache-Control"]
    feed = feedparser.parse(response.content)
    assert (feed.version, feed.bozo, feed.feed.language) == ("atom10", False, "en")
    assert any(
        (link.rel, link.href) == ("self", f"{settings.BASE_URL}/changelog.xml") for link in feed.feed.links
    )
    headings = [line for line in Path("CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    assert [f"## {entry.title}" for entry in feed.entries] == headings
    for entry in feed.entries:
        check_html(entry.content[0].value)


def test_every_version_is_an_entry_with_its_whole_text_and_its_day_in_seoul() -> None:
    unreleased, second, first = entries(TEXT)
    assert [one.title for one in (unreleased, second, first)] == [
        "Unreleased",
        "1.1.0 (2026-10-02)",
        "1.0.0 - 2026-09-01",
    ]
    assert [one.updated for one in (unreleased, second, first)] == [
        "2026-11-21T00:00:00+09:00",
        "2026-10-02T00:00:00+09:00",
        "2026-09-01T00:00:00+09:00",
    ]
    assert "<strong>what changed</strong>" in unreleased.content[0].value
    assert "## no heading" in second.content[0].value
    assert "<h3>Added</h3>" in first.content[0].value


def test_nothing_in_an_entry_does_anything() -> None:
    html = "".join(entry.content[0].value for entry in entries(TEXT))
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp;" in html
    assert '<a href="https://pages.example/x">' in html
    assert html.count("href=") == 1


def test_ids_stay_when_a_version_is_added_and_two_of_one_name_differ() -> None:
    before = [entry.id for entry in entries(TEXT)]
    assert before[2] == f"{settings.SERVICE_SLUG}:changelog:100-2026-09-01"
    newer = TEXT.replace("## Unreleased", "## Unreleased\n- New.\n\n## Unreleased\n")
    after = [entry.id for entry in entries(newer)]
    assert after[1:] == before
    assert after[0] == f"{before[0]}-2"


def test_what_xml_refuses_and_nobody_sees_is_left_out() -> None:
    [entry] = entries("## One\x0b\u202e\ufffe <b>\n- text\x00\x08 2026-02-31\n\n## \n")[:1]
    assert entry.title == "One ‹b›"
    assert "text 2026-02-31" in entry.content[0].value
    [wrong] = entries("## 1.0 (2026-02-31)\n- x\n")
    assert wrong.updated == "2026-11-21T00:00:00+09:00"


@pytest.mark.parametrize("text", ["", "# Changelog\n\nNothing yet.\n", None])
def test_a_file_without_sections_or_no_file_is_an_empty_feed(
    client: Client, file: Path, text: str | None
) -> None:
    if text is not None:
        file.write_text(text)
    response = client.get("/changelog.xml")
    assert response.status_code == 200
    root = ElementTree.fromstring(response.content)
    assert root.tag == "{http://www.w3.org/2005/Atom}feed"
    assert root.findall("{http://www.w3.org/2005/Atom}entry") == []


def test_the_file_is_read_once_a_process(client: Client, file: Path) -> None:
    file.write_text("## 1.0\n- One.\n")
    first = client.get("/changelog.xml")
    file.write_text("## 2.0\n- Two.\n")
    assert client.get("/changelog.xml").content == first.content


@pytest.mark.django_db
def test_the_documentation_leads_to_it(client: Client) -> None:
    page = client.get("/docs").content.decode()
    assert '<link rel="alternate" type="application/atom+xml"' in page
    assert '<a href="/changelog.xml">' in page
