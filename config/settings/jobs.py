"""Celery, and every periodic job on one page."""

from typing import Any

from celery.schedules import crontab

from config.settings.data import REDIS_URL
from config.settings.environment import VAR_DIR

# Celery names a unix socket by another scheme than redis-py does.
CELERY_BROKER_URL = (
    "redis+socket://" + REDIS_URL.removeprefix("unix://").replace("?db=", "?virtual_host=")
    if REDIS_URL.startswith("unix://")
    else REDIS_URL
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_BEAT_SCHEDULER = "config.beat:FileSchedule"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "celerybeat-schedule")
CELERY_TIMEZONE = "Asia/Seoul"
# A task lost with its worker is run again: every task is idempotent.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600}
CELERY_TASK_SOFT_TIME_LIMIT = 240
CELERY_TASK_TIME_LIMIT = 300
# Logging is settings/logs.py's; a traceback on stderr must not come back as a line of log for each character.
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False

# Whatever may wait for the language model for minutes has a queue and a process of its own (``modelworker``), so that
# ingestion never waits for an audit. The midnight seal asks the model too and is not among them: it has its minute.
CELERY_TASK_DEFAULT_QUEUE = "celery"
MODEL_QUEUE = "model"
TASK_QUEUES = (CELERY_TASK_DEFAULT_QUEUE, MODEL_QUEUE)
CELERY_TASK_ROUTES = {
    f"ask.tasks.{name}": {"queue": MODEL_QUEUE}
    for name in ("answer_seed_questions", "renew_answers", "audit_citations")
}

CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    # Looks every minute which sources are due; each source has its own interval and back-off.
    "ingest-due-sources": {"task": "knowledge.tasks.ingest_due_sources", "schedule": 60.0},
    # An edit sends it at once; this takes up what a lost worker or broker left.
    "relink": {"task": "knowledge.tasks.relink", "schedule": 60.0},
    # What documents speak of, into the counts of units, which the indexes show every half minute.
    "fold-counts": {"task": "knowledge.tasks.fold_counts", "schedule": 15.0},
    # Units, posts and documents that changed since the last look.
    "refresh-search-index": {"task": "knowledge.tasks.refresh_search_index", "schedule": 60.0},
    # New documents into clusters; what became a candidate waits for an editor.
    "gather-events": {"task": "knowledge.tasks.gather_events", "schedule": 300.0},
    # A key rate that changed, a month's price index: candidates too.
    "announce-values": {"task": "knowledge.tasks.announce_values", "schedule": 600.0},
    # Hour bars close on the hour and arrive within minutes.
    "record-price-pulses": {"task": "knowledge.tasks.record_price_pulses", "schedule": 300.0},
    "record-bursts": {"task": "knowledge.tasks.record_bursts", "schedule": 600.0},
    "record-premiums": {"task": "knowledge.tasks.record_premiums", "schedule": 600.0},
    # The files for crawlers; the indexes are built in the web processes.
    "build-publications": {"task": "knowledge.tasks.build_publications", "schedule": 30.0},
    "answer-seed-questions": {"task": "ask.tasks.answer_seed_questions", "schedule": 60.0},
    "renew-answers": {"task": "ask.tasks.renew_answers", "schedule": 60.0},
    # Money reserved by a process that died is charged in full.
    "sweep-reservations": {"task": "ask.tasks.sweep_reservations", "schedule": 60.0},
    # Whether the web cites us for our own questions: once a week, from a share of the day's cap.
    "audit-citations": {
        "task": "ask.tasks.audit_citations",
        "schedule": crontab(hour=5, minute=10, day_of_week="mon"),
    },
    # The city: signals are pulled through the evening, the day is sealed at midnight, again until half past.
    "pull-signals": {"task": "archive.tasks.pull_signals", "schedule": crontab(hour="18-23", minute="*/30")},
    "seal-yesterday": {"task": "archive.tasks.seal_yesterday", "schedule": crontab(hour=0, minute="0-30/5")},
    # A night on which Postgres was away is made up for, with `late: true`.
    "catch-up-archive": {"task": "archive.tasks.catch_up", "schedule": crontab(minute=45)},
    # The files of the night at 04:00; at every other hour only what was missed.
    "write-bulk": {"task": "bulk.tasks.write_bulk", "schedule": crontab(minute=0)},
    # How each subsystem is, once an hour: what an outage of minutes kept from being stored is stored by the next look.
    "record-verdicts": {"task": "feeds.tasks.record_verdicts", "schedule": crontab(minute="5,25,45")},
    # The pictures of shared links: those of pages that changed, for a third of the time at most.
    "draw-cards": {"task": "feeds.tasks.draw_cards", "schedule": 60.0},
    # Nightly, while Seoul sleeps.
    "rebuild-search-statistics": {
        "task": "knowledge.tasks.rebuild_search_statistics",
        "schedule": crontab(hour=4, minute=10),
    },
    # Before the index is compared with it.
    "relink-everything": {
        "task": "knowledge.tasks.relink_everything",
        "schedule": crontab(hour=4, minute=15),
    },
    "reindex-everything": {
        "task": "knowledge.tasks.reindex_everything",
        "schedule": crontab(hour=4, minute=20),
    },
    "verify-counts": {"task": "knowledge.tasks.verify_counts", "schedule": crontab(hour=4, minute=30)},
    "prune": {"task": "knowledge.tasks.prune", "schedule": crontab(hour=4, minute=40)},
    "prune-verdicts": {"task": "knowledge.tasks.prune_verdicts", "schedule": crontab(hour=4, minute=40)},
    "prune-changes": {"task": "knowledge.tasks.prune_changes", "schedule": crontab(hour=4, minute=45)},
    # Of which markets hour bars are asked for: the largest, and those with a pulse lately.
    "choose-hourly-markets": {
        "task": "knowledge.tasks.choose_hourly_markets",
        "schedule": crontab(hour=4, minute=50),
    },
}

for _job in CELERY_BEAT_SCHEDULE.values():
    # After an outage one run is enough: what waits longer than its own interval is dropped, not repeated.
    _job["options"] = {"expires": _job["schedule"] if isinstance(_job["schedule"], float) else 3600.0}
