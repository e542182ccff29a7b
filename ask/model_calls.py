"""One paid call: reserve its worst case, give the database connection back, call, settle, leave a row.

``complete`` is for plain text (the city's reflection), ``call`` for requests of any shape. Whatever goes wrong
upstream is a ``ModelUnavailable``; what it cost is in the books before that is raised.
"""

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from ask import anthropic_client, budget, pause, prices, prose, rehearsal
from ask.anthropic_client import Endpoint, Received, UpstreamError, Usage
from ask.language import language_of
from ask.ledger import ModelCall, Outcome, Purpose, Reservation
from ask.model_errors import DailyBudgetExhausted, ModelUnavailable
from ask.wire import Deadline
from knowledge.postgres.base import release_connection

__all__ = ["Completion", "DailyBudgetExhausted", "ModelUnavailable", "Paid", "call", "complete"]

logger = logging.getLogger(__name__)

DEADLINE_SECONDS = 25.0
RETRY_AFTER_SECONDS = 0.5
RETRY_NEEDS_SECONDS = 12.0
# A fault of the one request, which says nothing about the next.
_OWN_FAULTS = frozenset({400, 413, 422})


@dataclass(frozen=True, slots=True)
class Completion:
    """Plain text and what it cost. ``model`` is the one that is in the books."""

    text: str
    model: str
    cost_micro_usd: int


@dataclass(frozen=True, slots=True)
class Paid:
    """An answer of the model with what it cost."""

    received: Received
    model: str
    cost_micro_usd: int


@dataclass(frozen=True, slots=True)
class Payment:
    """A call that was made. ``settle`` books it, once however often it is called."""

    paid: Paid
    settle: Callable[[], None]


@dataclass(slots=True)
class Account:
    """A reservation being used: its calls, and what they have cost so far."""

    reservation: Reservation
    charged: int = 0
    calls: list[ModelCall] = field(default_factory=list)

    @property
    def left(self) -> int:
        return max(0, self.reservation.amount - self.charged)

    def settle(self, now: datetime) -> None:
        budget.settle(self.reservation, self.charged, self.calls, now=now)


def is_configured() -> bool:
    """Whether there is a model to ask."""
    return bool(settings.ANTHROPIC_API_KEY) or settings.FAKE_LLM


def booked_model() -> str:
    """The model's name in the books and on answers."""
    return prices.REHEARSAL_MODEL if settings.FAKE_LLM else settings.ASK_MODEL


def endpoint() -> Endpoint:
    """Where calls go: the vendor or a gateway, and in a rehearsal our own fake server."""
    if settings.FAKE_LLM:
        return Endpoint(rehearsal.base_url(), "rehearsal")
    return Endpoint(settings.ANTHROPIC_BASE_URL or anthropic_client.VENDOR_URL, settings.ANTHROPIC_API_KEY)


def require_ready(purpose: Purpose, *, now: datetime) -> None:
    """Raise ModelUnavailable or DailyBudgetExhausted when a call would be refused anyway. Costs no limit."""
    require_callable(now)
    if budget.left(purpose, now) < _worst_case({"max_tokens": 1}, now) or not settings.LLM_DAILY_CAP_USD:
        raise DailyBudgetExhausted(retry_after=budget.seconds_to_reset(now))


def require_callable(now: datetime) -> None:
    """Raise ModelUnavailable without a model, during a pause, and for a model that was switched off."""
    if not is_configured():
        raise ModelUnavailable(retry_after=3600)
    if left := pause.seconds_left(now):
        raise ModelUnavailable(retry_after=left)
    budget.require_on(booked_model())


def warm() -> None:
    """Load the SDK and the price table, three seconds in all, before somebody waits for them."""
    if is_configured():
        anthropic_client.load()
        with suppress(ModelUnavailable):
            _worst_case({"max_tokens": 1}, timezone.now())


def complete(
    purpose: Purpose | str,
    *,
    system: str,
    content: str | Sequence[Mapping[str, Any]],
    max_tokens: int,
    now: datetime,
) -> Completion:
    """Text for a system text and one user message. Raises ModelUnavailable; never returns an empty text.

    An answer that ran into ``max_tokens`` ends with its last whole sentence.
    """
    request = message_request(system=system, content=content, max_tokens=max_tokens)
    paid = call(Purpose(purpose), request, now=now)
    answer = _whole(paid.received)
    if not answer:
        raise ModelUnavailable
    return Completion(answer, paid.model, paid.cost_micro_usd)


def _whole(received: Received) -> str:
    if received.stop_reason in ("end_turn", "stop_sequence"):
        return received.text.strip()
    if received.stop_reason != "max_tokens":
        return ""
    return prose.whole(received.text, language_of(received.text)).strip()


