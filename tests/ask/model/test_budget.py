"""One cap for everything: reserved before, settled once, reset at midnight in Seoul."""

import random
import time
from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from django.db.models import Sum
from pytest_django import Settings

from ask import budget
from ask.ledger import ModelCall, Outcome, Purpose, Reservation, SpendDay, SwitchedOffModel
from ask.model_errors import DailyBudgetExhausted, ModelUnavailable
from tests import processes
from tests.ask.model import ledger_worker
from tests.processes import Started

MODEL = "claude-haiku-5-5"


@pytest.fixture(autouse=True)
def one_dollar(settings: Settings) -> None:
    settings.LLM_DAILY_CAP_USD = 1.0


def reserve(amount: int, now: datetime, purpose: Purpose = Purpose.ANSWER) -> Reservation:
    return budget.reserve(purpose, amount, model=MODEL, now=now)


def refused(amount: int, now: datetime, purpose: Purpose = Purpose.ANSWER) -> int | None:
    with pytest.raises(DailyBudgetExhausted) as error:
        reserve(amount, now, purpose)
    assert error.value.status_code == 503
    return error.value.retry_after


@pytest.mark.django_db
def test_the_cap_may_be_reached_and_not_passed(now: datetime) -> None:
    reserve(600_000, now)
    reserve(400_000, now)
    assert refused(1, now) == 12 * 3600
    reserve(0, now)


@pytest.mark.django_db
def test_what_was_not_spent_can_be_spent_again(now: datetime) -> None:
    reservation = reserve(1_000_000, now)
    assert budget.settle(reservation, 250_000, [], now=now)
    refused(750_001, now)
    reserve(750_000, now)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("purpose", "maximum"),
    [(Purpose.RENEWAL, 150_000), (Purpose.REFLECTION, 50_000), (Purpose.AUDIT, 100_000)],
)
def test_a_share_is_a_maximum_inside_the_cap(now: datetime, purpose: Purpose, maximum: int) -> None:
    refused(maximum + 1, now, purpose)
    reserve(maximum, now, purpose)
    refused(1, now, purpose)
    reserve(1_000_000 - maximum, now)
    refused(1, now)


@pytest.mark.django_db
def test_visitors_may_use_all_that_is_unspent(now: datetime) -> None:
    reserve(1_000_000, now)
    for purpose in Purpose:
        refused(1, now, purpose)


@pytest.mark.django_db
def test_the_day_ends_at_midnight_in_seoul() -> None:
    last = datetime(2026, 11, 21, 14, 59, 59, tzinfo=UTC)
    reserve(1_000_000, last)
    assert refused(1, last) == 1
    reserve(1_000_000, datetime(2026, 11, 21, 15, 0, 0, tzinfo=UTC))
    assert {f"{row.day}": row.answer for row in SpendDay.objects.all()} == {
        "2026-11-21": 1_000_000,
        "2026-11-22": 1_000_000,
    }


@pytest.mark.parametrize(
    ("moment", "seconds"),
    [
        (datetime(2028, 2, 28, 15, 0, 0, tzinfo=UTC), 86400),
        (datetime(2028, 2, 29, 14, 59, 59, 999999, tzinfo=UTC), 1),
        (datetime(2026, 12, 31, 14, 0, 0, 1, tzinfo=UTC), 3600),
    ],
)
def test_retry_after_never_ends_before_the_reset(moment: datetime, seconds: int) -> None:
    assert budget.seconds_to_reset(moment) == seconds
    later = moment + timedelta(seconds=seconds)
    assert budget.spend_day(later) > budget.spend_day(moment)


@pytest.mark.django_db
def test_a_call_over_midnight_is_booked_on_the_day_it_was_reserved() -> None:
    before = datetime(2026, 11, 21, 14, 59, 50, tzinfo=UTC)
    reservation = reserve(500, before)
    budget.settle(reservation, 300, [], now=before + timedelta(seconds=20))
    assert SpendDay.objects.get().answer == 300
    assert f"{SpendDay.objects.get().day}" == "2026-11-21"


@pytest.mark.django_db
def test_a_reservation_is_settled_once(now: datetime) -> None:
    reservation = reserve(500, now)
    assert budget.settle(reservation, 200, [], now=now)
    assert not budget.settle(reservation, 500, [], now=now)
    assert SpendDay.objects.get().answer == 200


