"""Which process does which job."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from ask import tasks
from benchmarks.ingesting import NICENESS
from config.celery import app
from config.embedded.procfile import read_procfile

MODEL = {tasks.answer_seed_questions.name, tasks.renew_answers.name, tasks.audit_citations.name}
PROCESSES = read_procfile(Path(settings.BASE_DIR) / "Procfile")


def queue_of(task: str) -> str:
    return str(app.amqp.router.route({}, task)["queue"].name)


@pytest.mark.parametrize("job", settings.CELERY_BEAT_SCHEDULE)
def test_what_waits_for_the_model_has_a_queue_of_its_own_and_nothing_else_is_in_it(job: str) -> None:
    task = settings.CELERY_BEAT_SCHEDULE[job]["task"]
    assert queue_of(task) == ("model" if task in MODEL else "celery")


def test_every_queue_is_listened_to_by_one_process_line_and_the_models_one_at_a_time() -> None:
    workers = {name: line for name, line in PROCESSES.items() if " worker " in line}
    listening = {name: re.findall(r"-Q (\S+)", line) for name, line in workers.items()}
    assert listening == {"worker": ["celery"], "modelworker": ["model"]}
    assert sorted(queue for queues in listening.values() for queue in queues) == sorted(settings.TASK_QUEUES)
    assert " -c 1 " in workers["modelworker"]
    # Two workers of one name on a machine would take each other's orders.
    assert " -n model@" in workers["modelworker"]


def test_workers_go_after_readers_at_the_cpu_and_the_benchmark_of_ingestion_as_they_do() -> None:
    niced = {name: line for name, line in PROCESSES.items() if line.startswith(f"nice -n {NICENESS} celery ")}
    assert list(niced) == ["worker", "modelworker"]
