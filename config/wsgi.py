"""The service for a WSGI server, without the front door: whatever it answers, it asks Django.

Importing this starts the process's listener: see ``config.web_process``.
"""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django = get_wsgi_application()

# These need the apps that the line above loads.
from config import web_process  # noqa: E402
from config.celery import app as celery_app  # noqa: E402  the app that tasks are sent with
from config.request_bodies import WholeBodies  # noqa: E402

__all__ = ["application", "celery_app"]

application = WholeBodies(django)
web_process.start()
