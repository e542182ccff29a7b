"""The pages that readers come to."""

import gzip
import json
import re
from contextlib import ExitStack, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from archive.days import yesterday
from archive.rehearsal import rehearse
from knowledge.counting import fold
from knowledge.errors import Busy
from knowledge.search.bulkhead import SEARCHES
from tests.factories.knowledge import make_pulse, make_unit
from tests.factories.series import make_series, observe
from tests.factories.world import QUESTION, World
from tests.feeds.surfaces import PAGES, rebuild, text_of

pytestmark = pytest.mark.django_db
STATIC = Path(settings.BASE_DIR) / "static"
KINDS = [
    *PAGES,
    "/ask",
    "/search?q=마루코인",
    "/asset/marucoin",
    "/creator/maru-ledger",
    "/event/2026-03-maru-listing",
    "/topic/maru-premium",
    "/entity/do-yeonwoo",
    "/en/numbers",
    "/number/maru-rate",
    "/en/number/price-maru",
    "answer",
    "/city",
    "day",
]


@pytest.fixture
def city(stopped_clock: object, world: World) -> None:
    """Three days of the city up to yesterday, which stays the same day while the pages are read."""
    list(rehearse(3, until=yesterday(timezone.now())))
    rebuild()


def address_of(kind: str, world: World) -> str:
    return {"answer": world.answer, "day": f"/city/{yesterday(timezone.now())}"}.get(kind, kind)


def test_every_kind_of_page_is_complete_small_and_asks_nothing_of_anybody_else(
    client: Client, city: None, world: World
) -> None:
    for path in (address_of(kind, world) for kind in KINDS):
        response = client.get(path)
        page = response.content.decode()
        assert response.status_code == 200, path
        assert page.count("<h1") == 1, path
        assert re.search(r'<html lang="(ko|en)">', page), path
        assert 'href="#main"' in page, path
        # From any page; an answer has one more, to ask on.
        forms = re.findall('<form[^>]* action="/(?:en/)?(?:ask|search)"', page)
        assert len(forms) == 1 + path.startswith("/ask/q/"), path
        assert not re.findall(r"<script(?! type=\"application/ld\+json\")", page), path
        assert not re.findall(r'(?:src|<link[^>]+rel="stylesheet"[^>]+href)="https?://', page), path
        assert " style=" not in page, path
        assert not response.cookies, path
        identifiers = re.findall(r'\sid="([^"]+)"', page)
        assert len(identifiers) == len(set(identifiers)), path
        assert sent_bytes(page) < 30_000, path


def sent_bytes(page: str) -> int:
    """What a reader's first visit costs: the page and its stylesheets, compressed."""
    styles = [STATIC / f"{name}.css" for name in ("madang", "city") if f"/{name}." in page]
    assert styles
    return sum(
        len(gzip.compress(each)) for each in (page.encode(), *(style.read_bytes() for style in styles))
    )


def test_a_shared_link_shows_what_every_kind_of_page_is(client: Client, city: None, world: World) -> None:
    for path in (address_of(kind, world) for kind in KINDS):
        page = client.get(path).content.decode()
        said = dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', page))
        names = ("description", "og:title", "og:description", "og:type", "og:locale")
        assert all(said.get(name) for name in names), path
        assert said["og:url"] == f"{settings.BASE_URL}{path.split('?')[0]}"
        assert f'<link rel="canonical" href="{said["og:url"]}">' in page
        assert re.fullmatch(rf"{settings.BASE_URL}/static/card[.a-z0-9]*\.png", said["og:image"]), path


