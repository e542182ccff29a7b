"""The strict policy holds on every kind of page of the desk: nothing is blocked, nothing complains."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page

from tests.factories.world import World

pytestmark = pytest.mark.slow

LISTEN = """
window.refused = [];
document.addEventListener("securitypolicyviolation",
  (event) => window.refused.push([event.effectiveDirective, event.blockedURI, event.sample]));
"""


def pages(*, whole: bool) -> list[str]:
    """The fixed pages, and of every model its list, a row, and in turn another kind of page, or each of them."""
    each_kind = ("history", "delete")
    fixed = ("index", "password_change", "second_factor", "password_change_done")
    found = [reverse(f"admin:{name}") for name in fixed]
    for turn, model in enumerate(admin.site._registry):
        stem = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        row = model._default_manager.first()
        found.append(reverse(f"{stem}_changelist"))
        if row is not None:
            found += [
                reverse(f"{stem}_{kind}", args=[row.pk])
                for kind in (
                    "change",
                    *(each_kind if whole else (("history",), (), ("delete",), ())[turn % 4]),
                )
            ]
        if whole or row is None or turn % 3 == 0:
            found.append(reverse(f"{stem}_add"))
    return [*found, *(reverse(f"admin:knowledge_alias_{kind}") for kind in ("import", "export"))]


def signed_in(site: str, browser: Browser) -> tuple[Any, Page]:
    client = Client()
    client.force_login(User.objects.get(username="chief"))
    context = browser.new_context(locale="ko-KR")
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": f"{site}/admin/"}])
    context.add_init_script(LISTEN)
    return context, context.new_page()


def complaint(said: Any) -> bool:
    """What a page says of itself; Chromium notes a form that nobody may use (403) and looks for its icon."""
    expected = "403" in said.text or said.location["url"].endswith("/favicon.ico")
    return said.type in ("error", "warning") and not expected


@pytest.mark.parametrize(
    "whole", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["shared", "whole"]
)
def test_no_page_of_the_desk_breaks_the_policy(
    browser: Browser, site: tuple[str, World], *, whole: bool
) -> None:
    address, _world = site
    User.objects.create_superuser("chief", password="right words here")
    context, page = signed_in(address, browser)
    problems: list[Any] = []
    page.on("console", lambda said: problems.append((page.url, said.text)) if complaint(said) else None)
    page.on("pageerror", lambda error: problems.append((page.url, str(error))))
    visited = pages(whole=whole)
    if whole:
        visited = [path for path in visited for _scheme in range(4)]  # the fourth look is in dark
    opened = 0
    for turn, path in enumerate(visited):
        # All that another scheme can load is named by style sheets, which are the same on many pages.
        page.emulate_media(color_scheme="light" if turn % 4 else "dark")
        answer = page.goto(address + path)
        assert answer is not None
        assert answer.status in (200, 403), (path, answer.status)
        opened += answer.status == 200
        problems += [(path, each) for each in page.evaluate("window.refused")]
    assert problems == []
    assert opened > len(visited) // 2
    context.close()


def test_signing_in_enrolling_and_changing_the_language_need_no_script(
    browser: Browser, site: tuple[str, World]
) -> None:
    address, _world = site
    User.objects.create_superuser("chief", password="right words here")
    context = browser.new_context(java_script_enabled=False, locale="ko-KR")
    page = context.new_page()
    page.goto(address + reverse("admin:index"))
    page.fill("#id_username", "chief")
    page.fill("#id_password", "right words here")
    page.get_by_role("button", name="로그인").click()
    page.get_by_role("link", name="2단계 인증 켜기").click()
    page.get_by_role("button", name="등록 시작").click()
    assert page.locator("svg.desk-qr path").is_visible()
    page.goto(address + reverse("admin:second_factor"))
    page.get_by_role("button", name="English").click()
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.get_by_role("button", name="Begin").is_visible()
    page.goto(address + "/about")
    assert [each["path"] for each in context.cookies()] == ["/admin/"] * len(context.cookies())
    context.close()
    assert Session.objects.exists()
