"""The process that the benchmark of bulk files measures: it writes those of a night and says what that took."""

import json
import os
import sys
import time
from pathlib import Path

import django


def main(database: str, folder: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.conf import settings

    settings.DATABASES["default"]["NAME"] = database
    django.setup()
    from django.utils import timezone

    from benchmarks.web_app import use_folder
    from bulk import shelf, writing
    from bulk.nights import due_day

    use_folder(folder)
    now, idle, began = timezone.now(), peak_mb(), time.perf_counter()
    writing.write(due_day(now), now=now, tell=lambda line: None)
    items = shelf.read_list(due_day(now))["items"]
    figures = {
        "seconds": time.perf_counter() - began,
        "peak_mb": peak_mb(),
        "before_mb": idle,
        "gzip_mb": sum(item["bytes"] for item in items) / 1024 / 1024,
        **{item["name"]: item["count"] for item in items},
    }
    print(json.dumps(figures))


def peak_mb() -> float:
    """The most that was ever resident, from /proc; 0 where there is none (macOS). ``getrusage`` would tell of the
    process that started this one as well."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), 0.0)


if __name__ == "__main__":
    main(*sys.argv[1:])
