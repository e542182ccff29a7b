"""One answer at a time for a question, in all processes: a row that says who is making it, and until when.

The lease is longer than the slowest call to the model and begins anew right before it, so that no wait for a turn is
taken from it; and nobody holds a transaction or a lock while it lasts. A process that dies leaves a row that the next
asker takes over once it has run out. Whoever lost a lease that way is told by ``extend`` before the call and by
``end`` before the answer is stored. The clock is the database's, since those of the machines differ.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, models
from django.utils.translation import gettext_lazy as _

from ask.hashing import HASH_LENGTH

LEASE_SECONDS = 40  # above the 25 s that a call to the model may take

_TAKE = """
INSERT INTO ask_flight AS flight (question_hash, owner, lease_until)
VALUES (%(key)s, %(owner)s, clock_timestamp() + make_interval(secs => %(seconds)s))
ON CONFLICT (question_hash) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
WHERE flight.lease_until < clock_timestamp()
RETURNING owner
"""
_EXTEND = """
UPDATE ask_flight SET lease_until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE question_hash = %(key)s AND owner = %(owner)s
"""
_UNDER_WAY = (
    "SELECT EXISTS (SELECT FROM ask_flight WHERE question_hash = %s AND lease_until >= clock_timestamp())"
)


class ClockTimestamp(models.Func):
    """Now, also inside a transaction."""

    function = "clock_timestamp"
    output_field = models.DateTimeField()


class UnderWayError(Exception):
    """Somebody else is answering this question."""


class LeaseLostError(UnderWayError):
    """Somebody else is answering it by now: our own lease had run out."""


class Flight(models.Model):
    """An answer that is being made."""

    question_hash = models.CharField(_("질문 해시"), max_length=HASH_LENGTH, primary_key=True)
    owner = models.UUIDField(_("작성 주체"))
    lease_until = models.DateTimeField(_("기한"))

    class Meta:
        verbose_name = _("만드는 중인 답변")
        verbose_name_plural = _("만드는 중인 답변")

    def __str__(self) -> str:
        return self.question_hash


@contextmanager
def lease(question_hash: str) -> Iterator[uuid.UUID]:
    """Be the one who answers this question. Raises UnderWayError while somebody else is."""
    owner = uuid.uuid4()
    if not _take(question_hash, owner):
        raise UnderWayError
    try:
        yield owner
    finally:
        end(question_hash, owner)


def extend(question_hash: str, owner: uuid.UUID) -> None:
    """Begin a lease anew. Raises LeaseLostError when it had run out and is no longer the owner's."""
    with connection.cursor() as cursor:
        cursor.execute(_EXTEND, {"key": question_hash, "owner": owner, "seconds": LEASE_SECONDS})
        if not cursor.rowcount:
            raise LeaseLostError


def end(question_hash: str, owner: uuid.UUID) -> bool:
    """Give a lease back; False when it had run out and is no longer the owner's."""
    return bool(Flight.objects.filter(question_hash=question_hash, owner=owner).delete()[0])


def sweep() -> int:
    """Forget who died while answering; the next asker would take the row over anyway. Returns how many did."""
    return Flight.objects.filter(lease_until__lt=ClockTimestamp()).delete()[0]


def is_under_way(question_hash: str) -> bool:
    """Whether somebody is answering this question."""
    with connection.cursor() as cursor:
        cursor.execute(_UNDER_WAY, [question_hash])
        (under_way,) = cursor.fetchone()
    return bool(under_way)


def require_free(question_hash: str) -> None:
    """Raise UnderWayError while somebody is answering this question."""
    if is_under_way(question_hash):
        raise UnderWayError


def _take(question_hash: str, owner: uuid.UUID) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, {"key": question_hash, "owner": owner, "seconds": LEASE_SECONDS})
        return cursor.fetchone() is not None
