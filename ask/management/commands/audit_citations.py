"""`manage.py audit_citations`: today's citation audit, now."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from ask import audit


class Command(BaseCommand):
    help = "Puts the seed questions to a model that searches the web, and counts the answers that cite us."

    def handle(self, **options: Any) -> None:
        made = audit.run(now=timezone.now())
        if made is None:
            self.stdout.write(
                "Not measured: it needs ANTHROPIC_API_KEY, active seed questions and the audit's share of "
                "the daily budget, and runs once a day."
            )
            return
        for query in made.queries.order_by("pk"):
            self.stdout.write(
                f"{query.cited_repeats} of {query.repeats} cite us ({query.errors} errors): {query.question}"
            )
