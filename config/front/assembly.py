"""The front door of this project: which threads it has, what it says by itself, how it is counted."""

import logging
import os
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import override

from ask.bulkheads import CROWD
from config import metrics
from config.errors import page
from config.front.application import Front, Places
from config.front.beside import AskProcess, Beside
from config.front.bridge import Application, Bridge
from config.front.counts import FrontCounts
from config.front.memory import FrontResponse, Memory
from config.log_lines import failure_lines
from config.middleware import ADMIN_PATH, PublicHeaders
from knowledge.errors import Busy
from knowledge.languages import language_of_path
from knowledge.postgres.base import release_connection
from knowledge.publications.hearing import hearing

RESERVED_PLACES = 4
FULL_RETRY_SECONDS = 1
logger = logging.getLogger("requests")
failures = logging.getLogger(__name__)


def beside(application: Application, turns: int) -> Beside:
    """A WSGI application with a process of its own for questions, which locks its turns on the file ``turns``."""
    command = ["config.ask_process", str(turns), str(os.getppid())]
    return Beside(
        application, settings.FRONT_ASK_PATHS, lambda: AskProcess(command, inherited=[turns]), refuse
    )


def front_of(application: Beside) -> Front:
    """The front before a WSGI application, told of every change that this process hears of."""
    general = ThreadPoolExecutor(settings.WEB_THREADS, thread_name_prefix="web")
    elsewhere = ThreadPoolExecutor(settings.WEB_THREADS, thread_name_prefix="elsewhere")
    reserved = ThreadPoolExecutor(RESERVED_PLACES, thread_name_prefix="reserved")
    front = Front(
        Bridge(application, general, release_connection),
        Memory(settings.FRONT_MEMORY_BYTES),
        hearing,
        Places(
            general,
            reserved,
            elsewhere,
            settings.WEB_THREADS,
            frozenset(settings.FRONT_RESERVED_PATHS),
            application.hands_over,
            crowd=CROWD,
        ),
        refuse,
        failed,
        report,
        trusts_proxies=settings.TRUSTED_PROXY_COUNT > 0,
        admin_path=ADMIN_PATH,
    )
    hearing.subscribe(front.tell_from_elsewhere)
    return front


def refuse(status: int, path: str) -> FrontResponse:
    """What the application would say at an address to a request that it never saw."""
    request = HttpRequest()
    request.path = request.path_info = path
    busy = Busy(retry_after=FULL_RETRY_SECONDS) if status == Busy.status_code else None
    with override(language_of_path(path)):
        response = PublicHeaders(lambda request: page(request, status, busy))(request)
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in response.items()]
    return FrontResponse(status, headers, response.content)


def failed(error: Exception) -> None:
    failures.error("the application failed: %s", "\n".join(failure_lines(error, private=True)))


def report(counts: FrontCounts) -> None:
    """One line a second for each kind of what was given from memory, and one for what was ended or refused."""
    for hit, count in counts.hits.items():
        fields = {**hit._asdict(), "count": count, "bytes": counts.bytes[hit]}
        logger.info("requests from memory", extra={"fields": fields})
    if counts.ended:
        logger.info("connections ended", extra={"fields": dict(counts.ended)})
    metrics.count_front(counts.hits.items(), counts.ended)