def test_the_picture_of_shared_links_is_a_small_png_of_the_size_that_pages_state() -> None:
    picture = (STATIC / "card.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])) == (1200, 630)
    assert len(picture) < 60_000


def test_an_answer_is_a_question_with_its_accepted_answer_for_machines(client: Client, world: World) -> None:
    page = client.get(world.answer).content.decode()
    block = re.search(r'<script type="application/ld\+json">(.+?)</script>', page)
    assert block
    shown, crumbs = json.loads(block[1])["@graph"]
    question = shown["mainEntity"]
    assert (shown["@type"], question["@type"], crumbs["@type"]) == ("WebPage", "Question", "BreadcrumbList")
    assert question["name"] == QUESTION
    accepted = question["acceptedAnswer"]
    assert accepted["@type"] == "Answer"
    assert "발행 상한은 3억 6천만 개이고" in accepted["text"]
    assert "[1]" not in accepted["text"]
    assert accepted["citation"][0]["url"] == f"{settings.BASE_URL}/asset/marucoin"


def test_an_asset_page_shows_where_everything_comes_from(client: Client, world: World) -> None:
    page = text_of(client, "/asset/marucoin")
    for said in (
        "마루코인 새벽거래소 상장",
        "새벽경제",
        "마루방송",
        "◈ 마루 장부 · AI persona",
        "asset:marucoin",
    ):
        assert said in page
    assert "Madang, http://localhost:8000/asset/marucoin" in page
    # This week's documents alone are no chart.
    assert page.count("<figure") == page.count("<details>") == 2
    fold()
    assert text_of(client, "/asset/marucoin").count("<figure") == 3
    assert 'href="?page=2#documents"' in page
    older = text_of(client, "/asset/marucoin?page=3")
    assert "26번째" in older
    assert "26번째" not in page
    assert client.get("/asset/marucoin?page=4").status_code == 404
    assert client.get("/asset/marucoin?page=0").status_code == 404


def test_figures_come_before_what_is_written_and_opinions_last(client: Client, world: World) -> None:
    fold()
    page = text_of(client, "/asset/marucoin")
    order = [
        page.index(f">{word}")
        for word in ("새 소식</h2>", "사건</h2>", "물어볼 만한 것</h2>", "AI 페르소나의 의견")
    ]
    assert order == sorted(order)
    assert page.index('class="value"') < page.index('class="lead"') < order[0]
    assert "<details" in page[order[2] : order[3]]
    assert f'href="{world.answer}"' in page
    assert "뉴스·영상 " in page
    assert "아직" not in page
    assert not re.search(r"\d\d:\d\d</time>", page)


def test_a_range_is_another_chart_at_the_same_canonical_address(client: Client, world: World) -> None:
    whole, month = (text_of(client, f"/asset/marucoin{query}") for query in ("", "?range=30"))
    canonical = f'<link rel="canonical" href="{settings.BASE_URL}/asset/marucoin">'
    assert canonical in whole
    assert canonical in month
    assert ('content="noindex"' in whole, 'content="noindex"' in month) == (False, True)
    assert client.get("/asset/marucoin?range=31").status_code == 404


def test_a_premium_is_drawn_once(client: Client, world: World) -> None:
    assert 'id="plot-premium"' in text_of(client, "/asset/marucoin")
    make_series("maru-premium", "premium:marucoin", holder=world.topic, cadence="hourly")
    for hours in range(3):
        observe("premium:marucoin", timezone.now() - timedelta(hours=hours), hours)
    page = text_of(client, "/asset/marucoin")
    assert 'id="plot-premium"' not in page
    assert 'href="/number/maru-premium"' in page


def test_an_event_names_what_happened_since(client: Client, world: World) -> None:
    assert "마루코인 첫 보상 감소" in text_of(client, world.event.get_absolute_url())
    assert "이 뒤에 일어난 일" not in text_of(client, world.later.get_absolute_url())


def test_a_search_finds_and_leads_on(client: Client, world: World) -> None:
    page = text_of(client, "/search?q=마루코인")
    assert 'href="/asset/marucoin"' in page
    more = re.search(r'rel="next" href="\?([^"]+)"', page)
    assert more
    following = text_of(client, "/search?" + more[1].replace("&amp;", "&"))
    assert 'href="/asset/marucoin">마루코인<' not in following


@pytest.mark.parametrize("query", ["q=%21%21", "q=" + "a" * 201, "q=마루&cursor=zzz", "q=마루&kind=nothing"])
def test_a_search_that_cannot_be_read_says_why(client: Client, world: World, query: str) -> None:
    response = client.get(f"/search?{query}")
    assert response.status_code == 400
    assert 'role="alert"' in response.content.decode()


def test_a_busy_search_page_says_when_to_come_back(client: Client, world: World) -> None:
    with ExitStack() as searches:
        with suppress(Busy):
            for _ in range(100):
                searches.enter_context(SEARCHES)
        response = client.get("/search?q=마루")
    assert (response.status_code, response["Retry-After"]) == (503, "1")
    assert client.get("/search?q=마루").status_code == 200


@pytest.mark.parametrize("path", ["/nothing-here", "/topic/marucoin", "/docs/", "/city/2026-13-01"])
@pytest.mark.parametrize("debug", [False, True])
def test_a_developers_server_shows_the_same_unknown_page(
    client: Client, world: World, settings: Any, path: str, debug: bool
) -> None:
    settings.DEBUG = debug
    response = client.get(path)
    assert response.status_code == 404
    assert "페이지를 찾을 수 없습니다" in response.content.decode()
    assert client.get("/api" + path)["Content-Type"] == "application/problem+json"


def test_an_unknown_page_answers_with_the_database_away(
    client: Client, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_name: str) -> None:
        raise OperationalError

    monkeypatch.setattr("knowledge.queries.names.nearest_units", away)
    assert client.get("/nothing-here").status_code == 404


def test_pages_are_pages_for_reading_only(client: Client, world: World) -> None:
    for path in (*PAGES, "/asset/marucoin.md", "/rss.xml", "/robots.txt", "/openapi.json"):
        assert client.post(path).status_code == 405, path


def test_pulses_of_one_hour_are_one_line_that_opens_to_a_table(client: Client, world: World) -> None:
    sizes = (-5.0, -12.9, -8.2)
    now = timezone.now().replace(minute=0, second=30) - timedelta(hours=2)
    for number, size in enumerate(sizes):
        asset = make_unit(f"fallen-{number}", f"떨어진코인{number}")
        make_pulse(asset, f"f{number}", now, magnitude_pct=size, sources=[{"url": "https://dawn.example/1"}])
    rebuild()
    page = text_of(client, "/pulses")
    line, table = page.split("3개 자산 동반 하락")[1].split("</details>")[0].split("</summary>")
    assert "−12.9%" in line
    assert table.count('<tr class="head">') == len(sizes)
    assert '<a href="https://dawn.example/1" rel="noopener nofollow">새벽경제</a>' in table
    assert "출처 1" not in page
    assert "168시간" not in page
    assert "3개 자산 동반 하락" in text_of(client, "/")
    assert "3 assets fell together" in text_of(client, "/en/pulses")


@pytest.mark.usefixtures("stopped_clock")
@pytest.mark.parametrize("path", ["/", "/asset", "/asset/marucoin", "/about", "/docs"])
def test_a_page_that_did_not_change_is_not_sent_again(client: Client, world: World, path: str) -> None:
    response = client.get(path)
    again = client.get(path, headers={"if-none-match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "max-age" in response["Cache-Control"]
    assert client.head(path)["ETag"] == response["ETag"]


def test_a_search_shows_the_record_of_that_name_first(client: Client, world: World) -> None:
    page = text_of(client, "/search?q=MARUX")
    rows = re.findall(r'<li><a class="name" href="([^"]+)"[^>]*>([^<]+)<', page)
    assert rows[0] == ("/asset/marucoin", "마루코인")
    assert rows.count(rows[0]) == 1
