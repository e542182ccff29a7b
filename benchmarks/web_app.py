"""What the gunicorns of measurements serve: the project with ``benchmarks.web_urls``, over another database."""

import os
from typing import Any

from django.conf import settings

from benchmarks.seeded import pass_on

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def front(database: str, *, folder: str = "", static: str = "") -> Any:
    """As production serves it, behind its front door."""
    use(database, folder, static)
    # Importing it connects, so the settings come first.
    from config.asgi import application

    return application


def plain(database: str, *, folder: str = "", static: str = "") -> Any:
    """For a worker that speaks WSGI."""
    use(database, folder, static)
    from config.wsgi import application

    return application


def use(database: str, folder: str, static: str) -> None:
    """Another database of the same server; other folders of day files and of stylesheets where they are named."""
    settings.DATABASES["default"]["NAME"] = database
    pass_on(database)
    settings.ROOT_URLCONF = "benchmarks.web_urls"
    if folder:
        use_folder(folder)
    if static:
        settings.STATIC_ROOT = static


def use_folder(folder: str) -> None:
    settings.STORAGES = {
        **settings.STORAGES,
        "archive": {"BACKEND": "archive.storage.DayFileStorage", "OPTIONS": {"location": folder}},
    }
