"""What beat and the worker run. Each task is one domain call, safe to run twice."""

from datetime import datetime

from celery import shared_task
from django.utils import timezone

from knowledge import counting, publications
from knowledge.events import announcements, intake
from knowledge.ingestion import relinking, runs
from knowledge.ingestion.health import verdicts
from knowledge.models import UnitChange
from knowledge.pulses import burst_recording, premium_recording, recording
from knowledge.search import indexing, statistics
from knowledge.series import bars, premium, thinning
from knowledge.sources.http.client import http_client


@shared_task
def ingest_due_sources() -> None:
    """Claim the sources whose time has come and run each in a task of its own."""
    for lease in runs.claim_due(timezone.now()):
        ingest_source.delay(lease.source, lease.until.isoformat())


@shared_task
def ingest_source(pk: int, claimed_until: str) -> None:
    lease = runs.Lease(pk, datetime.fromisoformat(claimed_until))
    runs.ingest_claimed(lease, now=timezone.now(), http=http_client())


# Linking many documents again takes longer than a task may, so each links a range and sends the next.
@shared_task
def relink() -> None:
    if relinking.proceed(now=timezone.now()):
        relink.delay()


@shared_task
def relink_everything() -> None:
    relinking.request(None)
    relink.delay()


@shared_task
def fold_counts() -> None:
    counting.fold()


# A million documents are compared in minutes; each range is a statement of its own, so a cut is no loss.
@shared_task(soft_time_limit=1500, time_limit=1800)
def verify_counts() -> None:
    counting.verify()


@shared_task
def refresh_search_index() -> None:
    indexing.refresh(now=timezone.now())


@shared_task
def gather_events() -> None:
    intake.cluster_new_documents(now=timezone.now())


@shared_task
def announce_values() -> None:
    announcements.announce(now=timezone.now())


@shared_task
def record_price_pulses() -> None:
    recording.record_price_pulses(now=timezone.now())


@shared_task
def record_bursts() -> None:
    burst_recording.record_bursts(now=timezone.now())


@shared_task
def record_premiums() -> None:
    premium.record_all(now=timezone.now())
    record_premium_pulses.delay()


@shared_task
def record_premium_pulses() -> None:
    premium_recording.record_premium_pulses(now=timezone.now())


@shared_task
def build_publications() -> None:
    """The files for crawlers. Web processes build the indexes, at once and at a higher priority."""
    publications.build(now=timezone.now(), groups=[publications.PublicationGroup.CRAWLERS])


@shared_task
def rebuild_search_statistics() -> None:
    statistics.rebuild_statistics()


# After a change of the analyser every text is read again; each batch is a transaction, so a cut is no loss.
@shared_task(soft_time_limit=3000, time_limit=3300)
def reindex_everything() -> None:
    indexing.refresh_everything()


@shared_task
def prune() -> None:
    now = timezone.now()
    runs.prune(now=now)
    thinning.thin(now=now)


@shared_task
def choose_hourly_markets() -> None:
    bars.choose_hourly(now=timezone.now())


@shared_task
def prune_verdicts() -> None:
    verdicts.prune(now=timezone.now())


@shared_task
def prune_changes() -> None:
    UnitChange.objects.prune(timezone.now())