def message_request(
    *, content: str | Sequence[Mapping[str, Any]], max_tokens: int, system: str = "", **more: Any
) -> dict[str, Any]:
    """A Messages API request. The 5.x models think unless told not to, bill it, and refuse a temperature."""
    request: dict[str, Any] = {
        "model": settings.ASK_MODEL,
        "max_tokens": max_tokens,
        "messages": [{"role": "user", "content": content}],
        "thinking": {"type": "disabled"},
        # Priority capacity has prices of its own.
        "service_tier": "standard_only",
        **more,
    }
    return {**request, "system": system} if system else request


def call(purpose: Purpose, request: Mapping[str, Any], *, now: datetime) -> Paid:
    """Make one paid call within 25 seconds, an overloaded upstream tried twice. Raises ModelUnavailable."""
    with paying(purpose, request, now=now) as payment:
        return payment.paid


@contextmanager
def paying(purpose: Purpose, request: Mapping[str, Any], *, now: datetime) -> Iterator[Payment]:
    """``call``, settled by the block in a transaction of its own choice, and at the end of the block at the latest."""
    require_callable(now)
    account = open_account(purpose, _worst_case(request, now), now=now)
    started, deadline = time.monotonic(), Deadline(DEADLINE_SECONDS)

    def settle() -> None:
        account.settle(now + timedelta(seconds=time.monotonic() - started))

    try:
        paid = use(account, request, deadline, now=now)
        if paid is None and _may_retry(account, deadline):
            time.sleep(RETRY_AFTER_SECONDS)
            paid = use(account, request, deadline, now=now)
        if paid is None:
            raise ModelUnavailable
        yield Payment(paid, settle)
    finally:
        # Also when this process is told to stop in the middle: what is on its way is charged by `use`. What the
        # block settled is settled once, and what it rolled back is settled here.
        settle()


def _may_retry(account: Account, deadline: Deadline) -> bool:
    return account.calls[-1].outcome == Outcome.THROTTLED and deadline.left() >= RETRY_NEEDS_SECONDS


def open_account(purpose: Purpose, amount: int, *, now: datetime) -> Account:
    """Reserve for one or more calls. Raises DailyBudgetExhausted or ModelUnavailable."""
    return Account(budget.reserve(purpose, amount, model=booked_model(), now=now))


def _worst_case(request: Mapping[str, Any], now: datetime) -> int:
    size = len(json.dumps(request, ensure_ascii=False, default=list).encode())
    try:
        return prices.worst_case(
            booked_model(), request_bytes=size, max_tokens=request["max_tokens"], now=now
        )
    except prices.UnknownPriceError as error:
        logger.error("the model is not called: no price for %s", error)
        raise ModelUnavailable(retry_after=3600) from None


def use(account: Account, request: Mapping[str, Any], deadline: Deadline, *, now: datetime) -> Paid | None:
    """One exchange on an account; None when it gave no answer. What it cost is on the account either way."""
    release_connection()
    began = time.monotonic()
    row = ModelCall(
        purpose=account.reservation.purpose,
        model=account.reservation.model,
        started_at=now,
        outcome=Outcome.LOST,
        milliseconds=0,
        # Until the answer is read, it is unknown, and counts as all that is left.
        cost_micro_usd=account.left,
    )
    account.calls.append(row)
    paid: Paid | None = None
    try:
        received = anthropic_client.send(request, endpoint(), deadline)
    except UpstreamError as error:
        _book_failure(row, error, account, now)
    else:
        _book_answer(row, received, account, now)
        paid = Paid(received, row.model, row.cost_micro_usd)
    finally:
        row.milliseconds = int((time.monotonic() - began) * 1000)
        account.charged += row.cost_micro_usd
    return paid


def _book_answer(row: ModelCall, received: Received, account: Account, now: datetime) -> None:
    row.outcome = Outcome.REFUSED if received.stop_reason == "refusal" else Outcome.ANSWERED
    row.status, row.stop_reason = 200, received.stop_reason[:40]
    row.message_id = received.message_id
    row.cost_micro_usd = _cost(row, received.usage, received.model, account, now)


def _book_failure(row: ModelCall, error: UpstreamError, account: Account, now: datetime) -> None:
    row.outcome, row.status = error.outcome, error.status
    if error.usage is not None:
        row.cost_micro_usd = _cost(row, error.usage, error.model, account, now)
    else:
        row.cost_micro_usd = 0 if error.is_free else account.left
    logger.warning("the model gave no answer: %s (%s)", error.outcome, error.detail)
    if error.status not in _OWN_FAULTS:
        pause.note_failure(now)


def _cost(row: ModelCall, usage: Usage, reported_model: str, account: Account, now: datetime) -> int:
    row.input_tokens, row.output_tokens = usage.input_tokens, usage.output_tokens
    row.web_searches = usage.web_searches
    if not usage.is_possible:
        logger.error("a usage without tokens is charged in full")
        return account.left
    try:
        return prices.cost(row.model, usage.reported, reported_model=reported_model, now=now)
    except prices.UnknownPriceError as error:
        logger.error("a usage without a price is charged in full: %s", error)
        return account.left
