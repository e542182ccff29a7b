"""Asking the services over a real socket."""

from typing import Any

import pytest

from archive.models import Signal, SisterService
from archive.sisters import pull, pull_all, signal_url
from knowledge.sources.http.client import HttpClient
from tests.archive.made import DAY, MIDNIGHT, SECRET, answering, body_of, raw_signal
from tests.fakes.replay import Exchange, Replay, replay_server  # noqa: F401  a fixture

pytestmark = pytest.mark.django_db


def http() -> HttpClient:
    return HttpClient(
        allow_private=True,
        user_agent="Madang-Test/1.0",
        connect_seconds=1.0,
        total_seconds=2.0,
        interval_seconds=0.0,
    )


@pytest.fixture
def market(replay: Replay) -> SisterService:
    service = SisterService.objects.get(slug="market")
    service.url, service.secret, service.active = replay.url("/signal?key=1"), SECRET, True
    service.save()
    return service


def test_a_signed_signal_is_taken_and_the_service_is_asked_for_the_day(
    replay: Replay, market: SisterService
) -> None:
    replay.handle("/signal", answering(body_of(raw_signal("market"))))
    assert pull_all(DAY, now=MIDNIGHT, http=http()) == {"market": ""}
    assert replay.asked[0].query == "key=1&day=2026-11-20"
    assert Signal.objects.get().received_at == MIDNIGHT
    market.refresh_from_db()
    assert market.last_success_at == MIDNIGHT
    assert market.last_refusal == ""


@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (answering(body_of(raw_signal("market")), "0" * 64), "signature"),
        (answering(body_of(raw_signal("media"))), "service"),
        (answering(body_of(raw_signal("market", metrics={"upShare": 7}))), "metrics.upShare"),
        (answering(b"<html>"), "body"),
        (lambda exchange: exchange.answer(b"", status=500), "status"),
        (lambda exchange: exchange.answer(body_of(raw_signal("market"))), "signature"),
    ],
)
def test_a_bad_signal_is_refused_with_a_reason_and_nothing_is_kept(
    replay: Replay, market: SisterService, handler: Any, reason: str
) -> None:
    replay.handle("/signal", handler)
    assert pull(market, DAY, now=MIDNIGHT, http=http()).startswith(reason)
    market.refresh_from_db()
    assert market.last_refusal.startswith(reason)
    assert (market.last_pulled_at, market.last_success_at) == (MIDNIGHT, None)
    assert not Signal.objects.exists()


def test_no_reason_holds_the_secret(
    replay: Replay, market: SisterService, caplog: pytest.LogCaptureFixture
) -> None:
    replay.handle("/signal", answering(b"{}", "f" * 64))
    assert SECRET not in pull(market, DAY, now=MIDNIGHT, http=http()) + caplog.text


def test_neither_a_refusal_nor_its_line_holds_what_the_address_hides(
    replay: Replay, market: SisterService, caplog: pytest.LogCaptureFixture
) -> None:
    market.url = replay.url(f"/away/{SECRET.replace(' ', '%20')}?auth=hush47&sig=hush48")
    market.save()
    reason = pull(market, DAY, now=MIDNIGHT, http=http())
    market.refresh_from_db()
    for text in (reason, market.last_refusal, caplog.text):
        assert "HTTP 404" in text
        assert "hush4" not in text
        assert "harbour" not in text


def test_a_service_that_is_switched_off_is_not_asked(replay: Replay, market: SisterService) -> None:
    market.active = False
    market.save()
    assert pull_all(DAY, now=MIDNIGHT, http=http()) == {}
    assert replay.asked == []


def test_one_service_out_of_order_stops_no_other(replay: Replay, market: SisterService) -> None:
    replay.handle("/media", answering(body_of(raw_signal("media"))))
    SisterService.objects.filter(slug="media").update(url=replay.url("/media"), secret=SECRET, active=True)
    found = pull_all(DAY, now=MIDNIGHT, http=http())
    assert found["market"].startswith("status")
    assert found["media"] == ""


def test_the_day_stands_beside_what_the_address_has() -> None:
    assert signal_url("https://a.example/s", DAY) == "https://a.example/s?day=2026-11-20"


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("tag=a&tag=b", "tag=a&tag=b&day=2026-11-20"),
        ("empty=&day=2020-01-01&x=1", "empty=&x=1&day=2026-11-20"),
    ],
)
def test_parameters_of_the_address_stay_as_often_as_they_stand_there(query: str, asked: str) -> None:
    assert signal_url(f"https://a.example/s?{query}", DAY) == f"https://a.example/s?{asked}"
