"""The web process: Django behind its front door (``config.front``).

Importing this starts the process's listener, and some seconds later a process that answers questions: see
``config.web_process`` and ``config.front.beside``.
"""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django = get_wsgi_application()

# These need the apps that the line above loads.
from ask import bulkheads  # noqa: E402
from config import web_process  # noqa: E402
from config.celery import app as celery_app  # noqa: E402  the app that tasks are sent with
from config.front.assembly import beside, front_of  # noqa: E402
from config.front.worker import TURNS  # noqa: E402

__all__ = ["application", "celery_app"]

askers = beside(django, TURNS)
application = front_of(askers)
bulkheads.share_turns(TURNS)
web_process.start(askers.keep if settings.ASK_PROCESS else None)
