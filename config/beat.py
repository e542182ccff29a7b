"""Beat's schedule: which periodic task was sent when, in a file, so that a restart neither repeats nor forgets one."""

from pathlib import Path

from celery.beat import PersistentScheduler


class FileSchedule(PersistentScheduler):
    """Celery's own, in a folder that is made where there is none: beat may run alone on a new machine."""

    schedule_filename: str

    def setup_schedule(self) -> None:
        Path(self.schedule_filename).parent.mkdir(parents=True, exist_ok=True)
        super().setup_schedule()
