"""The web process: Django behind its front door (``config.front``).

Importing this starts the process's listener: see ``config.web_process``.
"""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django = get_wsgi_application()

# These need the apps that the line above loads.
from ask import bulkheads  # noqa: E402
from config import web_process  # noqa: E402
from config.celery import app as celery_app  # noqa: E402  the app that tasks are sent with
from config.front.assembly import front_of  # noqa: E402
from config.front.worker import TURNS  # noqa: E402

__all__ = ["application", "celery_app"]

application = front_of(django)
bulkheads.share_turns(TURNS)
web_process.start()
