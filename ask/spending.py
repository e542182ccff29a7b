"""What a day has cost, for operators and for health."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, Sum

from ask import budget, model_calls
from ask.ledger import ModelCall, Outcome, Purpose, Reservation, SpendDay, SwitchedOffModel
from knowledge.ingestion.health.freshness import OK, WARN, AgeLimits, Freshness

# Nobody may ask for days, so an old success says nothing: these are shown and not judged.
MODEL_LIMITS = AgeLimits(timedelta(days=7), timedelta(days=30))


@dataclass(frozen=True, slots=True)
class PurposeSpend:
    """A purpose's part of a day, in micro-USD. ``maximum`` is what it may cost at most."""

    purpose: Purpose
    calls: int
    spent: int
    reserved: int
    maximum: int


@dataclass(frozen=True, slots=True)
class OutcomeSpend:
    """The calls of a day that ended alike."""

    purpose: str
    model: str
    outcome: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost_micro_usd: int


@dataclass(frozen=True, slots=True)
class DaySpend:
    """The ledger of a day in Seoul, in micro-USD."""

    day: date
    cap: int
    purposes: Sequence[PurposeSpend]
    outcomes: Sequence[OutcomeSpend]

    @property
    def spent(self) -> int:
        return sum(one.spent for one in self.purposes)

    @property
    def reserved(self) -> int:
        return sum(one.reserved for one in self.purposes)


def day_spend(day: date) -> DaySpend:
    """What a day spent, has promised to calls under way, and for what."""
    row = SpendDay.objects.filter(day=day).first() or SpendDay(day=day)
    waiting = Reservation.objects.filter(day_id=day, settled_at__isnull=True)
    reserved = dict(waiting.values_list("purpose").annotate(Sum("amount")))
    calls = ModelCall.objects.filter(reservation__day_id=day)
    counts = dict(calls.values_list("purpose").annotate(Count("pk")))
    purposes = [
        PurposeSpend(
            purpose,
            counts.get(purpose.value, 0),
            getattr(row, purpose.value) - reserved.get(purpose.value, 0),
            reserved.get(purpose.value, 0),
            budget.share(purpose),
        )
        for purpose in Purpose
    ]
    groups = calls.values_list("purpose", "model", "outcome").order_by("purpose", "model", "outcome")
    sums = groups.annotate(Count("pk"), Sum("input_tokens"), Sum("output_tokens"), Sum("cost_micro_usd"))
    return DaySpend(day, budget.cap(), purposes, [OutcomeSpend(*group) for group in sums])


def model_freshness(now: datetime, installed_at: datetime) -> list[Freshness]:
    """Health's row of the language model: its last answer, and today's spend against the cap."""
    last = (
        ModelCall.objects.filter(outcome=Outcome.ANSWERED)
        .order_by("-started_at")
        .values_list("started_at", flat=True)
        .first()
    )
    status, note = _standing(now)
    return [Freshness("model", last, now - last if last else None, MODEL_LIMITS, status, note)]


def _standing(now: datetime) -> tuple[str, str]:
    if not model_calls.is_configured():
        return OK, "needs a key: ANTHROPIC_API_KEY; answers are quotations"
    today = day_spend(budget.spend_day(now))
    note = f"{usd(today.spent + today.reserved)} of {usd(today.cap)} USD committed today"
    if SwitchedOffModel.objects.filter(model=model_calls.booked_model()).exists():
        return WARN, f"{model_calls.booked_model()} is switched off: see manage.py spend; {note}"
    full = today.spent + today.reserved >= today.cap
    return (WARN, f"the daily budget is used up; {note}") if full else (OK, note)


def usd(micro: int) -> str:
    """Micro-USD as dollars."""
    return f"{micro / budget.MICRO:.4f}"
