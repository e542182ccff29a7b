import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from knowledge.ingestion import runs
from knowledge.models import RunOutcome, Source
from knowledge.sources.adapters import ADAPTERS
from knowledge.sources.errors import NeedsKey, SourceError
from knowledge.sources.http.client import http_client

WRONG_USE = 2
COUNTS = ("fetched", "created", "updated", "unchanged")
ROW = "{:<28} {:<10} {:>7} {:>7} {:>7} {:>9}  {}".format


class Command(BaseCommand):
    help = (
        "Run the named sources once (default: all that are due), or with --dry-run fetch one address through the "
        "outbound door and print what its adapter reads, storing nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("sources", nargs="*", metavar="SOURCE", help="slugs of sources")
        parser.add_argument("--adapter", choices=sorted(ADAPTERS), help="how to read --url")
        parser.add_argument("--url", help="the address to fetch")
        parser.add_argument("--dry-run", action="store_true", help="print the items and store nothing")
        parser.add_argument(
            "--json",
            action="store_true",
            help="accepted for scripts; dry runs always print one JSON object a line",
        )

    def handle(self, *, sources: list[str], adapter: str | None, url: str | None, **options: Any) -> None:
        if options["dry_run"] and adapter and url and not sources:
            self._dry_run(adapter, url)
        elif options["dry_run"] or adapter or url:
            raise CommandError(
                "a dry run takes --adapter NAME --url URL --dry-run and no source names", returncode=WRONG_USE
            )
        else:
            self._run(sources)

    def _dry_run(self, adapter: str, url: str) -> None:
        try:
            # All or nothing: a body that turns out bad in the middle prints no items.
            _answer, items = ADAPTERS[adapter].read(Source(adapter=adapter, url=url), http_client())
        except (SourceError, NeedsKey) as error:
            self.stderr.write(f"error: {error}")
            raise SystemExit(1) from None
        for item in items:
            self.stdout.write(json.dumps(item.as_json(), ensure_ascii=False))

    def _run(self, slugs: list[str]) -> None:
        now = timezone.now()
        leases = (
            [runs.claim_now(source, now) for source in self._named(slugs)] if slugs else runs.claim_due(now)
        )
        if not leases:
            self.stdout.write("No source is due. Name one to run it anyway.")
            return
        self.stdout.write(ROW("source", "outcome", *COUNTS, "cause"))
        failed = False
        for lease in leases:
            # A long list takes longer than a lease lasts, and a worker may have taken one over meanwhile.
            run = runs.ingest_claimed(lease, now=timezone.now(), http=http_client())
            if run is not None:
                cause = f"{run.cause}: {run.detail}" if run.cause else run.detail
                counts = (getattr(run, name) for name in COUNTS)
                self.stdout.write(ROW(run.source.slug, run.outcome, *counts, cause))
                failed |= run.outcome == RunOutcome.FAILED
        if failed:
            raise SystemExit(1)

    def _named(self, slugs: list[str]) -> list[Source]:
        chosen = list(Source.objects.filter(slug__in=slugs).order_by("slug"))
        if unknown := sorted(set(slugs) - {source.slug for source in chosen}):
            known = ", ".join(Source.objects.order_by("slug").values_list("slug", flat=True))
            raise CommandError(
                f"no source {', '.join(unknown)}. Known: {known or 'none; run `manage.py load_canon` first'}",
                returncode=WRONG_USE,
            )
        if off := [source.slug for source in chosen if not source.enabled]:
            raise CommandError(
                f"switched off: {', '.join(off)}. Switch a source on in the admin before running it.",
                returncode=WRONG_USE,
            )
        return chosen
