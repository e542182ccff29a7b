"""An operator's morning with a source that fails, on the real pages."""

from collections.abc import Iterator
from typing import Any

import pytest
from celery import current_app
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from knowledge import tasks
from knowledge.models import Document, FetchRun, RunOutcome, Source
from knowledge.sources.http.client import HttpClient
from tests.factories.knowledge import make_source
from tests.fakes.replay import Replay, replay_server  # noqa: F401  a fixture

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>"
FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>t</title><item><guid>1</guid>
<title>마루코인 새 소식</title><link>https://paper.example/1</link></item></channel></rss>"""


class Hand:
    """Clicks as an editor does, and counts them."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def click(self, role: Any, name: str) -> None:
        self.clicks += 1
        self.page.get_by_role(role, name=name, exact=True).first.click()


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A worker that takes every task at once, with a door that reaches the replay server."""
    http = HttpClient(
        allow_private=True,
        user_agent="Madang-Test/1.0",
        connect_seconds=1.0,
        total_seconds=2.0,
        interval_seconds=0.0,
    )
    monkeypatch.setattr(tasks, "http_client", lambda: http)
    current_app.conf.task_always_eager = True
    yield
    current_app.conf.task_always_eager = False


@pytest.fixture
def source(replay: Replay) -> Source:
    now = timezone.now()
    failing = make_source(
        name=f"새벽일보 {HOSTILE}", url=replay.url("/rss"), consecutive_failures=3, last_cause="status"
    )
    FetchRun.objects.create(
        source=failing,
        started_at=now,
        outcome=RunOutcome.FAILED,
        cause="status",
        detail=f"HTTP 404 {HOSTILE}",
    )
    return failing


@pytest.fixture
def page(live_server: Any, browser: Browser, client: Any) -> Iterator[Page]:
    """The desk, signed in; a dialog, a failing script, a refused resource or a request elsewhere fails the test."""
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    context = browser.new_context(base_url=live_server.url, locale="ko")
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    opened, wrong = context.new_page(), []
    opened.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
    opened.on("pageerror", lambda error: wrong.append(f"script: {error}"))
    opened.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    opened.on(
        "request", lambda asked: None if asked.url.startswith(live_server.url) else wrong.append(asked.url)
    )
    yield opened
    assert wrong == []
    context.close()


@pytest.mark.usefixtures("worker")
def test_a_failing_source_is_found_paused_repaired_and_run(
    page: Page, source: Source, replay: Replay
) -> None:
    page.goto("/admin/")
    hand = Hand(page)
    trouble = page.get_by_role("region", name="실패하는 출처")
    expect(trouble).to_contain_text("실패 중 · 오류 상태 코드")
    hand.click("link", source.name)
    expect(page.locator(".desk-panel")).to_contain_text(f"HTTP 404 {HOSTILE}")

    hand.click("button", "멈춤")
    expect(page.locator(".desk-panel")).to_contain_text("멈춤")
    source.refresh_from_db()
    assert not source.enabled

    replay.serve("/rss", FEED.encode())
    hand.click("button", "다시 켜고 지금 수집")
    expect(page.get_by_role("status")).to_contain_text("방금 수집한 결과: 성공")
    expect(page.locator(".desk-panel .desk-state").first).to_have_text("정상")
    assert hand.clicks < 10
    source.refresh_from_db()
    assert (source.enabled, source.consecutive_failures, Document.objects.count()) == (True, 0, 1)

    Document.objects.update(title=HOSTILE, summary=HOSTILE)
    page.goto("/admin/knowledge/document/")
    expect(page.locator("#result_list")).to_contain_text(HOSTILE)


@pytest.mark.usefixtures("worker")
def test_a_source_is_paused_from_its_list_and_its_documents_deleted_in_a_few_clicks(
    page: Page, source: Source, replay: Replay
) -> None:
    replay.serve("/rss", FEED.encode())
    page.goto("/admin/knowledge/source/?state=failing")
    hand = Hand(page)
    hand.click("button", "지금 수집")
    expect(page.get_by_role("status")).to_contain_text("신규 1")
    hand.click("link", "문서를 모두 삭제…")
    expect(page.locator(".desk-panel")).to_contain_text("되돌릴 수 없습니다")
    hand.click("button", "문서 1건 삭제")
    expect(page.locator(".messagelist")).to_contain_text("문서 1건을 삭제했습니다")
    assert hand.clicks == 3
    source.refresh_from_db()
    assert (source.enabled, Document.objects.count()) == (False, 0)
