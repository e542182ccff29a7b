"""What readers find before anything is there, and on lists that a test fills by itself."""

import feedparser
import pytest
from django.test import Client

from tests.factories.knowledge import make_unit
from tests.feeds.surfaces import PAGES, text_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", PAGES)
def test_an_empty_service_still_has_its_pages(client: Client, path: str) -> None:
    assert client.get(path).status_code == 200


def test_listings_have_pages(client: Client) -> None:
    for number in range(61):
        make_unit(f"coin-{number}", f"동전{number:02}")
    first, second = text_of(client, "/asset"), text_of(client, "/asset?page=2")
    assert first.count('class="name"') == 60
    assert second.count('class="name"') == 1
    assert 'rel="next"' in first
    assert 'rel="prev"' in second
    assert client.get("/asset?page=3").status_code == 404
    assert client.get("/asset?page=x").status_code == 404
    assert client.get("/asset?type=person").status_code == 404


def test_an_empty_service_has_a_valid_empty_feed(client: Client) -> None:
    feed = feedparser.parse(client.get("/rss.xml").content)
    assert not feed.bozo
    assert feed.entries == []
