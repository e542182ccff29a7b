"""The search page, and what is offered to whoever was nearly right."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from feeds.best_known import NAMES, names_offered
from knowledge.linking.store import link_documents
from knowledge.models import Status, Unit
from knowledge.search import indexing
from tests.factories.knowledge import make_document, make_source, make_unit
from tests.factories.world import World
from tests.feeds.surfaces import rebuild, text_of

pytestmark = pytest.mark.django_db


def rows_of(page: str) -> list[tuple[str, str]]:
    return re.findall(r'<li><a class="name" href="([^"]+)"[^>]*>([^<]+)<', page)


def wire_copies() -> None:
    now = timezone.now()
    documents = [
        make_document(
            make_source(f"outlet-{number}", name=name),
            str(number),
            url=f"https://{number}.example/story",
            title=f"{mark}마루코인, 새벽거래소 거래지원 종료",
            published_at=now - timedelta(minutes=number),
        )
        for number, (name, mark) in enumerate(
            (("새벽경제", ""), ("마루일보", "[속보] "), ("가나방송", "(종합) "))
        )
    ]
    link_documents(documents)
    while indexing.refresh():
        pass


def test_a_documents_title_leads_to_it_and_the_unit_stands_beside_it(client: Client, world: World) -> None:
    wire_copies()
    page = text_of(client, "/search?q=새벽거래소 거래지원 종료")
    address = re.search(r'<a class="name" href="(https://\d\.example/story)" rel="noopener nofollow">', page)
    assert address
    row = page[address.start() : page.index("</li>", address.start())]
    assert '<a class="aside" href="/asset/marucoin">→ 마루코인</a>' in row


def test_the_copies_of_one_story_are_one_row(client: Client, world: World) -> None:
    wire_copies()
    page = text_of(client, "/search?q=새벽거래소 거래지원 종료")
    told = re.search(r"<summary>3곳 보도</summary><ul>(.+?)</ul>", page, re.S)
    assert told
    copies = re.findall(r'href="https://(\d)\.example/story"', told[1])
    assert len(copies) == 2
    assert sum("거래지원 종료" in title for _address, title in rows_of(page)) == 1
    found = client.get("/api/search?q=새벽거래소 거래지원 종료").json()["items"]
    assert sum("거래지원 종료" in one["title"] for one in found) == 3, "programs get every record"


def test_a_unit_is_told_in_the_language_of_the_page(client: Client, world: World) -> None:
    for query in ("마루코인", "Marucoin"):
        assert "마루코인은 도연우가 만든 결제용 가상자산이다." in text_of(client, f"/search?q={query}")
        assert "Marucoin is a payment asset" in text_of(client, f"/en/search?q={query}")


def test_results_are_narrowed_to_assets(client: Client, world: World) -> None:
    page = text_of(client, "/search?q=마루&kind=asset")
    assert '<option value="asset" selected>자산</option>' in page
    assert {address for address, _title in rows_of(page)} == {"/asset/marucoin"}
    assert '<option value="entity">All entities</option>' in text_of(client, "/en/search")


@pytest.mark.parametrize("written", ["마루코잉", "마루커인", "marucion"])
def test_a_mistyped_name_is_asked_back(client: Client, world: World, written: str) -> None:
    page = unescape(text_of(client, f"/search?q={written}"))
    assert re.search(r'혹시 <a href="/asset/marucoin"><strong>마루코인</strong></a>\?', page)
    assert rows_of(page)[0] == ("/asset/marucoin", "마루코인")
    assert re.search(f"'{written}' 대신 '[^']+'(?:으로|로) 검색한 결과입니다.", page)
    assert "Did you mean" in text_of(client, f"/en/search?q={written}")


def test_a_name_too_short_to_be_mended_is_asked_back_all_the_same(client: Client, world: World) -> None:
    make_unit("eos", "이오스")
    page = text_of(client, "/search?q=이오수")
    assert '혹시 <a href="/asset/eos"><strong>이오스</strong></a>?' in page
    assert "대신" not in page


@pytest.mark.parametrize("query", ["마루코인", "마루코인 거래", "된장찌개"])
def test_nobody_is_asked_back_who_named_something_or_nothing_near(
    client: Client, world: World, query: str
) -> None:
    assert "혹시" not in text_of(client, f"/search?q={query}")


def test_what_no_record_holds_finds_nothing_and_ways_to_go_on_are_shown(client: Client, world: World) -> None:
    page = text_of(client, "/search?q=수수료와 김치찌개&kind=event")
    assert (rows_of(page), "검색 결과가 없습니다." in page, "혹시" in page) == ([], True, False)
    words = page[page.index("다음 단어는 기록에 있습니다:") :]
    held = re.findall(r'<a href="(/search[?]q=[^"&]+)">([^<]+)</a>', words)
    assert [said for _address, said in held] == ["수수료", "모든 종류에서 찾기"]
    assert rows_of(text_of(client, held[0][0]))
    assert '<a href="/topic">주제</a>' in page
    english = text_of(client, "/en/search?q=stew cap")
    assert "Nothing was found." in english
    assert '<a href="/en/search?q=cap">cap</a>' in english
    assert "Search every kind" not in english


@pytest.mark.parametrize("query", ["없는말쿄쿄", "쿄쿄뿅은", "asdfqwer", "김치찌개 레시피", "🍜 쿄쿄"])
def test_of_words_that_no_record_holds_none_is_offered(client: Client, world: World, query: str) -> None:
    page = text_of(client, f"/search?q={query}")
    assert (rows_of(page), "검색 결과가 없습니다." in page) == ([], True)
    assert "다음 단어는" not in page


def test_the_best_known_names_are_offered_in_the_language_of_the_page(client: Client, world: World) -> None:
    Unit.objects.filter(slug="do-yeonwoo").update(label_en="Do Yeonwoo", document_count=10**6)
    make_unit("hidden", "숨은 이름", status=Status.DRAFT)
    rebuild()
    korean, english = (
        re.findall(r'<option value="([^"]+)">', re.search("<datalist.+?</datalist>", page, re.S)[0])  # type: ignore[index]
        for page in (text_of(client, "/search"), text_of(client, "/en/search?q=maru"))
    )
    assert korean[0] == "도연우"
    assert english[0] == "Do Yeonwoo"
    assert "마루코인" in korean
    assert "숨은 이름" not in korean
    assert not any("상장" in name for name in korean), "events have no short names"
    Unit.objects.filter(slug="do-yeonwoo").update(status=Status.RETRACTED)
    rebuild()
    assert "도연우" not in names_offered()


def test_no_more_names_are_offered_than_a_page_has_room_for(client: Client) -> None:
    for number in range(NAMES + 3):
        make_unit(f"coin-{number}", f"동전{number:03}")
    rebuild()
    assert len(names_offered()) == NAMES


@pytest.mark.parametrize(
    "path",
    [
        "/asset/marucoi",
        "/topic/marucoin",
        "/asset/marucoinn",
        "/en/asset/marucoi",
        "/asset/marux",
        "/마루코인",
    ],
)
def test_an_unknown_address_leads_to_the_nearest(client: Client, world: World, path: str) -> None:
    response = client.get(path)
    page = response.content.decode()
    assert response.status_code == 404
    near = page[page.index('id="near"') :]
    assert re.search(r'<a href="(?:/en)?/asset/marucoin">', near)
    assert 1 <= near.count('<span class="badge">') <= 3
    assert 'name="robots" content="noindex"' in page


def test_an_unknown_address_can_be_searched_for(client: Client, world: World) -> None:
    page = client.get("/asset/some-coin").content.decode()
    assert 'value="some coin"' in page
    assert 'id="near"' not in client.get("/qqqq-zzzz").content.decode()
