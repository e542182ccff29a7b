"""Everything that can go wrong upstream, on the wire: the right refusal, the right money, in time."""

import gzip
import json
import os
import signal
import socket
import time
import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from pytest_django.fixtures import Settings

from ask import budget, model_calls, wire
from ask.ledger import ModelCall, Outcome, Purpose, Reservation, SpendDay
from ask.model_errors import ModelUnavailable
from tests.ask.model.conftest import KEY
from tests.fakes.messages_api import (
    HTML,
    MessagesApi,
    Reply,
    closed,
    cut,
    delayed,
    document,
    dribbled,
    failed,
    head,
    message,
    raw,
    reset,
    said,
)

pytestmark = pytest.mark.django_db

GOOD = json.dumps(message(said("네."))).encode()


def _bomb() -> bytes:
    """A whole answer with 200 MiB of blanks behind it: 200 KB on the wire."""
    packing = zlib.compressobj(9, wbits=31)
    # A full flush forgets what came before, so that the packed blanks are the same each time.
    start = packing.compress(GOOD) + packing.flush(zlib.Z_FULL_FLUSH)
    blanks = packing.compress(b" " * 2**20) + packing.flush(zlib.Z_FULL_FLUSH)
    return start + blanks * 200


BOMB = _bomb()
WHOLE, FREE, USAGE = "whole", "free", "usage"
USAGE_COST = 150  # 1,000 tokens in at 0.1 and 100 out at 0.5 USD a million


def _without(name: str) -> dict[str, Any]:
    return {key: value for key, value in message(said("네.")).items() if key != name}


