"""What a change of aliases does to stored documents: only those that contain the alias are linked again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from django.db.models import Q, QuerySet, TextField, Value
from django.db.models.functions import Concat

from knowledge.linking.store import link_documents
from knowledge.models import Document
from knowledge.models.documents import CHARACTER_PAIRS, Squeezed
from knowledge.search import indexing

BATCH = 500  # documents a transaction
# Documents a task: a million take longer than a task may, so each hands on what it left.
RANGE = 10_000
# With more norms than this, reading every document once is cheaper than looking for each in all of them.
MAX_NORMS = 60


@dataclass(frozen=True, slots=True)
class Relinked:
    """In how many documents of a range mentions changed, and the key below which others wait (None: nothing does)."""

    changed: int
    rest: int | None


def relink(norms: Iterable[str], *, before: int | None = None) -> Relinked:
    """Link the documents again that contain any of these alias norms, and bring search in line.

    Call it after the aliases changed, with the norms before and after. Linking is idempotent, so too many norms cost
    time and nothing else. A range at a time, the newest documents first: who calls goes on with ``before=rest``.
    """
    return _link_again(containing(set(norms)), before)


def relink_everything(*, before: int | None = None) -> Relinked:
    """Link a range of all documents again: what a lost task or a change in bulk, as by the loader, has left behind."""
    return _link_again(Document.objects.all(), before)


def _link_again(documents: QuerySet[Document], before: int | None) -> Relinked:
    if before is not None:
        documents = documents.filter(pk__lt=before)
    keys = list(documents.order_by("-pk").values_list("pk", flat=True)[:RANGE])
    changed = 0
    for start in range(0, len(keys), BATCH):
        batch = Document.objects.filter(pk__in=keys[start : start + BATCH]).select_related("source")
        touched = link_documents(batch)
        indexing.relink_documents(touched)
        changed += len(touched)
    return Relinked(changed, keys[-1] if len(keys) == RANGE else None)


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
