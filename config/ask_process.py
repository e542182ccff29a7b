"""``python -m config.ask_process LINE TURNS MASTER``: answers questions for the web process that started it.

``LINE`` is the number of a socket on which that process sends connections, one for each request that it has under way
at a time; ``TURNS`` of the file on which the web processes lock their turns; ``MASTER`` the process whose workers
count their requests together.
"""

import logging
import os
import signal
import socket
import sys
import threading
from io import BytesIO
from multiprocessing.connection import Connection

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django = get_wsgi_application()

# These need the apps that the line above loads.
from ask import bulkheads  # noqa: E402
from config import metrics, web_process  # noqa: E402
from config.front.bridge import Application, Environ, whole_answer  # noqa: E402
from config.front.memory import FrontResponse  # noqa: E402
from config.log_lines import failure_lines  # noqa: E402
from knowledge.postgres.cores import cores  # noqa: E402

# Readers come first, and those who wait for an answer before the workers (Procfile).
NICENESS = 5
# They are for the web process, which first answers what was asked; a service manager sends them to both.
NOT_FOR_IT = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)
logger = logging.getLogger(__name__)


def main(line: int, turns: int, master: int) -> None:
    for each in NOT_FOR_IT:
        signal.signal(each, signal.SIG_IGN)
    os.nice(NICENESS)
    metrics.count_with_workers_of(master)
    bulkheads.share_turns(turns)
    web_process.start()
    cores.begin()
    with socket.socket(fileno=line) as connections:
        connections.sendall(b"\0")
        while taken := socket.recv_fds(connections, 1, 1)[1]:
            threading.Thread(target=answer_on, args=[Connection(taken[0]), django], daemon=True).start()
    # The web process ended: nobody waits for what is being answered.
    os._exit(0)


def answer_on(connection: Connection, application: Application) -> None:
    """Answer one request after another, until the connection ends."""
    with connection:
        while True:
            try:
                environ, body = connection.recv()
                connection.send(answered(application, environ, body))
            except EOFError:
                return
            except Exception as error:
                logger.error("the application failed: %s", "\n".join(failure_lines(error, private=True)))
                return


def answered(application: Application, environ: Environ, body: bytes) -> FrontResponse:
    bulkheads.leave_a_core()
    return whole_answer(application, {**environ, "wsgi.input": BytesIO(body), "wsgi.errors": sys.stderr})


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