FAULTS: dict[str, tuple[Reply, Outcome, str]] = {
    "silence": (delayed(9, raw(GOOD)), Outcome.TIMED_OUT, WHOLE),
    "a byte at a time": (dribbled(GOOD, 0.05), Outcome.TIMED_OUT, WHOLE),
    "head, then silence": (
        lambda one: (one.send(head(200, len(GOOD))), one.wait(9))[0],
        Outcome.TIMED_OUT,
        WHOLE,
    ),
    "half a status line": (lambda one: (one.send(b"HTTP/1.1 2"), one.wait(9))[0], Outcome.TIMED_OUT, WHOLE),
    "closed without a byte": (closed, Outcome.CUT, WHOLE),
    "reset at once": (reset(), Outcome.CUT, WHOLE),
    "reset in the body": (reset(head(200, len(GOOD)) + GOOD[:40]), Outcome.CUT, WHOLE),
    "cut in the body": (cut(GOOD, 40), Outcome.CUT, WHOLE),
    "shorter than promised": (cut(GOOD, len(GOOD), promised=len(GOOD) + 9), Outcome.CUT, WHOLE),
    "longer than promised": (
        lambda one: one.send(head(200, 20) + GOOD),
        Outcome.UNREADABLE,
        WHOLE,
    ),
    "no length, cut": (lambda one: one.send(head(200, None) + GOOD[:50]), Outcome.UNREADABLE, WHOLE),
    "broken chunks": (
        lambda one: one.send(head(200, None, {"Transfer-Encoding": "chunked"}) + b"zz\r\n{}\r\n0\r\n\r\n"),
        Outcome.CUT,
        WHOLE,
    ),
    "no HTTP": (lambda one: one.send(b"SSH-2.0-OpenSSH_9.2\r\n"), Outcome.CUT, WHOLE),
    "HTML with 200": (raw(HTML, content_type="text/html"), Outcome.UNREADABLE, WHOLE),
    "HTML that says JSON": (raw(HTML), Outcome.UNREADABLE, WHOLE),
    "JSON that says HTML, no message": (raw(b"{}", content_type="text/html"), Outcome.UNREADABLE, WHOLE),
    "empty body": (raw(b""), Outcome.UNREADABLE, WHOLE),
    "half a JSON": (raw(GOOD[:60]), Outcome.UNREADABLE, WHOLE),
    "null": (raw(b"null"), Outcome.UNREADABLE, WHOLE),
    "a string": (raw(b'"HTML"'), Outcome.UNREADABLE, WHOLE),
    "a list": (raw(b"[]"), Outcome.UNREADABLE, WHOLE),
    "nested too deep": (raw(b"[" * 100_000), Outcome.UNREADABLE, WHOLE),
    "not UTF-8": (raw(b'{"type": "\xff\xfe"}'), Outcome.UNREADABLE, WHOLE),
    "an endless body": (raw(b" " * 9 * 1024 * 1024), Outcome.UNREADABLE, WHOLE),
    "gzip that is none": (raw(GOOD, content_encoding="gzip"), Outcome.CUT, WHOLE),
    "gzip cut short": (raw(gzip.compress(GOOD)[:40], content_encoding="gzip"), Outcome.UNREADABLE, WHOLE),
    "gzip of a body without end": (
        raw(BOMB, content_encoding="gzip"),
        Outcome.UNREADABLE,
        WHOLE,
    ),
    "gzip of an error without end": (raw(BOMB, 500, content_encoding="gzip"), Outcome.UNREADABLE, WHOLE),
    "error with 200": (failed(200, "overloaded_error"), Outcome.UNREADABLE, WHOLE),
    "event stream": (
        raw(b"event: ping\ndata: {}\n\n", content_type="text/event-stream"),
        Outcome.UNREADABLE,
        WHOLE,
    ),
    "no usage": (document(_without("usage")), Outcome.UNREADABLE, WHOLE),
    "usage in words": (
        document(message(said("네."), usage={"input_tokens": "many", "output_tokens": 1})),
        Outcome.UNREADABLE,
        WHOLE,
    ),
    "negative usage": (
        document(message(said("네."), usage={"input_tokens": -5, "output_tokens": 1})),
        Outcome.UNREADABLE,
        WHOLE,
    ),
    "usage beyond numbers": (
        document(message(said("네."), usage={"input_tokens": 10**30, "output_tokens": 1})),
        Outcome.UNREADABLE,
        WHOLE,
    ),
    "usage of nothing": (
        document(message({"type": "text", "text": None}, usage={"input_tokens": 0, "output_tokens": 0})),
        Outcome.UNREADABLE,
        WHOLE,
    ),
    "no content": (document(_without("content")), Outcome.UNREADABLE, USAGE),
    "content null": (document(message(said("네."), content=None)), Outcome.UNREADABLE, USAGE),
    "content of strings": (document(message(said("네."), content=["네."])), Outcome.UNREADABLE, USAGE),
    "text null": (document(message({"type": "text", "text": None})), Outcome.UNREADABLE, USAGE),
    "no stop reason": (document(message(said("네."), stop_reason=None)), Outcome.UNREADABLE, USAGE),
    "somebody else's role": (document(message(said("네."), role="user")), Outcome.UNREADABLE, USAGE),
    "400": (failed(400, "invalid_request_error"), Outcome.REJECTED, FREE),
    "401": (failed(401, "authentication_error"), Outcome.REJECTED, FREE),
    "403": (failed(403, "permission_error"), Outcome.REJECTED, FREE),
    "404": (failed(404, "not_found_error"), Outcome.REJECTED, FREE),
    "413": (failed(413, "request_too_large"), Outcome.REJECTED, FREE),
    "429": (failed(429, "rate_limit_error", retry_after="3600"), Outcome.THROTTLED, FREE),
    "529": (failed(529, "overloaded_error"), Outcome.THROTTLED, FREE),
    "429 in HTML": (raw(HTML, 429, content_type="text/html"), Outcome.THROTTLED, FREE),
    "500": (failed(500, "api_error"), Outcome.FAILED, WHOLE),
    "502 in HTML": (raw(HTML, 502, content_type="text/html"), Outcome.FAILED, WHOLE),
    "503": (failed(503, "api_error", retry_after="3600"), Outcome.FAILED, WHOLE),
    "504": (failed(504, "timeout_error"), Outcome.FAILED, WHOLE),
    "a redirect": (raw(b"", 307, location="http://127.0.0.1:9/"), Outcome.FAILED, WHOLE),
}


def ask(now: datetime) -> model_calls.Paid:
    request = model_calls.message_request(content="질문", max_tokens=100)
    return model_calls.call(Purpose.ANSWER, request, now=now)


def booked(reservation: Reservation, charge: str) -> int:
    return {WHOLE: reservation.amount, FREE: 0, USAGE: USAGE_COST}[charge]


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_is_a_refusal_in_time_with_the_right_money(
    model: MessagesApi, now: datetime, name: str
) -> None:
    reply, outcome, charge = FAULTS[name]
    model.answer(reply)
    began = time.monotonic()
    with pytest.raises(ModelUnavailable) as refused:
        ask(now)
    assert time.monotonic() - began < model_calls.DEADLINE_SECONDS + 2
    assert (refused.value.status_code, refused.value.default_code) == (503, "model_unavailable")
    reservation = Reservation.objects.get()
    last = ModelCall.objects.order_by("-pk")[0]
    assert last.outcome == outcome
    assert reservation.charged == booked(reservation, charge)
    assert SpendDay.objects.get().answer == reservation.charged


