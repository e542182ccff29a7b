"""A process that reserves and settles until it is told to stop, or killed."""

import random
from datetime import datetime, timedelta

from django.conf import settings

from ask import budget
from ask.ledger import ModelCall, Outcome, Purpose
from ask.model_errors import DailyBudgetExhausted


def work(seed: int, events: int, largest: int, now: datetime) -> tuple[int, int]:
    """How many reservations it got and was refused."""
    settings.LLM_DAILY_CAP_USD = 1.0
    chance = random.Random(seed)
    made = refused = 0
    for _ in range(events):
        purpose = chance.choice([*Purpose, Purpose.ANSWER, Purpose.ANSWER])
        amount = chance.randint(1, largest)
        try:
            reservation = budget.reserve(purpose, amount, model="invented", now=now)
        except DailyBudgetExhausted:
            refused += 1
            continue
        made += 1
        cost = chance.choice([0, amount, chance.randint(0, amount)])
        call = ModelCall(
            purpose=purpose,
            model="invented",
            started_at=now,
            milliseconds=1,
            outcome=Outcome.ANSWERED,
            cost_micro_usd=cost,
        )
        if chance.random() < 0.02:
            continue  # as if it had died in the middle of the call
        if not budget.settle(reservation, cost, [call], now=now + timedelta(seconds=1)):
            raise SystemExit("somebody else settled a reservation of mine")
        if budget.settle(reservation, cost, [], now=now + timedelta(seconds=2)):
            raise SystemExit("a reservation was settled twice")
    return made, refused
