"""The WSGI application that the benchmark of asking runs: the project itself, over another database."""

import os
from typing import Any

from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def make_application(database: str) -> Any:
    """The application over another database of the same server."""
    settings.DATABASES["default"]["NAME"] = database
    # Importing it connects, so the settings come first.
    from config.wsgi import application

    return application
