"""The Celery application of worker and beat, and the one log line of each task."""

import gc
import logging
import os
import time
import warnings
from typing import Any

from celery import Celery, Task
from celery.signals import before_task_publish, setup_logging, task_postrun, task_prerun, worker_init
from django.conf import settings

from config.log_lines import Work, current

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("madang")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

if settings.DEBUG:
    # On a developer's machine there may be no other user than root; in production the warning is right.
    warnings.filterwarnings("ignore", message=r"\s*You're running the worker with superuser")

logger = logging.getLogger("tasks")
# The request on whose behalf a task was sent.
ORIGIN = "origin_request"
# Tasks that handle questions.
PRIVATE = ("ask.",)
_began: dict[str, float] = {}


@setup_logging.connect
def keep_logging(**_: Any) -> None:
    """Nothing: Django has set up settings/logs.py, and without a receiver Celery would raise the level to WARNING."""


@worker_init.connect
def read_names(**_: Any) -> None:
    """Before the fork, so that no task waits for the first gazetteer, and the processes share its memory.

    A failure is in Celery's log, and the first task that needs the names reads them. No connection crosses the fork.
    """
    from django.db import connection

    from knowledge.linking.gazetteer import newest_gazetteer

    try:
        newest_gazetteer()
        # Names are a million objects that stay: looked through by no collector, not even at the very end, which would
        # take seconds.
        gc.freeze()
    finally:
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]  # of the Postgres backend


@before_task_publish.connect
def name_origin(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """Send the request's id along."""
    work = current.get()
    if headers is not None and work.request:
        headers[ORIGIN] = work.request


@task_prerun.connect
def take_up(task_id: str, task: Task[Any, Any], **_: Any) -> None:
    """From here on this process's lines are the task's."""
    origin = getattr(task.request, ORIGIN, None) or ""
    current.set(Work(request=str(origin), task=task_id, private=task.name.startswith(PRIVATE)))
    _began[task_id] = time.perf_counter()


@task_postrun.connect
def put_down(task_id: str, task: Task[Any, Any], state: str | None = None, **_: Any) -> None:
    """The task's line: its name, its state, its milliseconds."""
    seconds = time.perf_counter() - _began.pop(task_id, time.perf_counter())
    fields = {"name": task.name, "state": state or "", "ms": round(seconds * 1000, 1)}
    logger.info("task", extra={"fields": fields})
    current.set(Work())
