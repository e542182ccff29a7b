"""The web process. Importing this starts its listener: after gunicorn's fork, so never with ``--preload``."""

import os
import sys
import threading

from django.core.wsgi import get_wsgi_application

from config.request_bodies import WholeBodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# A reader takes the interpreter back several times a request, and waits up to this long for every thread that is
# busy with a retrieval; Python's own 5 ms add up to tens of them.
sys.setswitchinterval(0.0005)

application = WholeBodies(get_wsgi_application())

# These need the apps that the line above loads.
from django.contrib.staticfiles.storage import staticfiles_storage  # noqa: E402

from ask import model_calls  # noqa: E402
from config.celery import app as celery_app  # noqa: E402  the app that tasks are sent with
from config.collected_files import require_collected  # noqa: E402
from knowledge.postgres.base import arm  # noqa: E402
from knowledge.publications import start_listening  # noqa: E402
from knowledge.search.typos import names_at_hand  # noqa: E402

__all__ = ["application", "celery_app"]

require_collected(staticfiles_storage)
arm()
start_listening()
# Both take seconds, and no visitor should wait for them.
names_at_hand("")  # has the gazetteer read first
threading.Thread(target=model_calls.warm, name="warm", daemon=True).start()
