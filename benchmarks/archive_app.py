"""The WSGI application that the archive's benchmark runs: the archive's addresses over a folder of its own."""

import os
from typing import Any

from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def make_application(database: str, folder: str) -> Any:
    """What each worker runs: another database of the same server, another folder of day files."""
    settings.DATABASES["default"]["NAME"] = database
    settings.ROOT_URLCONF = "archive.urls"
    use_folder(folder)
    # Importing it connects, so the settings come first.
    from config.wsgi import application

    return application


def use_folder(folder: str) -> None:
    settings.STORAGES = {
        **settings.STORAGES,
        "archive": {"BACKEND": "archive.storage.DayFileStorage", "OPTIONS": {"location": folder}},
    }
