"""What a change of aliases does to stored documents: only those that contain the alias are linked again."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import pairwise

from django.db import transaction
from django.db.models import Q, QuerySet, TextField, Value
from django.db.models.functions import Concat

from knowledge.linking.gazetteer import STORED_VERSION, newest_gazetteer
from knowledge.linking.store import link_documents
from knowledge.models import Document, Relinking
from knowledge.models.documents import CHARACTER_PAIRS, Squeezed
from knowledge.search import indexing

BATCH = 500  # documents a transaction
RANGE = 10_000  # documents a task: a million take longer than a task may
LEASE = timedelta(minutes=6)  # longer than a task may take
# With more norms than this, reading every document once is cheaper than looking for each in all of them.
MAX_NORMS = 60
_log = logging.getLogger(__name__)


def request(norms: Iterable[str] | None) -> None:
    """Have the documents linked again that contain any of these alias norms; None: all documents.

    Call it in the transaction that changes the aliases, with the norms before and after. Linking is idempotent, so too
    many norms cost time and nothing else.
    """
    if norms is not None:
        Relinking.objects.create(norms=sorted(norms))
        return
    # One that a worker has begun is past documents that are to be read again.
    if not Relinking.objects.filter(norms=None, before=None, claimed_until=None).exists():
        Relinking.objects.create()


def proceed(*, now: datetime) -> bool:
    """Link a range of documents of the oldest request that no worker is at, and bring search in line.

    Waits for the newest names, as nothing else does. Returns whether there was a request.
    """
    # One statement, one snapshot: it sees the linking committed, and no change of names committed since they were read.
    # Whatever changes later is requested by its own norms, and whoever works that off sees these documents.
    Relinking.objects.filter(version=STORED_VERSION, claimed_until=None).delete()
    free = Relinking.objects.exclude(claimed_until__gte=now).order_by("pk")
    with transaction.atomic():
        work = free.select_for_update(skip_locked=True).first()
        if work is None:
            return False
        Relinking.objects.filter(pk=work.pk).update(claimed_until=now + LEASE)
    documents = Document.objects.all() if work.norms is None else containing(set(work.norms))
    if work.documents is not None:
        documents = Document.objects.filter(pk__in=work.documents)
    if work.before is not None:
        documents = documents.filter(pk__lt=work.before)
    keys = list(documents.order_by("-pk").values_list("pk", flat=True)[:RANGE])
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        names = newest_gazetteer()
        # The position goes with what was done: a worker that is lost, or too slow for a range, repeats one batch.
        with transaction.atomic():
            touched = link_documents(Document.objects.filter(pk__in=batch).select_related("source"), names)
            indexing.relink_documents(touched)
            work.before, work.changed = batch[-1], work.changed + len(touched)
            work.save(update_fields=["before", "changed"])
    if len(keys) < RANGE:
        work.delete()
        _log.info("linked again: mentions of %d documents changed", work.changed)
    else:
        work.claimed_until = None
        work.save(update_fields=["claimed_until"])
    return True


def containing(norms: set[str]) -> QuerySet[Document]:
    """The documents whose text may have any of the norms in it, spaces aside; all of them for very many norms.

    Found by an index of pairs of characters: none that holds a norm is missing, and of long norms hardly another comes
    along. A norm of one character has no pair, so every text is read for it.
    """
    documents = Document.objects.all()
    if len(norms) > MAX_NORMS:
        return documents
    contained = Q(pk__in=[])
    for norm in norms:
        pairs = [one + two for one, two in pairwise(norm)]
        contained |= Q(pairs__contains=pairs) if pairs else Q(squeezed__contains=norm)
    text = Concat("title", Value(" "), "summary", output_field=TextField())
    return documents.alias(pairs=CHARACTER_PAIRS, squeezed=Squeezed(text)).filter(contained)
