"""The WSGI application that the benchmark of pages runs: the project, with its pages kept or made anew each time."""

import os
from typing import Any

from django.conf import settings

from benchmarks.archive_app import use_folder

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def make_application(database: str, folder: str, static: str, keeps: bool) -> Any:
    """What each worker runs: another database of the same server, other folders of day files and stylesheets."""
    settings.DATABASES["default"]["NAME"] = database
    settings.STATIC_ROOT = static
    use_folder(folder)
    # Importing it connects, so the settings come first.
    from config.wsgi import application
    from knowledge.publications import page_cache

    if not keeps:
        # No check lies within no time at all, so no page is kept.
        page_cache.CHECKED_SECONDS = 0.0
    return application
