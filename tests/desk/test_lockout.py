"""Guessing is stopped, nobody else is, and no address is kept."""

import logging
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from desk.sign_in import SIGN_INS
from knowledge.search.bulkhead import Bulkhead

pytestmark = pytest.mark.django_db

LOGIN = reverse("admin:login")
LOCKS = reverse("admin:axes_accessattempt_changelist")
HERE, THERE = "203.0.113.7", "198.51.100.9"


@pytest.fixture
def editor() -> User:
    return User.objects.create_user("mina", password="right words here", is_staff=True)


def attempt(name: str = "mina", password: str = "wrong", address: str = HERE, **headers: str) -> Any:
    data = {"username": name, "password": password, "next": reverse("admin:index")}
    return Client(REMOTE_ADDR=address, headers=headers).post(LOGIN, data)


def test_the_fifth_failure_of_a_name_locks_it_out_for_a_quarter_of_an_hour(editor: User) -> None:
    assert [attempt().status_code for _ in range(5)] == [200, 200, 200, 200, 429]
    refused = attempt(password="right words here")
    assert refused.status_code == 429
    assert 890 < int(refused.headers["Retry-After"]) <= 900
    assert "15분 뒤에" in refused.content.decode()
    with time_machine.travel(timezone.now() + timedelta(minutes=15, seconds=1)):
        assert attempt(password="right words here").status_code == 302


def test_the_page_of_the_locked_out_speaks_english_too(editor: User) -> None:
    for _ in range(5):
        page = attempt(accept_language="en")
    assert page.status_code == 429
    assert "minutes" in page.content.decode()


def test_a_lock_holds_for_the_address_that_guessed_and_no_other(editor: User) -> None:
    for _ in range(6):
        attempt()
    assert attempt(password="right words here", address=THERE).status_code == 302


def test_an_address_that_tries_many_names_is_locked_out_whatever_the_name(editor: User) -> None:
    answers = [attempt(name=f"guess{number}").status_code for number in range(20)]
    assert answers == [200] * 19 + [429]
    assert attempt(password="right words here").status_code == 429


def test_signing_in_clears_the_names_own_failures_and_not_its_neighbours(editor: User) -> None:
    for name in ("mina", "mina", "jisu"):
        attempt(name=name)
    attempt(password="right words here")
    assert list(AccessAttempt.objects.values_list("username", flat=True)) == ["jisu"]


def test_trying_while_locked_out_does_not_make_it_longer(editor: User) -> None:
    for _ in range(5):
        attempt()
    with time_machine.travel(timezone.now() + timedelta(minutes=10)):
        assert int(attempt().headers["Retry-After"]) <= 300


def test_no_address_browser_path_or_form_is_kept_and_nothing_is_logged(
    editor: User, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        attempt(user_agent="Browser of somebody")
        attempt(password="right words here", user_agent="Browser of somebody")
        attempt(name="jisu", user_agent="Browser of somebody")
    assert not any(word in caplog.text for word in (HERE, "mina", "jisu", "wrong"))
    row = AccessAttempt.objects.get()
    assert str(row.ip_address).startswith("fd")
    kept = (row.user_agent, row.http_accept, row.path_info, row.get_data, row.post_data)
    assert kept == ("", "", "", "", "")
    assert not AccessLog.objects.exists()
    assert not AccessFailureLog.objects.exists()


def test_the_visitor_is_who_our_own_proxy_says(editor: User, settings: Any) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    for number in range(5):
        locked = attempt(x_forwarded_for=f"10.9.8.{number}, {HERE}")
    assert locked.status_code == 429
    assert attempt(password="right words here", x_forwarded_for=f"{HERE}, {THERE}").status_code == 302


def test_a_right_password_without_its_code_is_no_failure(editor: User) -> None:
    TOTPDevice.objects.create(user=editor, name="phone", confirmed=True)
    attempt()
    for _ in range(6):
        assert attempt(password="right words here").status_code == 302
    assert AccessAttempt.objects.get().failures_since_start == 1


def test_a_guess_counts_before_it_is_looked_at_so_that_many_at_once_are_no_more_guesses(
    editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[int] = []
    right = "right words here"

    def slow(_user: User, _password: str) -> bool:
        looked_at.append(1)
        if len(looked_at) < 20:
            attempt(password=right)  # another one comes while this one is looked at
        return False

    monkeypatch.setattr(User, "check_password", slow)
    monkeypatch.setattr("desk.site.SIGN_INS", Bulkhead(99, retry_after=1))
    assert attempt(password=right).status_code == 429
    assert len(looked_at) == 5


def test_a_password_is_looked_at_without_a_connection_in_hand(
    editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    monkeypatch.setattr("desk.sign_in.release_connection", lambda: steps.append("released"))
    monkeypatch.setattr(User, "check_password", lambda *_: bool(steps.append("looked at")))
    monkeypatch.setattr(User, "set_password", lambda *_: steps.append("looked at"))
    attempt()
    attempt(name="nobody")
    assert steps == ["released", "looked at"] * 2


def test_a_third_sign_in_at_once_is_told_to_come_back_and_public_pages_are_not(
    editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[Any] = []

    def slow(_user: User, _password: str) -> bool:
        if len(answers) < 1:
            with SIGN_INS:
                answers.append(attempt(address=THERE))
        return False

    monkeypatch.setattr(User, "check_password", slow)
    assert attempt().status_code == 200
    (refused,) = answers
    assert (refused.status_code, refused["Retry-After"], refused["Cache-Control"]) == (503, "3", "no-store")
    text = refused.content.decode()
    assert "더 많은 로그인을 받을 수 없습니다" in text
    assert attempt(address=THERE).status_code == 200


def test_failures_that_no_longer_count_are_deleted_by_the_next_sign_in(editor: User) -> None:
    attempt(name="jisu")
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        attempt(password="right words here")
    assert not AccessAttempt.objects.exists()


def test_an_operator_sees_and_lifts_a_lock_and_a_publisher_does_neither(editor: User, client: Client) -> None:
    for _ in range(5):
        attempt()
    row = AccessAttempt.objects.get()
    lift = {"action": "lift", "_selected_action": [row.pk]}
    publisher = User.objects.create_user("publisher", is_staff=True)
    publisher.groups.add(Group.objects.get(name="publisher"))
    client.force_login(publisher)
    assert client.post(LOCKS, lift).status_code == 403
    operator = User.objects.create_user("operator", is_staff=True)
    operator.groups.add(Group.objects.get(name="operator"))
    client.force_login(operator)
    page = client.get(LOCKS).content.decode()
    assert "mina" in page
    assert HERE not in page
    assert attempt(password="right words here").status_code == 429
    client.post(LOCKS, lift)
    assert attempt(password="right words here").status_code == 302


def test_public_pages_and_health_know_nothing_of_locks(editor: User) -> None:
    for _ in range(6):
        attempt()
    visitor = Client(REMOTE_ADDR=HERE)
    for path in ("/api/health", "/about"):
        answer = visitor.get(path)
        assert answer.status_code == 200
        assert not answer.cookies
