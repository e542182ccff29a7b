from argparse import ArgumentParser
from collections.abc import Iterable
from datetime import date, datetime, time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from knowledge.ingestion import backfill
from knowledge.models import Series, Unit
from knowledge.queries.series import nearest
from knowledge.series import premium, premium_history, yearly
from knowledge.sources.errors import NeedsKey, SourceError
from knowledge.sources.http.client import http_client

WRONG_USE = 2
EARLIEST = date(1900, 1, 1)
BAR = 24  # characters


class Command(BaseCommand):
    help = (
        "Fetch the history of a series from its sources, page by page, the newest first. One that was cut off goes on "
        "from the oldest value that is stored. Premiums are calculated from stored day bars and exchange rates."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "series", metavar="SERIES", help="its slug, e.g. usd-krw, price-btc, kimchi-premium"
        )
        parser.add_argument(
            "--from", dest="since", required=True, metavar="DATE", help="e.g. 2018-01-01 (in Korea)"
        )

    def handle(self, *, series: str, since: str, **options: Any) -> None:
        now = timezone.now()
        begin = _beginning(since, now)
        chosen = _named(series, now)
        keys = list(chosen.inputs.order_by("position", "pk").values_list("key", flat=True))
        if asset := _asset_of_premium(keys):
            self._premiums(asset, begin, now)
            return
        _refuse_derived(chosen, keys)
        parts = backfill.parts_of(chosen)
        if not parts:
            raise CommandError(
                f"{chosen.slug} has no history to fill in: its sources tell only of now, or are switched off.",
                returncode=WRONG_USE,
            )
        came = [self._part(sources, begin, now) for sources in parts]
        if not all(came):
            raise CommandError("not all of it came; see above", returncode=1)

    def _part(self, sources: list[backfill.Part], since: datetime, now: datetime) -> bool:
        """Fill in one input, from the first of the sources that can be read; False when none could."""
        for part in sources:
            self.stdout.write(f"{part.key} · {part.source.name}")
            try:
                self._fill_in(part, since, now)
            except NeedsKey as error:
                self.stdout.write(f"  {error}")
            except SourceError as error:
                self._end(f"  stopped: {error}. What came is stored; the same command goes on from there.")
            else:
                return True
        return False

    def _fill_in(self, part: backfill.Part, since: datetime, now: datetime) -> None:
        created = unchanged = 0
        oldest = part.oldest()
        if oldest is not None and oldest <= since:
            self.stdout.write(f"  is stored since {_day(oldest)} already")
            return
        for progress in backfill.fill_in(part, since, now=now, http=http_client()):
            created += progress.counts["created"]
            unchanged += progress.counts["unchanged"] + progress.counts["held"]
            whole = (progress.began - since).total_seconds()
            share = (progress.began - progress.reached).total_seconds() / whole
            self._show(share, f"{_day(progress.reached)}  +{created:,}")
        self._end(f"  {created:,} values new, {unchanged:,} known or held back")

    def _premiums(self, asset: Unit, since: datetime, now: datetime) -> None:
        self.stdout.write(f"{asset.label} · from stored day bars and exchange rates")
        stored, whole = 0, (now - since).total_seconds()
        for reached, count in premium_history.fill_in(asset, since, now=now):
            stored += count
            self._show((reached - since).total_seconds() / whole, f"{_day(reached)}  +{stored:,}")
        self._end(f"  {stored:,} premiums new")
        if not stored:
            self.stdout.write(
                f"  No further day has closes at both venues and a rate at most {premium.RATE_MAX_AGE.days} days old: "
                f"backfill price-{asset.slug} and {premium.RATE_SERIES} first."
            )

    def _show(self, share: float, said: str) -> None:
        filled = round(BAR * share)
        line = f"  [{'#' * filled}{'.' * (BAR - filled)}] {share:4.0%}  {said}"
        # A terminal keeps one line, a log gets them all.
        self.stdout.write(line, ending="\r" if self.stdout.isatty() else "\n")
        self.stdout.flush()

    def _end(self, said: str) -> None:
        self.stdout.write(f"\n{said}" if self.stdout.isatty() else said)


def _beginning(since: str, now: datetime) -> datetime:
    try:
        day = date.fromisoformat(since)
    except ValueError:
        raise CommandError(
            f"--from {since}: that is no date; write it like 2018-01-01.", returncode=WRONG_USE
        ) from None
    begin = timezone.make_aware(datetime.combine(day, time()), timezone.get_default_timezone())
    if not day >= EARLIEST or begin >= now:
        raise CommandError(f"--from {since}: it must lie between {EARLIEST} and today.", returncode=WRONG_USE)
    return begin


def _named(slug: str, now: datetime) -> Series:
    slug = slug.removeprefix("series:")
    found = Series.objects.filter(slug=slug).first()
    if found is None:
        near = ", ".join(nearest(slug))
        raise CommandError(
            f"no series {slug}. The nearest are {near}."
            if near
            else f"no series {slug}: run `manage.py load_canon`.",
            returncode=WRONG_USE,
        )
    return found


def _asset_of_premium(keys: Iterable[str]) -> Unit | None:
    prefix = premium.KEY.format("")
    slugs = [key.removeprefix(prefix) for key in keys if key.startswith(prefix)]
    return Unit.objects.find(f"asset:{slugs[0]}") if slugs else None


def _refuse_derived(chosen: Series, keys: Iterable[str]) -> None:
    prefix = yearly.KEY.format("")
    for key in keys:
        if key.startswith(prefix):
            of = key.removeprefix(prefix)
            raise CommandError(
                f"{chosen.slug} is calculated from {of}: run `manage.py backfill {of} --from …`, and it follows.",
                returncode=WRONG_USE,
            )


def _day(moment: datetime) -> str:
    return f"{timezone.localtime(moment):%Y-%m-%d}"
