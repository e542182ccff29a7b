"""What a web process starts beside answering: its listener and what takes seconds to warm. After gunicorn's fork, so
never with ``--preload``."""

import gc
import sys
import threading
from collections.abc import Callable

from django.contrib.staticfiles.storage import staticfiles_storage

from ask import model_calls
from config.collected_files import require_collected
from knowledge.postgres.base import arm
from knowledge.publications import start_listening
from knowledge.search.typos import names_at_hand

# A reader takes the interpreter back several times a request, and waits up to this long for every thread that is
# busy with a retrieval; Python's own 5 ms add up to tens of them.
SWITCH_SECONDS = 0.0005
# By then names, words and indexes are read.
SETTLED_SECONDS = 10.0


def start(then: Callable[[], None] | None = None) -> None:
    """Once a process, when Django is set up; ``then`` is called in a thread, when all has settled. Raises what
    ``require_collected`` raises."""
    sys.setswitchinterval(SWITCH_SECONDS)
    require_collected(staticfiles_storage)
    arm()
    start_listening()
    # Both take seconds, and no visitor should wait for them.
    names_at_hand("")  # has the gazetteer read first
    warm = threading.Thread(target=model_calls.warm, name="warm", daemon=True)
    warm.start()
    settled = threading.Timer(SETTLED_SECONDS, settle, [warm, then])
    settled.daemon = True
    settled.start()


def settle(after: threading.Thread, then: Callable[[], None] | None = None) -> None:
    """Take what was read at the start out of the garbage collector's sight: it stays for the process's life. Call
    ``then``.

    Whenever it looks at all there is, nobody is answered: without this the slowest reads beside 200 askers took twice
    as long, and three times as their answers came.
    """
    after.join()  # what it imports stays as well, and takes long where other processes start too
    gc.collect()
    gc.freeze()
    if then is not None:
        then()
