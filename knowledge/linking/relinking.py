"""What a change of aliases does to stored documents: only those that contain the alias are linked again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from django.db.models import Q, QuerySet, TextField, Value
from django.db.models.expressions import Func
from django.db.models.functions import Concat

from knowledge.linking.normalise import SEPARATORS
from knowledge.linking.service import link_documents
from knowledge.linking.vocabulary import norms_of
from knowledge.models import Document, Unit
from knowledge.retrieval import indexing

BATCH = 500  # documents a transaction
# With more norms than this, reading every document once is cheaper than looking for each in all of them.
MAX_NORMS = 60

_IGNORED = " ()" + "".join(SEPARATORS)


class Squeezed(Func):
    """A text in the form of ``normalise_alias``, as far as Postgres can; a norm is looked for in it."""

    template = f"translate(lower(normalize(%(expressions)s, NFKC)), '{_IGNORED}', '')"
    output_field = TextField()


def relink(norms: Iterable[str]) -> int:
    """Link the documents again that contain any of these alias norms, and bring search in line.

    Call it after the aliases changed, with the norms before and after. Linking is idempotent, so too many
    norms cost time and nothing else. Returns the number of documents whose mentions changed.
    """
    return _link_again(containing(set(norms)))


def relink_everything() -> int:
    """Link every document again: what a lost task or a change in bulk, as by the canon's loader, has left behind."""
    return _link_again(Document.objects.order_by("pk"))


def _link_again(documents: QuerySet[Document]) -> int:
    changed = 0
    for batch in _batches(documents):
        touched = link_documents(Document.objects.filter(pk__in=batch).select_related("source"))
        indexing.relink_documents(touched)
        changed += len(touched)
    return changed


def relink_unit(unit: Unit) -> int:
    """``relink`` by all names of a unit, as after it was published or retracted."""
    return relink(norms_of(unit))


def containing(norms: set[str]) -> QuerySet[Document]:
    """The documents whose text has any of the norms in it, spaces aside; all of them for very many norms."""
    documents = Document.objects.order_by("pk")
    if len(norms) > MAX_NORMS:
        return documents
    contained = Q(pk__in=[])
    for norm in norms:
        contained |= Q(squeezed__contains=norm)
    text = Concat("title", Value(" "), "summary", output_field=TextField())
    return documents.annotate(squeezed=Squeezed(text)).filter(contained)


def _batches(documents: QuerySet[Document]) -> Iterator[list[int]]:
    keys = documents.values_list("pk", flat=True).iterator(chunk_size=BATCH)
    while batch := list(islice(keys, BATCH)):
        yield batch
