"""The frame around the editors' pages: order, name, headers, and nothing of it on the public side."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from desk.sections import SECTIONS

pytestmark = pytest.mark.django_db

PUBLIC = ("/", "/about", "/api/health", "/api/canonical/entities.json", "/ask", "/search")


@pytest.fixture
def chief(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("chief"))
    return client


def test_the_lists_stand_in_the_order_of_the_days_work(chief: Client) -> None:
    shown = chief.get(reverse("admin:password_change")).context["available_apps"]
    assert [app["app_label"] for app in shown] == [section.name for section in SECTIONS]
    assert [model["object_name"] for model in shown[0]["models"]][:2] == ["EventCluster", "PossibleMerge"]


def test_every_registered_model_has_one_section() -> None:
    named = [name for section in SECTIONS for name in section.models]
    assert {model._meta.label for model in admin.site._registry} - set(named) == set()
    assert sorted(set(named)) == sorted(named)


def test_the_desk_carries_the_services_name_and_leads_to_the_public_site(chief: Client) -> None:
    page = chief.get(reverse("admin:index")).content.decode()
    assert "Madang 편집실" in page
    assert '<a href="/">' in page


def test_pages_of_editors_have_a_strict_policy_and_are_kept_nowhere(chief: Client) -> None:
    answer = chief.get(reverse("admin:index"))
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "no-store" in answer.headers["Cache-Control"]
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_session_ends_after_a_working_day_and_stays_within_the_desk() -> None:
    User.objects.create_user("mina", password="right words here", is_staff=True)
    data = {"username": "mina", "password": "right words here", "next": reverse("admin:index")}
    cookie = Client().post(reverse("admin:login"), data).cookies["sessionid"]
    assert (cookie["max-age"], cookie["path"], cookie["httponly"]) == (8 * 3600, "/admin/", True)


@pytest.mark.parametrize("path", PUBLIC)
def test_public_pages_set_no_cookie_and_run_nothing_of_the_desks(
    client: Client, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_args: Any, **_kwargs: Any) -> None:
        raise AssertionError("a public page ran the editors' middleware")

    monkeypatch.setattr("axes.middleware.AxesMiddleware.__call__", never)
    monkeypatch.setattr("django_otp.middleware.OTPMiddleware._install_lazy_accessors", never)
    monkeypatch.setattr("simple_history.middleware._context_manager", never)
    answer = client.get(path)
    assert answer.status_code == 200
    assert not answer.cookies
    assert "Cookie" not in answer.headers.get("Vary", "")


def test_the_address_without_its_slash_leads_to_the_desk(client: Client) -> None:
    assert client.get("/admin").headers["Location"] == "/admin/"


def test_the_checks_of_all_packages_find_nothing() -> None:
    call_command("check", fail_level="WARNING")
