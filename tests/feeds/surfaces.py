"""Every public address that lists or shows units, for tests that look for something on all of them."""

from django.test import Client
from django.utils import timezone

from knowledge.publications import build, publication_cache

LISTS = (
    "/",
    "/asset",
    "/entity",
    "/creator",
    "/topic",
    "/event",
    "/pulses",
    "/rss.xml",
    "/asset.xml",
    "/creator.xml",
    "/topic.xml",
    "/event.xml",
    "/pulses.xml",
    "/sitemap.xml",
    "/llms.txt",
    "/llms-full.txt",
    "/api/canonical/entities.json",
    "/api/canonical/topics.json",
    "/api/canonical/events.json",
    "/api/pulse/active.json?hours=168",
)

# Pages that are there before any record is.
PAGES = (
    "/",
    "/asset",
    "/entity",
    "/creator",
    "/topic",
    "/event",
    "/numbers",
    "/pulses",
    "/about",
    "/terms",
    "/docs",
    "/status",
    "/search",
)


def rebuild() -> None:
    """What a builder does after a change, and every process after that."""
    build(now=timezone.now(), force=True)
    publication_cache.clear()


def text_of(client: Client, path: str, status: int = 200) -> str:
    response = client.get(path)
    assert response.status_code == status, path
    return response.content.decode()


def texts(client: Client, *more: str) -> dict[str, str]:
    """What every list, and every further address, says."""
    return {path: text_of(client, path) for path in (*LISTS, *more)}
