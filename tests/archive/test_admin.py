"""The city on the desk: what the services said, a try at one of them, and a secret that never comes back."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from archive import admin as city_admin
from archive.days import ONE_DAY, day_of
from archive.models import Sealing, Signal, SisterService, Snapshot
from knowledge.sources.http.client import HttpClient
from tests.archive.made import SECRET, answering, body_of, raw_signal, say, sealed
from tests.factories.knowledge import NOON
from tests.fakes.replay import Exchange, Replay, replay_server  # noqa: F401  a fixture

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stopped_at_noon")]

HOSTILE = "</title><script>alert(1)</script><img src=x onerror=alert(1)>"
TODAY = day_of(NOON)


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    return client


def someone(client: Client, *permissions: str) -> Client:
    user = User.objects.create_user("someone", is_staff=True)
    names = [name.split(".")[1] for name in permissions]
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    assert all(user.has_perm(name) for name in permissions), "the permissions must exist"
    client.force_login(user)
    return client


@pytest.fixture
def market(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> SisterService:
    http = HttpClient(
        allow_private=True,
        user_agent="Madang-Test/1.0",
        connect_seconds=1.0,
        total_seconds=2.0,
        interval_seconds=0.0,
    )
    monkeypatch.setattr(city_admin, "http_client", lambda: http)
    service = SisterService.objects.get(slug="market")
    service.url, service.secret = replay.url("/signal?apiKey=k3y"), SECRET
    service.save()
    return service


def url(service: SisterService, step: str = "change") -> str:
    return reverse(f"admin:archive_sisterservice_{step}", args=[service.pk])


def text(response: Any) -> str:
    return str(response.content.decode())


def state() -> tuple[Any, ...]:
    """Everything that a try may not change."""
    return (Signal.objects.count(), *SisterService.objects.order_by("pk").values_list())


def test_a_try_shows_what_would_be_kept_and_keeps_nothing(
    desk: Client, replay: Replay, market: SisterService
) -> None:
    made = NOON.isoformat()
    say("market", TODAY, at=NOON, generatedAt=made, metrics={"orders": 1})
    replay.handle("/signal", answering(body_of(raw_signal("market", TODAY, generatedAt=made))))
    before = state()
    shown = desk.post(url(market, "test"), {"day": TODAY.isoformat()})
    page, found = text(shown), shown.context["probe"]
    assert "저장할 수 있는 신호입니다" in page
    assert "버전 2(으)로 저장됩니다" in page
    assert (found.status, found.known, found.late) == (200, False, False)
    assert "거래 대금(원)" in page
    assert "15000000000" in page
    assert state() == before
    assert replay.last("/signal").query == f"apiKey=k3y&day={TODAY.isoformat()}"


def test_a_try_of_what_is_known_or_already_sealed_says_so(
    desk: Client, replay: Replay, market: SisterService
) -> None:
    day = TODAY - ONE_DAY
    sealed(day)
    replay.handle("/signal", answering(body_of(raw_signal("market", day))))
    page = text(desk.post(url(market, "test"), {"day": day.isoformat()}))
    assert "이미 버전 1(으)로 있어" in page
    assert "이미 봉인되어" in page


@pytest.mark.parametrize(
    ("handler", "reason", "status"),
    [
        (answering(b"{}", "0" * 64), "signature", 200),
        (answering(b"<html>" + HOSTILE.encode()), "body", 200),
        (lambda exchange: exchange.answer(b"", status=500), "status: HTTP 500", 500),
        (
            lambda exchange: exchange.answer(b"", status=302, headers={"Location": "gopher://x/"}),
            "forbidden",
            None,
        ),
    ],
)
def test_a_try_that_would_be_refused_says_why(
    desk: Client, replay: Replay, market: SisterService, handler: Any, reason: str, status: int | None
) -> None:
    replay.handle("/signal", handler)
    before = state()
    shown = desk.post(url(market, "test"))
    assert "저장하지 않을 신호입니다" in text(shown)
    assert reason in text(shown)
    assert shown.context["probe"].status == status
    assert state() == before
    for never in (SECRET, "k3y", "<script>alert", "<img src=x"):
        assert never not in text(shown)


def test_without_address_or_secret_nobody_is_asked(
    desk: Client, replay: Replay, market: SisterService
) -> None:
    SisterService.objects.update(secret="")
    assert "missing" in text(desk.post(url(market, "test")))
    assert replay.asked == []


def test_a_try_needs_a_post_and_its_permission(client: Client, replay: Replay, market: SisterService) -> None:
    operator = someone(client, "archive.view_sisterservice", "archive.change_sisterservice")
    assert operator.post(url(market, "test")).status_code == 403
    assert operator.get(url(market, "test")).status_code == 405
    assert "/test/" not in text(operator.get(url(market)))
    assert replay.asked == []


def test_who_may_test_does(client: Client, replay: Replay, market: SisterService) -> None:
    tester = someone(client, "archive.view_sisterservice", "archive.test_service")
    assert url(market, "test") in text(tester.get(url(market)))
    assert tester.post(url(market, "test")).status_code == 200
    assert len(replay.asked) == 1


@pytest.mark.parametrize("permission", ["view_sisterservice", "change_sisterservice"])
def test_the_secret_and_the_key_in_the_address_never_come_back(
    permission: str, client: Client, market: SisterService
) -> None:
    pages = someone(client, f"archive.{permission}")
    shown = text(pages.get(url(market))) + text(pages.get(reverse("admin:archive_sisterservice_changelist")))
    assert "있음" in shown
    for never in (SECRET, "k3y"):
        assert never not in shown


def test_saving_keeps_secret_and_key_unless_new_ones_are_given(desk: Client, market: SisterService) -> None:
    form = desk.get(url(market)).context["adminform"].form
    fields = {"name": "거래", "district": "항구", "url": form["url"].value(), "secret": "", "active": "on"}
    assert "***" in fields["url"]
    assert desk.post(url(market), fields).status_code == 302
    former, market_url = SECRET, market.url
    market.refresh_from_db()
    assert (market.secret, market.url, market.active, market.name) == (former, market_url, True, "거래")
    desk.post(url(market), {**fields, "secret": "another"})
    market.refresh_from_db()
    assert market.secret == "another"


def test_the_last_signals_are_shown_with_size_and_beginning_as_text(
    desk: Client, market: SisterService
) -> None:
    signal = say(
        "market", TODAY, at=NOON, generatedAt=NOON.isoformat(), highlights=[{"label": HOSTILE, "value": 1}]
    )
    SisterService.objects.update(name=HOSTILE, last_refusal=HOSTILE)
    size = len(bytes(signal.body))
    page = text(desk.get(url(market)))
    assert f'<td class="number">{size}</td>' in page
    assert "{&quot;schemaVersion&quot;: 1" in page
    pages = (
        url(market),
        reverse("admin:archive_sisterservice_changelist"),
        reverse("admin:archive_signal_changelist"),
        reverse("admin:archive_signal_change", args=[signal.pk]),
    )
    for address in pages:
        shown = text(desk.get(address))
        assert "<script>alert" not in shown, address
        assert "<img src=x" not in shown, address
        assert "&lt;script&gt;alert" in shown, address


def test_lists_of_the_city_ask_a_fixed_number_of_questions(desk: Client) -> None:
    lists = [
        reverse(f"admin:archive_{model._meta.model_name}_changelist")
        for model in (Signal, Snapshot, SisterService, Sealing)
    ]

    def questions() -> list[int]:
        counts = []
        for address in lists:
            with CaptureQueriesContext(connection) as asked:
                assert desk.get(address).status_code == 200
            counts.append(len(asked))
        return counts

    sealed(TODAY - ONE_DAY)
    few = questions()
    for back in range(2, 6):
        sealed(TODAY - ONE_DAY * back)
    assert questions() == few
    assert not any("facts" in query["sql"] for query in asked_of(desk, lists[1]))


def asked_of(desk: Client, address: str) -> list[dict[str, str]]:
    with CaptureQueriesContext(connection) as asked:
        desk.get(address)
    return list(asked)
