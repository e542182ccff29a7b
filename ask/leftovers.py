"""What processes leave behind that die while they answer: money put aside, questions taken."""

from datetime import datetime

from ask import budget, flights


def sweep(*, now: datetime) -> None:
    """Charge what nobody settles any more, and free the questions that nobody answers any more."""
    budget.sweep(now=now)
    flights.sweep()
