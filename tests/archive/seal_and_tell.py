"""A process that seals one day and may be killed at any moment; run by ``test_soak`` with ROOT DAY CALLS.

It prints ``ready`` before it begins and ``done`` after it ended. Each call of its model is a line in the file CALLS.
"""

import os
import sys
from datetime import date
from pathlib import Path

import django


def main(root: str, day: str, calls: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.conf import settings

    settings.STORAGES = {
        **settings.STORAGES,
        "archive": {"BACKEND": "archive.storage.DayFileStorage", "OPTIONS": {"location": root}},
    }
    from archive import capture
    from archive.days import end_of
    from ask.model_calls import Completion
    from tests.archive.made import TEXT

    def compose(system: str, content: str) -> Completion:
        with Path(calls).open("a", encoding="utf-8") as file:
            file.write("asked\n")
        return Completion(TEXT, "model-of-the-test", 1500)

    print("ready", flush=True)
    wanted = date.fromisoformat(day)
    capture.seal(wanted, now=end_of(wanted), compose=compose)
    print("done", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