def test_nobody_listening_costs_nothing(model: MessagesApi, now: datetime, settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        settings.ANTHROPIC_BASE_URL = f"http://127.0.0.1:{gone.getsockname()[1]}"
    with pytest.raises(ModelUnavailable):
        ask(now)
    assert ModelCall.objects.get().outcome == Outcome.UNREACHED
    assert SpendDay.objects.get().committed == 0


def test_a_listener_that_speaks_no_tls_costs_nothing(
    model: MessagesApi, now: datetime, settings: Settings
) -> None:
    settings.ANTHROPIC_BASE_URL = model.url.replace("http:", "https:")
    with pytest.raises(ModelUnavailable):
        ask(now)
    assert ModelCall.objects.get().outcome == Outcome.UNREACHED
    assert SpendDay.objects.get().committed == 0


@pytest.mark.parametrize("status", [429, 529])
def test_an_overloaded_model_is_asked_once_more(model: MessagesApi, now: datetime, status: int) -> None:
    model.answer(failed(status, "overloaded_error"), message(said("네.")))
    assert ask(now).received.text == "네."
    outcomes = list(ModelCall.objects.order_by("pk").values_list("outcome", "cost_micro_usd"))
    assert outcomes == [("throttled", 0), ("answered", USAGE_COST)]
    assert Reservation.objects.get().charged == USAGE_COST


def test_an_overloaded_model_is_not_asked_a_third_time(model: MessagesApi, now: datetime) -> None:
    model.answer(failed(529, "overloaded_error"))
    with pytest.raises(ModelUnavailable):
        ask(now)
    assert len(model.requests) == 2


def test_an_overloaded_model_is_not_asked_again_late(
    model: MessagesApi, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_calls, "RETRY_NEEDS_SECONDS", 60.0)
    model.answer(failed(529, "overloaded_error"), message(said("네.")))
    with pytest.raises(ModelUnavailable):
        ask(now)
    assert len(model.requests) == 1


@pytest.mark.parametrize("name", ["500", "silence", "reset at once", "HTML with 200"])
def test_what_may_have_been_billed_is_not_sent_again(model: MessagesApi, now: datetime, name: str) -> None:
    model.answer(FAULTS[name][0], message(said("네.")))
    with pytest.raises(ModelUnavailable):
        ask(now)
    assert len(model.requests) == 1


def test_the_real_deadlines_leave_an_answer_within_27_seconds() -> None:
    assert model_calls.DEADLINE_SECONDS == 25
    assert model_calls.RETRY_AFTER_SECONDS <= 1
    assert model_calls.RETRY_NEEDS_SECONDS == 12


@pytest.mark.parametrize("usage", [(0, 0), (0, 100), (1000, 0)])
def test_an_answer_that_says_it_took_nothing_is_charged_in_full(
    model: MessagesApi, now: datetime, usage: tuple[int, int]
) -> None:
    model.answer(message(said("네."), usage={"input_tokens": usage[0], "output_tokens": usage[1]}))
    assert ask(now).cost_micro_usd == Reservation.objects.get().amount == SpendDay.objects.get().answer > 0


def test_input_from_a_cache_is_input(model: MessagesApi, now: datetime) -> None:
    usage = {"input_tokens": 0, "cache_read_input_tokens": 1000, "output_tokens": 100}
    model.answer(message(said("네."), usage=usage))
    assert 0 < ask(now).cost_micro_usd < Reservation.objects.get().amount


def test_a_packed_answer_is_read(model: MessagesApi, now: datetime) -> None:
    model.answer(raw(gzip.compress(GOOD), content_encoding="gzip"))
    assert ask(now).received.text == "네."


def test_a_small_body_is_not_unpacked_beyond_what_an_answer_has(
    model: MessagesApi, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked: list[int] = []
    real = wire.bounded

    def watched(pieces: Iterable[bytes]) -> Iterator[bytes]:
        return real(unpacked.append(len(piece)) or piece for piece in pieces)

    monkeypatch.setattr(wire, "bounded", watched)
    model.answer(raw(BOMB, content_encoding="gzip"))
    with pytest.raises(ModelUnavailable):
        ask(now)
    assert len(BOMB) < 400_000
    assert wire.ANSWER_MAX_BYTES < sum(unpacked) <= wire.ANSWER_MAX_BYTES + 2**20


def test_a_workers_time_limit_is_raised_as_it_is_and_charged_in_full(
    model: MessagesApi, now: datetime
) -> None:
    def out_of_time(*_: object) -> None:
        raise SoftTimeLimitExceeded

    # What a worker does to its child: the signal comes while the answer is waited for.
    former = signal.signal(signal.SIGUSR1, out_of_time)
    model.answer(lambda one: (os.kill(os.getpid(), signal.SIGUSR1), one.wait(9))[0])
    try:
        with pytest.raises(SoftTimeLimitExceeded) as stopped:
            ask(now)
    finally:
        signal.signal(signal.SIGUSR1, former)
    assert (stopped.value.__cause__, stopped.value.__context__) == (None, None)
    reservation = Reservation.objects.get()
    assert (reservation.charged, ModelCall.objects.get().outcome) == (reservation.amount, Outcome.LOST)


def test_a_crash_between_call_and_books_is_charged_in_full(
    model: MessagesApi, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ask.anthropic_client.send", stopped)
    with pytest.raises(KeyboardInterrupt):
        ask(now)
    reservation = Reservation.objects.get()
    assert (reservation.charged, ModelCall.objects.get().outcome) == (reservation.amount, Outcome.LOST)


@pytest.mark.django_db(transaction=True)
def test_no_database_connection_is_held_during_the_call(model: MessagesApi, now: datetime) -> None:
    from django.db import connection

    held: list[object] = []
    real = model_calls.anthropic_client.send

    def looking(*arguments: Any) -> Any:
        held.append(connection.connection)
        return real(*arguments)

    model.answer(message(said("네.")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ask.anthropic_client.send", looking)
        ask(now)
    assert held == [None]


@pytest.mark.django_db(transaction=True)
def test_a_call_inside_a_transaction_is_a_defect(model: MessagesApi, now: datetime) -> None:
    from django.db import transaction

    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        ask(now)
    assert model.requests == []


def test_five_failures_pause_the_model(model: MessagesApi, now: datetime) -> None:
    model.answer(failed(500, "api_error"))
    for _ in range(5):
        with pytest.raises(ModelUnavailable):
            ask(now)
    with pytest.raises(ModelUnavailable) as refused:
        ask(now)
    assert len(model.requests) == 5
    assert refused.value.retry_after is not None
    assert 0 < refused.value.retry_after <= 31


def test_a_rejected_question_is_no_reason_to_pause(model: MessagesApi, now: datetime) -> None:
    model.answer(failed(400, "invalid_request_error"))
    for _ in range(6):
        with pytest.raises(ModelUnavailable):
            ask(now)
    assert len(model.requests) == 6


def test_a_full_cap_makes_no_call(model: MessagesApi, now: datetime, settings: Settings) -> None:
    settings.LLM_DAILY_CAP_USD = 0.0001
    with pytest.raises(ModelUnavailable) as refused:
        ask(now)
    assert (refused.value.default_code, refused.value.retry_after) == ("daily_budget_exhausted", 12 * 3600)
    assert model.requests == []


def test_a_model_without_a_price_is_not_called(model: MessagesApi, now: datetime, settings: Settings) -> None:
    settings.ASK_MODEL = "claude-unheard-of-9"
    with pytest.raises(ModelUnavailable):
        ask(now)
    assert model.requests == []
    assert not Reservation.objects.exists()


def test_a_cost_above_the_worst_case_is_booked_and_stops_the_model(
    model: MessagesApi, now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    model.answer(message(said("네."), usage={"input_tokens": 90_000, "output_tokens": 100}))
    assert ask(now).cost_micro_usd == 9_050
    assert SpendDay.objects.get().answer == 9_050
    assert any(record.levelname == "CRITICAL" for record in caplog.records)
    with pytest.raises(ModelUnavailable):
        ask(now)
    assert len(model.requests) == 1
    assert budget.switch_on("claude-haiku-5-5")
    assert ask(now)


@pytest.mark.parametrize("name", ["400", "500", "reset in the body", "HTML with 200", "no content"])
def test_the_key_and_the_question_are_in_no_log(
    model: MessagesApi,
    now: datetime,
    name: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_LOG", "debug")
    caplog.set_level("DEBUG")
    model.answer(FAULTS[name][0])
    request = model_calls.message_request(content="아무도 모르는 물음", max_tokens=100)
    with pytest.raises(ModelUnavailable) as refused:
        model_calls.call(Purpose.ANSWER, request, now=now)
    assert (refused.value.__cause__, refused.value.__context__) == (None, None)
    assert model.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert "canary" not in caplog.text
    assert "아무도" not in caplog.text
