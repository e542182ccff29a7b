"""``python -m benchmarks.ingesting DATABASE``: a worker. It builds the files for crawlers each half minute; while its
input last said ``on``, it stores ten documents a second and counts them every ten; it ends with its input.

After readers at the CPU, as the Procfile starts workers.
"""

import os
import sys
import threading
import time
from datetime import datetime
from typing import TYPE_CHECKING

import django
from django.conf import settings

if TYPE_CHECKING:
    from knowledge.sources.base import DocumentItem

RATE = 10
NICENESS = 10  # the Procfile's, of workers
FOLD_SECONDS = 10.0
BUILD_SECONDS = 30.0  # as often as beat sends build_publications
ABOUT = ("마루코인", *(f"지어낸 자산 {number}" for number in range(9)))


def main(database: str) -> None:
    os.nice(NICENESS)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    settings.DATABASES["default"]["NAME"] = database
    django.setup()
    from config.celery import app as celery_app

    celery_app.conf.update(broker_url="memory://")
    on, over = threading.Event(), threading.Event()

    def listen() -> None:
        for line in sys.stdin:
            (on.set if line.strip() == "on" else on.clear)()
        over.set()

    threading.Thread(target=listen, daemon=True).start()
    ingest(on, over)


def ingest(on: threading.Event, over: threading.Event) -> None:
    from django.db import transaction
    from django.utils import timezone

    from knowledge import tasks
    from knowledge.counting import fold
    from knowledge.ingestion import documents
    from knowledge.linking.gazetteer import newest_gazetteer
    from tests.factories.knowledge import make_source

    source, number, folded, built = make_source(f"serving-{os.getpid()}"), 0, 0.0, time.monotonic()
    newest_gazetteer()
    print("ready", flush=True)
    while not over.is_set():
        if time.monotonic() > built + BUILD_SECONDS:
            tasks.build_publications()
            built = time.monotonic()
        if not on.wait(0.1):
            continue
        due = time.monotonic() + 1 / RATE
        with transaction.atomic():
            documents.store(source, [item(number, timezone.now())], now=timezone.now())
        number += 1
        if due > folded + FOLD_SECONDS:
            fold()
            folded = due
        time.sleep(max(0.0, due - time.monotonic()))


def item(number: int, now: datetime) -> "DocumentItem":
    from knowledge.sources.base import DocumentItem

    return DocumentItem(
        external_id=str(number),
        url=f"https://made-up.example/{os.getpid()}/{number}",
        title=f"{ABOUT[number % len(ABOUT)]}, {number + 1}번째 소식",
        published_at=now,
    )


if __name__ == "__main__":
    main(sys.argv[1])