@pytest.mark.django_db
def test_what_nobody_settles_is_charged_in_full(now: datetime) -> None:
    lost, settled = reserve(500, now), reserve(300, now)
    budget.settle(settled, 100, [], now=now)
    assert budget.sweep(now=now + timedelta(seconds=120)) == 0
    assert budget.sweep(now=now + timedelta(seconds=121)) == 1
    assert budget.sweep(now=now + timedelta(days=2)) == 0
    assert SpendDay.objects.get().answer == 600
    assert not budget.settle(lost, 0, [], now=now)
    assert ModelCall.objects.get().outcome == Outcome.LOST


@pytest.mark.django_db
def test_a_reservation_that_reports_is_not_swept(now: datetime) -> None:
    reservation = reserve(500, now)
    later = now + timedelta(seconds=100)
    assert budget.extend(reservation, later)
    assert budget.sweep(now=now + timedelta(seconds=200)) == 0
    assert budget.sweep(now=later + timedelta(seconds=121)) == 1
    assert not budget.extend(reservation, later)


@pytest.mark.django_db
def test_a_model_that_costs_more_than_reserved_is_switched_off(now: datetime) -> None:
    budget.settle(reserve(500, now), 501, [], now=now)
    assert SpendDay.objects.get().answer == 501
    assert SwitchedOffModel.objects.get().model == MODEL
    with pytest.raises(ModelUnavailable) as error:
        reserve(1, now)
    assert error.value.default_code == "model_unavailable"
    assert budget.switch_on(MODEL)
    assert not budget.switch_on(MODEL)
    reserve(1, now)


@pytest.mark.django_db(transaction=True)
def test_nothing_is_reserved_inside_a_transaction(now: datetime) -> None:
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        reserve(1, now)


@pytest.mark.django_db
def test_a_cap_of_zero_pays_for_nothing(now: datetime, settings: Settings) -> None:
    settings.LLM_DAILY_CAP_USD = 0.0
    refused(1, now)


@pytest.mark.django_db
def test_a_lowered_cap_holds_at_once(now: datetime, settings: Settings) -> None:
    reserve(600_000, now)
    settings.LLM_DAILY_CAP_USD = 0.5
    refused(1, now)
    assert budget.left(Purpose.ANSWER, now) == 0


def storm(now: datetime, *, workers: int, events: int, kills: int) -> tuple[int, int]:
    """Run workers, kill some at random moments, and watch the cap meanwhile; gives what they counted."""
    chance = random.Random(5)
    each = events // workers
    # The demand is 1.4 times the cap, so that it is reached towards the end.
    largest = 5_600_000 // events

    def start(seed: int) -> Started[tuple[int, int]]:
        return processes.start(ledger_worker.work, seed, each, largest, now)

    running = [start(seed) for seed in range(workers)]
    seeds = iter(range(workers, workers + kills))
    counted = []
    while running:
        time.sleep(0.05)
        for row in SpendDay.objects.all():
            assert row.committed <= 1_000_000
            assert row.audit <= 100_000
        if ModelCall.objects.exists() and chance.random() < 0.3 and (seed := next(seeds, None)) is not None:
            running.pop(chance.randrange(len(running))).kill()
            running.append(start(seed))
        for worker in [one for one in running if one.wait(0) is not None]:
            running.remove(worker)
            counted.append(worker.result())
    assert next(seeds, None) is None, "it was over before so many were killed"
    made, refusals = (sum(column) for column in zip(*counted, strict=True))
    return made, refusals


def books_agree(now: datetime) -> None:
    """Once everything is settled, the day says what the reservations were charged, and no more than the cap."""
    budget.sweep(now=now + timedelta(hours=1))
    assert not Reservation.objects.filter(settled_at__isnull=True).exists()
    charged = dict(Reservation.objects.values_list("purpose").annotate(Sum("charged")))
    day = SpendDay.objects.get()
    assert {purpose.value: getattr(day, purpose.value) for purpose in Purpose} == charged
    assert day.committed <= 1_000_000


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_processes_that_are_killed_never_pass_the_cap(now: datetime) -> None:
    made, refusals = storm(now, workers=3, events=600, kills=2)
    assert made > 0
    assert refusals > 0
    books_agree(now)


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_sixteen_processes_never_pass_the_cap_in_a_hundred_thousand_events(now: datetime) -> None:
    made, refusals = storm(now, workers=16, events=100_000, kills=40)
    assert made + refusals >= 50_000
    books_agree(now)
