"""Worker and beat: they log as the settings say, and beat starts on a machine that has nothing yet."""

import logging
from pathlib import Path

import pytest
from celery.app.log import Logging
from celery.utils.imports import instantiate

from config.celery import app


def test_worker_and_beat_keep_the_level_and_the_handlers_of_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "level", logging.INFO)
    monkeypatch.setattr(root, "handlers", root.handlers[:])
    monkeypatch.setattr(Logging, "_setup", False)
    handlers = root.handlers[:]
    # What both commands do when no level is given to them.
    Logging(app).setup_logging_subsystem(loglevel="WARN")
    assert (root.level, root.handlers) == (logging.INFO, handlers)


def test_what_a_task_prints_is_not_made_into_lines_of_the_log() -> None:
    assert app.conf.worker_redirect_stdouts is False


def test_beat_makes_the_folder_of_its_schedule(tmp_path: Path) -> None:
    path = tmp_path / "var" / "celerybeat-schedule"
    schedule = instantiate(app.conf.beat_scheduler, app, schedule_filename=str(path))
    schedule.close()
    assert list(path.parent.iterdir())
