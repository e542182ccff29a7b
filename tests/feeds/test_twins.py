"""English twins: the address alone says the language, and readers stay in it."""

import re

import pytest
from django.conf import settings
from django.test import Client

from feeds.sitemaps import pages
from knowledge.curation import merge
from knowledge.models import Status, Unit
from tests.factories.knowledge import NOON, make_unit
from tests.factories.world import World

pytestmark = pytest.mark.django_db
TWINNED = (
    "/",
    "/ask",
    "/search",
    "/asset",
    "/asset/marucoin",
    "/event/2026-03-maru-listing",
    "/numbers",
    "/number/maru-rate",
    "/pulses",
    "/city",
    "/about",
    "/terms",
    "/docs",
    "/status",
)


def text_of(client: Client, path: str, **headers: str) -> str:
    return client.get(path, headers=headers).content.decode()


def test_the_address_alone_says_the_language(client: Client, world: World) -> None:
    for path in TWINNED:
        assert '<html lang="ko">' in text_of(client, path, accept_language="en", cookie="django_language=en")
        english = text_of(client, f"/en{path}", accept_language="ko", cookie="django_language=ko")
        assert '<html lang="en">' in english, path
        assert "Skip to the content" in english
        assert '<meta property="og:locale" content="en_US">' in english
        assert "Accept-Language" not in client.get(f"/en{path}").headers.get("Vary", "")


def test_twins_name_each_other_and_lead_to_each_other(client: Client, world: World) -> None:
    for path in TWINNED:
        for own, other in ((path, f"/en{path}"), (f"/en{path}", path)):
            page = text_of(client, own)
            named = re.findall(r'<link rel="alternate" hreflang="([a-z-]+)" href="([^"]+)">', page)
            korean, english = f"{settings.BASE_URL}{path}", f"{settings.BASE_URL}/en{path}"
            assert named == [("ko", korean), ("en", english), ("x-default", korean)], own
            assert f'<link rel="canonical" href="{settings.BASE_URL}{own}">' in page
            assert f'<a class="language" href="{other}"' in page, own


def test_a_page_without_a_twin_stands_alone(client: Client, world: World) -> None:
    page = text_of(client, world.answer)
    assert "hreflang" not in re.sub(r'<a class="language".+?</a>', "", page)
    assert '<a class="language" href="/en/"' in page
    for path in (
        world.answer,
        "/api/search",
        "/api/resolve",
        "/rss.xml",
        "/numbers.md",
        "/sitemap.xml",
        "/admin/",
        "/nothing",
    ):
        assert client.get(f"/en{path}").status_code == 404, path


def test_readers_stay_in_the_language_of_the_page(client: Client, world: World) -> None:
    page = text_of(client, "/en/numbers")
    frame = re.sub(r"<main.+</main>", "", page, flags=re.S)
    led = set(re.findall(r'<a [^>]*href="(/[^"]*)"', frame)) - {"/numbers", "/rss.xml", "/llms.txt"}
    assert {
        "/en/",
        "/en/ask",
        "/en/search",
        "/en/asset",
        "/en/city",
        "/en/about",
        "/en/terms",
        "/en/docs",
    } <= led
    assert all(path.startswith("/en/") for path in led)


def test_the_query_of_one_reader_is_in_no_page_of_another(client: Client, world: World) -> None:
    assert "nobody-reads-this" not in text_of(client, "/about?x=nobody-reads-this")
    for own, other in (
        ("/numbers?group=price&x=nobody-reads-this", "/en/numbers?group=price"),
        ("/en/entity?type=person", "/entity?type=person"),
        ("/number/maru-rate?range=30", "/en/number/maru-rate?range=30"),
        ("/search?q=maru", "/en/search?q=maru"),
    ):
        assert f'<a class="language" href="{other}"' in text_of(client, own)


def test_no_address_leads_to_another_site(client: Client, db: None) -> None:
    assert '<a class="language" href="/"' in text_of(client, "/en//elsewhere.example/about")


def test_a_unit_without_an_english_title_is_called_by_its_label_and_kept_out_of_search_engines(
    client: Client, world: World
) -> None:
    page = text_of(client, "/en/asset/marucoin")
    assert '<meta name="robots" content="noindex">' in page
    assert "마루코인" in page
    Unit.objects.filter(slug="marucoin").update(label_en="Marucoin", summary_en="A coin made up.")
    page = text_of(client, "/en/asset/marucoin")
    assert "noindex" not in page
    assert re.search(r"<title>Marucoin\b", page)
    assert "A coin made up." in page
    assert "A coin made up." not in text_of(client, "/asset/marucoin")
    addresses = {path for path, _lastmod in pages(NOON)}
    assert {"/asset/marucoin", "/en/asset/marucoin", "/en/", "/en/city", "/en/asset"} <= addresses
    assert "/topic/maru-premium" in addresses
    assert "/en/topic/maru-premium" not in addresses


def test_what_a_persona_wrote_stays_korean_on_an_english_page_and_who_it_is_does_not(
    client: Client, world: World
) -> None:
    Unit.objects.filter(pk=world.persona.pk).update(label_en="Maru Ledger")
    page = text_of(client, "/en/asset/marucoin")
    article = page[page.index('id="post-one"') :].partition("</article>")[0]
    body, about = article.split('<p class="meta">')
    assert '<span lang="ko">거래량이 세 배라는 말은' in body
    assert "◈ Maru Ledger · AI persona" in about
    assert "The opinion of an AI persona." in about
    assert not re.search("[가-힣]", about)
    assert "◈ 마루 장부 · AI persona" in text_of(client, "/asset/marucoin")


def test_an_english_title_stands_in_json_beside_the_label(client: Client, world: World) -> None:
    before = client.get("/api/units/asset:marucoin.json").json()
    Unit.objects.filter(slug="marucoin").update(label_en="Marucoin")
    after = client.get("/api/units/asset:marucoin.json").json()
    assert {**after, "updatedAt": ""} == {**before, "updatedAt": "", "labelEn": "Marucoin"}


def test_a_merged_unit_leads_on_in_the_language_of_the_page(client: Client, world: World) -> None:
    merge(make_unit("maru-old", "옛 마루"), world.asset, now=NOON)
    for prefix in ("", "/en"):
        moved = client.get(f"{prefix}/asset/maru-old")
        assert (moved.status_code, moved.headers["Location"]) == (308, f"{prefix}/asset/marucoin")


def test_errors_of_english_addresses_are_english(client: Client, world: World) -> None:
    Unit.objects.filter(slug="maru-premium").update(status=Status.RETRACTED)
    for path, status in (
        ("/en/asset/nothing", 404),
        ("/en/nothing/at/all", 404),
        ("/en/topic/maru-premium", 410),
    ):
        response = client.get(path)
        page = response.content.decode()
        assert response.status_code == status
        assert '<html lang="en">' in page
        assert not re.findall("[가-힣]+", re.sub(r'<a class="language".+?</a>', "", page)), path
    assert "페이지를 찾을 수 없습니다" in text_of(client, "/asset/nothing")


def test_pages_that_are_all_frame_have_no_korean_in_english(client: Client, world: World) -> None:
    for path in ("/en/about", "/en/terms", "/en/docs", "/en/ask", "/en/numbers", "/en/status", "/en/pulses"):
        page = re.sub(r'<(\w+)\b[^>]*\slang="ko"[^>]*>.*?</\1>', "", text_of(client, path), flags=re.S)
        assert not re.findall("[가-힣]+", page), path
