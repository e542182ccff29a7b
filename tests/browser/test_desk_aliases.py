"""Two mornings of an editor: an alias mended and its documents followed, a file with one bad row brought in."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page

from knowledge.ingestion import relinking
from knowledge.models import Alias, Status, Unit
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db(transaction=True)
MOST_CLICKS = 9


class Editor:
    """A signed-in page that counts its clicks and keeps what the content policy refused."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address, self.clicks = page, address, 0
        self.refused: list[str] = []
        page.on("console", lambda message: self._hear(message.text))

    def _hear(self, text: str) -> None:
        if "Content Security Policy" in text:
            self.refused.append(text)

    def click(self, selector: str) -> None:
        self.clicks += 1
        self.page.click(selector)

    def open(self, path: str) -> None:
        self.page.goto(self.address + path)


@pytest.fixture
def editor(live_server: Any, browser: Browser) -> Any:
    client = Client()
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    context = browser.new_context(locale="ko-KR")
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    yield Editor(context.new_page(), live_server.url)
    context.close()


def test_an_alias_is_tried_mended_and_followed(editor: Editor) -> None:
    unit = make_unit("luna", "테라루나")
    Alias.objects.create(unit=unit, surface="루나틱코인")
    make_document(make_source(), title="달빛코인 시세가 올랐다")
    editor.open(f"/admin/knowledge/entity/{unit.pk}/change/")
    page = editor.page
    page.fill("#id_aliases-0-surface", "달빛코인")
    page.fill("#try_sentence", "달빛코인 시세가 올랐다")
    editor.click("input[name=_try]")
    assert page.inner_text(".alias-sentence mark") == "달빛코인"
    assert not Alias.objects.filter(surface="달빛코인").exists()
    editor.click("input[name=_save]")
    assert "문서 1건을 다시 잇습니다" in page.inner_text(".messagelist")
    while relinking.proceed(now=NOON):
        pass
    editor.click(".messagelist a[href*=relinking]")
    assert "이어짐 달빛코인 시세가 올랐다" in page.inner_text(".alias-relinking li")
    assert editor.clicks <= MOST_CLICKS
    assert editor.refused == []


def test_a_file_with_one_bad_row_stores_nothing_until_it_is_mended(editor: Editor, tmp_path: Path) -> None:
    make_unit(summary="옛 요약")
    file = tmp_path / "units.csv"
    bad = "id,label,summary\nasset:btc,비트코인,새 요약\nasset:BAD,나쁜 것,\n"
    file.write_text(bad, encoding="utf-8-sig")
    editor.open("/admin/knowledge/entity/")
    page = editor.page
    editor.click("text=가져오기")
    page.set_input_files("input[type=file]", file)
    assert page.input_value("#id_format") == "0", "told by the file's name"
    editor.click("input[type=submit]")
    assert "슬러그" in page.inner_text(".exchange-problems")
    assert "아무것도 저장하지 않았습니다" in page.inner_text("[role=alert]")
    assert Unit.objects.get().summary == "옛 요약"
    file.write_text(bad.replace("BAD", "good"), encoding="utf-8-sig")
    page.set_input_files("input[type=file]", file)
    editor.click("input[type=submit]")
    assert page.inner_text(".exchange-changes ins >> nth=0") == "새 요약"
    editor.click(".exchange-confirm input[type=submit]")
    assert "새로 1건, 바뀜 1건" in page.inner_text(".messagelist")
    assert Unit.objects.get(slug="good").status == Status.DRAFT
    assert editor.clicks <= MOST_CLICKS
    assert editor.refused == []
