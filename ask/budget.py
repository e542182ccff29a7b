"""One cap a day for every paid call. Money is reserved in Postgres before a call and settled after it.

Renewals, reflections and audits have maxima inside the cap; visitors may use all that is unspent. Nothing here reads
Redis, and nothing that was reserved is given back by time: what is not settled is charged in full.
"""

import logging
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import ROUND_FLOOR, Decimal
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.db.models import F

from ask.ledger import ModelCall, Outcome, Purpose, Reservation, SpendDay, SwitchedOffModel
from ask.model_errors import DailyBudgetExhausted, ModelUnavailable

logger = logging.getLogger(__name__)

SEOUL = ZoneInfo("Asia/Seoul")
MICRO = 1_000_000
# The longest call has 25 seconds; whoever has not settled after 120 is not coming back.
RESERVATION_LASTS = timedelta(seconds=120)
# Per cent of the cap. Visitors have no maximum of their own.
SHARES: dict[Purpose, int] = {Purpose.RENEWAL: 15, Purpose.REFLECTION: 5, Purpose.AUDIT: 10}


def spend_day(now: datetime) -> date:
    """The day in Seoul, on which a cost is booked."""
    return now.astimezone(SEOUL).date()


def seconds_to_reset(now: datetime) -> int:
    """Whole seconds until 00:00 in Seoul, at least 1."""
    local = now.astimezone(SEOUL)
    midnight = datetime.combine(local.date() + timedelta(days=1), datetime.min.time(), tzinfo=SEOUL)
    return max(1, -int((local - midnight) // timedelta(seconds=1)))


def cap() -> int:
    """What a day may cost, in micro-USD."""
    return int((Decimal(str(settings.LLM_DAILY_CAP_USD)) * MICRO).to_integral_value(ROUND_FLOOR))


def share(purpose: Purpose) -> int:
    """What a purpose may cost a day, in micro-USD."""
    return cap() * SHARES.get(purpose, 100) // 100


def left(purpose: Purpose, now: datetime) -> int:
    """What a purpose may still reserve today, in micro-USD."""
    row = SpendDay.objects.filter(day=spend_day(now)).first() or SpendDay(day=spend_day(now))
    own: int = getattr(row, purpose.value)
    return max(0, min(cap() - row.committed, share(purpose) - own))


def require_on(model: str) -> None:
    """Raise ModelUnavailable for a model that was switched off."""
    if SwitchedOffModel.objects.filter(model=model).exists():
        raise ModelUnavailable(retry_after=3600)


def reserve(
    purpose: Purpose, amount: int, *, model: str, now: datetime, lasting: timedelta = RESERVATION_LASTS
) -> Reservation:
    """Put ``amount`` micro-USD aside. Raises DailyBudgetExhausted, or ModelUnavailable for a switched-off model.

    The promise has to stand before the call goes out, so this refuses to run inside a transaction.
    """
    day = spend_day(now)
    with transaction.atomic(durable=True):
        require_on(model)
        if not (_commit(day, purpose, amount) or _commit_opening(day, purpose, amount)):
            raise DailyBudgetExhausted(retry_after=seconds_to_reset(now))
        return Reservation.objects.create(
            day_id=day,
            purpose=purpose,
            model=model,
            amount=amount,
            created_at=now,
            expires_at=now + lasting,
        )


def _commit_opening(day: date, purpose: Purpose, amount: int) -> bool:
    """The same for a day that may have no row yet: after the insert it has one, whoever else inserted it."""
    SpendDay.objects.bulk_create([SpendDay(day=day)], ignore_conflicts=True)
    return _commit(day, purpose, amount)


def _commit(day: date, purpose: Purpose, amount: int) -> bool:
    """One conditional UPDATE: Postgres looks at the row again when another process changed it first."""
    column = purpose.value
    total = F("answer") + F("renewal") + F("reflection") + F("audit")
    room = SpendDay.objects.alias(total=total).filter(day=day, total__lte=cap() - amount)
    room = room.filter(**{f"{column}__lte": share(purpose) - amount})
    return bool(room.update(**{column: F(column) + amount}))


def settle(reservation: Reservation, charged: int, calls: Sequence[ModelCall], *, now: datetime) -> bool:
    """Book what was spent on the reservation's day, with its calls. False when it was settled before.

    A cost above the reservation is booked as it is; the model is switched off, since its worst case was none.
    """
    with transaction.atomic():
        open_row = Reservation.objects.filter(pk=reservation.pk, settled_at__isnull=True)
        if not open_row.update(settled_at=now, charged=charged):
            return False
        for call in calls:
            call.reservation = reservation
        ModelCall.objects.bulk_create(calls)
        if charged > reservation.amount:
            switch_off(reservation.model, f"cost {charged} micro-USD of {reservation.amount} reserved", now)
        # Last, since everybody else waits for the day's row until this transaction ends.
        column = reservation.purpose
        SpendDay.objects.filter(day=reservation.day_id).update(
            **{column: F(column) + charged - reservation.amount}
        )
    return True


def extend(reservation: Reservation, now: datetime) -> bool:
    """A reservation for many calls is alive. False when it was settled meanwhile."""
    rows = Reservation.objects.filter(pk=reservation.pk, settled_at__isnull=True)
    return bool(rows.update(expires_at=now + RESERVATION_LASTS))


def sweep(*, now: datetime) -> int:
    """Charge in full what nobody settled in time: the call may have been made. Returns how many there were."""
    expired = Reservation.objects.filter(settled_at__isnull=True, expires_at__lt=now)
    swept = 0
    for reservation in expired.order_by("pk"):
        call = ModelCall(
            purpose=reservation.purpose,
            model=reservation.model,
            started_at=reservation.created_at,
            milliseconds=int((now - reservation.created_at) / timedelta(milliseconds=1)),
            outcome=Outcome.LOST,
            cost_micro_usd=reservation.amount,
        )
        swept += settle(reservation, reservation.amount, [call], now=now)
    if swept:
        logger.warning("%d reservations were never settled and are charged in full", swept)
    return swept


def switch_off(model: str, reason: str, now: datetime) -> None:
    """Call a model no more until somebody looked into it."""
    SwitchedOffModel.objects.update_or_create(model=model, defaults={"at": now, "reason": reason[:200]})
    logger.critical("model %s is switched off: %s", model, reason)


def switch_on(model: str) -> bool:
    """Call a model again. False when it was not off."""
    return bool(SwitchedOffModel.objects.filter(model=model).delete()[0])
