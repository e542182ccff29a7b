"""How many answers a web process makes at once, so that reading never waits for a thread, a connection or the CPU."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from ask.errors import FREE_ENGLISH, FREE_KOREAN
from knowledge.postgres.base import release_connection
from knowledge.search.bulkhead import Bulkhead

RETRY_AFTER = 3

# An answer holds its thread for seconds: at most 40 per cent of them do.
ANSWERS = Bulkhead(
    max(1, settings.WEB_THREADS * 2 // 5),
    retry_after=RETRY_AFTER,
    english=f"As many questions as possible are being answered. Try again in a moment. {FREE_ENGLISH}",
    korean=f"지금은 새 질문을 더 받을 수 없습니다. 잠시 뒤에 다시 물어 주세요. {FREE_KOREAN}",
)
# Whoever waits for somebody else's answer holds a thread too, and only to be spared a second request.
FOLLOWERS = Bulkhead(max(1, settings.WEB_THREADS // 8), retry_after=RETRY_AFTER)
# Retrieval and quoting are tens of milliseconds of work, half of them Postgres's. A process has one interpreter, so
# that a second one beside it would finish none sooner and only take turns away from readers.
_WORKING = threading.BoundedSemaphore(1)


@contextmanager
def turn() -> Iterator[None]:
    """Wait for a turn to work, without a database connection in hand."""
    release_connection()
    with _WORKING:
        yield
