"""`manage.py spend`: the books of a day."""

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from ask import budget
from ask.ledger import SwitchedOffModel
from ask.spending import DaySpend, day_spend, usd


class Command(BaseCommand):
    help = "Prints what the language model cost on a day in Seoul, against the daily cap."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--date", type=_day, metavar="YYYY-MM-DD", help="default: today in Seoul")
        parser.add_argument("--switch-on", metavar="MODEL", help="call a model again that was switched off")

    def handle(self, *, date: date | None, switch_on: str | None, **options: Any) -> None:
        if switch_on is not None:
            if not budget.switch_on(switch_on):
                raise CommandError(f"{switch_on} is not switched off.")
            self.stdout.write(f"{switch_on} is called again.")
        self._print(day_spend(date or budget.spend_day(timezone.now())))
        for off in SwitchedOffModel.objects.order_by("model"):
            self.stdout.write(
                f"{off.model} is switched off since {off.at:%Y-%m-%d %H:%M} UTC: {off.reason}. "
                f"When its price is right again: manage.py spend --switch-on {off.model}"
            )

    def _print(self, spend: DaySpend) -> None:
        self.stdout.write(
            f"{spend.day}: {usd(spend.spent)} of {usd(spend.cap)} USD spent, {usd(spend.reserved)} reserved"
        )
        for one in spend.purposes:
            self.stdout.write(
                f"  {one.purpose.value:<10} {one.calls:>6} calls {usd(one.spent):>10} spent "
                f"{usd(one.reserved):>10} reserved {usd(one.maximum):>10} at most"
            )
        for group in spend.outcomes:
            self.stdout.write(
                f"  {group.purpose:<10} {group.model} {group.outcome}: {group.calls} calls, "
                f"{group.input_tokens} tokens in, {group.output_tokens} out, {usd(group.cost_micro_usd)} USD"
            )


def _day(text: str) -> date:
    return date.fromisoformat(text)
