"""Sitemap, robots.txt, llms.txt, Markdown twins, security.txt."""

import re
from datetime import datetime, timedelta
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from feeds import llms_txt, sitemaps
from tests.factories.knowledge import make_unit
from tests.factories.world import World
from tests.feeds.surfaces import rebuild, text_of

pytestmark = pytest.mark.django_db
LOC = f"{{{sitemaps.NAMESPACE}}}loc"
# The line of the convention's reference parser: a link, and perhaps a note after a colon.
LLMS_LINK = re.compile(r"-\s*\[(?P<title>[^\]]+)\]\((?P<url>[^\)]+)\)(?::\s*(?P<desc>.*))?")


def locations(client: Client) -> list[str]:
    root = ElementTree.fromstring(client.get("/sitemap.xml").content)
    return [loc.text or "" for loc in root.iter(LOC)]


def test_every_url_of_the_sitemap_answers_and_is_indexable(client: Client, world: World) -> None:
    urls = locations(client)
    assert len(urls) == len(set(urls)) > 15
    for url in urls:
        path = url.removeprefix(settings.BASE_URL)
        response = client.get(path)
        assert response.status_code == 200, path
        assert "X-Robots-Tag" not in response
        page = response.content.decode()
        assert "noindex" not in page, path
        assert f'<link rel="canonical" href="{url}">' in page


def test_pages_that_the_sitemap_leaves_out_say_noindex(client: Client, world: World) -> None:
    for path in ("/search", "/search?q=마루", "/entity?type=person", "/asset/marucoin?page=2"):
        assert '<meta name="robots" content="noindex">' in text_of(client, path), path


def test_beyond_its_limit_the_sitemap_is_an_index_of_files(
    client: Client, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = locations(client)
    monkeypatch.setattr(sitemaps, "URLS_MAX", 10)
    make_unit("one-more", "하나 더")
    rebuild()
    index = ElementTree.fromstring(client.get("/sitemap.xml").content)
    files = [loc.text or "" for loc in index.iter(LOC)]
    assert index.tag.endswith("sitemapindex")
    parts = [client.get(url.removeprefix(settings.BASE_URL)) for url in files]
    urls = [loc.text for part in parts for loc in ElementTree.fromstring(part.content).iter(LOC)]
    assert sorted(urls) == sorted([*whole, f"{settings.BASE_URL}/asset/one-more"])
    assert sitemaps.page_count() == len(urls)
    assert client.get(f"/sitemap-{len(files) + 1}.xml").status_code == 404


def test_a_small_sitemap_has_no_parts(client: Client, world: World) -> None:
    assert client.get("/sitemap-1.xml").status_code == 404


def test_robots_may_read_all_but_the_admin(client: Client) -> None:
    robots = RobotFileParser()
    robots.parse(text_of(client, "/robots.txt").splitlines())
    assert robots.can_fetch("*", "/asset/btc")
    assert robots.can_fetch("*", "/ask/q/" + "0" * 32)
    assert not robots.can_fetch("*", "/admin/login/")
    assert robots.site_maps() == [f"{settings.BASE_URL}/sitemap.xml"]


def test_security_txt_names_a_contact_and_an_end_within_a_year(client: Client) -> None:
    fields = dict(line.split(": ", 1) for line in text_of(client, "/.well-known/security.txt").splitlines())
    assert fields["Contact"] == f"mailto:{settings.CONTACT_EMAIL}"
    left = datetime.fromisoformat(fields["Expires"]) - timezone.now()
    assert timedelta(days=90) < left < timedelta(days=365)


def check_llms_txt(text: str) -> dict[str, list[str]]:
    """The shape that the convention's reference parser reads; gives the links by section."""
    head, *sections = re.split(r"^## +(.+)$", text, flags=re.M)
    assert re.match(r"# .+\n\n> .+\n\n(?!#)", head)
    assert "#" not in head[1:].replace("# ", "", 1) or "\n#" not in head[1:]
    found = {}
    for name, body in zip(sections[::2], sections[1::2], strict=True):
        lines = [line for line in body.strip().splitlines() if line]
        links = [LLMS_LINK.fullmatch(line) for line in lines]
        assert all(links), (name, lines)
        found[name] = [link["url"] for link in links if link]
    return found


def test_llms_txt_reads_as_the_convention_says(client: Client, world: World) -> None:
    make_unit("odd", "괄호 [안](밖) <b>\\ * _", summary="여러\n줄 - [x](http://evil.example) <script> | ~~")
    rebuild()
    text = text_of(client, "/llms.txt")
    sections = check_llms_txt(text)
    assert list(sections)[-1] == "Optional"
    assert len(text.encode()) < 50_000
    assert all(url.startswith(settings.BASE_URL) for urls in sections.values() for url in urls)
    for url in {url for urls in sections.values() for url in urls}:
        path = url.removeprefix(settings.BASE_URL)
        assert client.get(path.split("#")[0]).status_code == 200, path


def test_llms_txt_stays_small_however_long_names_are() -> None:
    rows = [{"label": "긴 이름" * 40, "url": f"/asset/{n}", "summary": "요약" * 100} for n in range(100)]
    names = ("seeds", "assets", "topics", "events", "entities")
    body = llms_txt.short([{"section": name, "rows": rows} for name in names], timezone.now())
    assert len(body) <= llms_txt.BYTES_MAX
    assert {name for name, links in check_llms_txt(body.decode()).items() if links} >= {
        "API",
        "Assets",
        "Optional",
    }


def test_llms_full_has_every_unit(client: Client, world: World) -> None:
    text = text_of(client, "/llms-full.txt")
    for unit in (world.asset, world.topic, world.event, world.later, world.person, world.persona):
        assert f"- id: `{unit.public_id}`" in text
        assert f"<{settings.BASE_URL}{unit.get_absolute_url()}>" in text


def test_a_twin_points_to_its_page_and_is_revalidated(client: Client, world: World) -> None:
    response = client.get("/asset/marucoin.md")
    assert response["Content-Type"] == "text/markdown; charset=utf-8"
    assert response["Link"] == f'<{settings.BASE_URL}/asset/marucoin>; rel="canonical"'
    again = client.get("/asset/marucoin.md", headers={"if-none-match": response["ETag"]})
    assert again.status_code == 304
    assert client.get("/asset/nobody.md").status_code == 404


@pytest.mark.parametrize("path", ["/rss.xml", "/sitemap.xml", "/llms.txt", "/llms-full.txt"])
def test_a_hot_feed_runs_no_query(
    client: Client, world: World, path: str, django_assert_num_queries: object
) -> None:
    etag = client.get(path)["ETag"]
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert client.get(path).status_code == 200
        assert client.head(path).status_code == 200
        assert client.get(path, headers={"if-none-match": etag}).status_code == 304


def test_the_icon_is_where_browsers_look_for_it(client: Client) -> None:
    response = client.get("/favicon.ico")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "image/x-icon"
    assert response.headers["Cache-Control"] == "public, max-age=604800"
    assert response.content.startswith(b"\x00\x00\x01\x00")
    assert not response.cookies
    assert client.get("/favicon.ico", headers={"if-none-match": response["ETag"]}).status_code == 304
