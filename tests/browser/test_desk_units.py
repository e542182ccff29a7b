"""An editor at the desk, on real pages: what takes few clicks, says first what it does, and is undone."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from knowledge.linking.store import link_documents
from knowledge.models import Unit
from tests.factories.knowledge import make_document, make_source, make_unit
from tests.feeds.surfaces import rebuild

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

CLICKS_MAX = 9  # each journey takes under ten


class Desk:
    """A browser in which an editor works, and how often they had to click."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0

    def click(self, target: Any) -> None:
        target.click()
        self.clicks += 1


@pytest.fixture
def desk(live_server: Any, browser: Browser, client: Client) -> Iterator[Desk]:
    """Fails its test when anything on a page breaks the policy, fails, or asks another host."""
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    rebuild()
    context = browser.new_context(base_url=live_server.url, locale="ko")
    session = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
    context.add_cookies([session])
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: pytest.fail(f"a script failed: {error}"))
    refused: list[str] = []
    page.on("console", lambda said: refused.append(said.text) if "Security Policy" in said.text else None)
    desk = Desk(page)
    yield desk
    context.close()
    assert not refused
    assert all(url.startswith((live_server.url, "data:")) for url in asked), asked
    assert desk.clicks <= CLICKS_MAX


def test_two_entities_are_merged_and_the_merge_is_undone(desk: Desk) -> None:
    survivor, loser = make_unit("maru", "마루코인"), make_unit("maru2", "마루토큰", aliases=["MARU2"])
    source = make_source()
    titles = ("마루코인 상장", "마루코인 급등", "마루토큰 소식")
    link_documents([make_document(source, str(n), title=title) for n, title in enumerate(titles)])
    page = desk.page
    page.goto("/admin/knowledge/entity/?q=마루")
    for row in page.locator("input.action-select").all():
        desk.click(row)
    page.locator("select[name=action]").first.select_option("merge_two")
    desk.click(page.get_by_role("button", name="실행").first)
    expect(page.locator(".direction")).to_contain_text("마루토큰 (asset:maru2) → 마루코인 (asset:maru)")
    expect(page.locator(".effect")).to_contain_text("2 → 3")
    expect(page.locator(".effect")).to_contain_text("MARU2")
    desk.click(page.get_by_role("button", name="병합하기"))
    expect(page.locator(".messagelist")).to_contain_text("병합했습니다")
    loser.refresh_from_db()
    assert loser.merged_into_id == survivor.pk
    desk.click(page.locator(".messagelist").get_by_role("link", name="되돌리기"))
    expect(page.locator(".effect")).to_contain_text("3 → 2")
    desk.click(page.get_by_role("button", name="되돌리기"))
    expect(page.locator(".messagelist")).to_contain_text("병합을 되돌렸습니다")
    assert page.request.get("/asset/maru2").status == 200


def test_a_survivor_is_found_as_one_types(desk: Desk) -> None:
    make_unit("maru", "마루코인")
    loser = make_unit("maru2", "미루토큰")
    page = desk.page
    page.goto(f"/admin/knowledge/entity/{loser.pk}/change/")
    desk.click(page.get_by_role("link", name="병합…"))
    desk.click(page.locator(".select2-selection"))
    page.locator(".select2-search__field").fill("마루")
    desk.click(page.locator(".select2-results__option", has_text="마루코인"))
    desk.click(page.get_by_role("button", name="무엇이 바뀌는지 보기"))
    expect(page.locator(".effect")).to_contain_text("/asset/maru")


def test_an_edit_is_reverted(desk: Desk) -> None:
    unit = make_unit("maru", "마루코인", summary="맞는 요약")
    page = desk.page
    page.goto(f"/admin/knowledge/entity/{unit.pk}/change/")
    page.get_by_label("요약:", exact=True).fill("<b>틀린</b> 요약")
    desk.click(page.get_by_role("button", name="저장 및 편집 계속"))
    desk.click(page.get_by_role("link", name="히스토리"))
    expect(page.locator(".history")).to_contain_text("<b>틀린</b> 요약")
    expect(page.locator(".history li").first).to_contain_text("editor")
    desk.click(page.get_by_role("link", name="이때로 되돌리기…"))
    expect(page.locator("ins")).to_have_text("맞는 요약")
    desk.click(page.get_by_role("button", name="되돌리기"))
    expect(page.locator(".history li").first).to_contain_text("되돌림")
    unit.refresh_from_db()
    assert unit.summary == "맞는 요약"


def test_a_unit_is_retracted_and_brought_back(desk: Desk) -> None:
    unit = make_unit("maru", "마루코인", summary="요약")
    page = desk.page
    page.goto(f"/admin/knowledge/entity/{unit.pk}/change/")
    desk.click(page.get_by_role("link", name="철회하기…"))
    expect(page.locator(".effect")).to_contain_text("/asset/maru")
    expect(page.locator(".effect")).to_contain_text("410")
    desk.click(page.get_by_role("button", name="철회하기"))
    expect(page.locator(".explained")).to_contain_text("철회했습니다")
    assert page.request.get("/asset/maru").status == 410
    desk.click(page.locator(".messagelist").get_by_role("link", name="되돌리기"))
    desk.click(page.get_by_role("button", name="공개하기"))
    expect(page.locator(".explained")).to_contain_text("사이트맵에 있습니다")
    assert Unit.objects.published().filter(pk=unit.pk).exists()
