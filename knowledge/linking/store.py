"""Linking as the rest of the service uses it: texts to public ids, documents to stored mentions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db import transaction

from knowledge.linking.automaton import UnitKey
from knowledge.linking.gazetteer import current_gazetteer, current_linker
from knowledge.linking.linker import Linker
from knowledge.models import Document, Mention, MentionReview, Verdict

SURFACE_MAX_LENGTH = 200

Place = tuple[UnitKey, int]  # unit key, start: what makes a mention one


def units_named(text: str, *, crypto_channel: bool = False) -> list[str]:
    """The public ids of the units that ``text`` names, one for each mention, in reading order."""
    gazetteer = current_gazetteer()
    found = gazetteer.linker.find(text, crypto_channel=crypto_channel)
    return [gazetteer.public_ids[one.unit] for one in found]


def speaks_of_a_unit(text: str, *, crypto_channel: bool = False) -> bool:
    """Whether ``text`` names any unit at all."""
    return bool(current_linker().find(text, crypto_channel=crypto_channel))


def link_document(document: Document) -> bool:
    """Bring one document's mentions in line with its text. Whether any mention changed."""
    return bool(link_documents([document]))


@transaction.atomic
def link_documents(documents: Iterable[Document]) -> list[int]:
    """Bring the mentions of stored documents in line with their texts.

    A mention belongs to the unit that holds the alias, so that unmerging needs no linking. Linking twice
    changes nothing. Returns the keys of the documents whose mentions changed.
    """
    documents = list(documents)
    linker = current_linker(max_age=0)
    keys = [document.pk for document in documents]
    present, refused = _present(keys), _refused(keys)
    stale: list[Mention] = []
    fresh: list[Mention] = []
    for document in documents:
        wanted = _wanted(linker, document, refused.get(document.pk, frozenset()))
        had = present.get(document.pk, {})
        stale += [row for place, row in had.items() if not _same(row, wanted.get(place))]
        fresh += [row for place, row in wanted.items() if not _same(row, had.get(place))]
    changed = sorted({row.document_id for row in (*stale, *fresh)})
    # The triggers lock what each statement changes; always in key order, or two workers would deadlock.
    list(
        Document.objects.filter(pk__in=changed)
        .order_by("pk")
        .select_for_update(no_key=True)
        .values_list("pk")
    )
    Mention.objects.filter(pk__in=[row.pk for row in stale]).delete()
    # Another worker may have linked the same document meanwhile; its mentions are the same ones.
    Mention.objects.bulk_create(fresh, ignore_conflicts=True)
    return changed


def _present(documents: list[int]) -> dict[int, dict[Place, Mention]]:
    rows: dict[int, dict[Place, Mention]] = defaultdict(dict)
    for mention in Mention.objects.filter(document__in=documents):
        rows[mention.document_id][mention.unit_id, mention.start] = mention
    return rows


def _refused(documents: list[int]) -> dict[int, set[tuple[int, str]]]:
    """What editors said is not meant: unit and surface, by the document's key."""
    rows: dict[int, set[tuple[int, str]]] = defaultdict(set)
    refusals = MentionReview.objects.filter(document__in=documents, verdict=Verdict.REFUSED)
    for document, unit, surface in refusals.values_list("document_id", "unit_id", "surface"):
        rows[document].add((unit, surface))
    return rows


def _wanted(linker: Linker, document: Document, refused: Collection[tuple[int, str]]) -> dict[Place, Mention]:
    found = linker.find(document.text, crypto_channel=document.source.crypto)
    return {
        (one.owner, one.start): Mention(
            document_id=document.pk,
            unit_id=one.owner,
            start=one.start,
            end=one.end,
            surface=one.surface[:SURFACE_MAX_LENGTH],
        )
        for one in found
        if (one.owner, one.surface[:SURFACE_MAX_LENGTH]) not in refused
    }


def _same(one: Mention, other: Mention | None) -> bool:
    return other is not None and (one.end, one.surface) == (other.end, other.surface)
