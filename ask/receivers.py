"""What the knowledge base tells: a retraction or a merge reaches the stored answers in the same transaction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.dispatch import receiver

from ask import curation
from ask.evidence import document_key, unit_key
from knowledge.models import Unit
from knowledge.signals import documents_removed, unit_merged, unit_retracted, unit_unmerged


@receiver(unit_retracted, dispatch_uid="ask.unit_retracted")
def answers_lose_their_evidence(unit: Unit, **kwargs: Any) -> None:
    curation.withdraw_evidence([unit_key(unit.pk)])


@receiver(documents_removed, dispatch_uid="ask.documents_removed")
def answers_lose_their_documents(keys: Iterable[int], **kwargs: Any) -> None:
    curation.withdraw_evidence([document_key(key) for key in keys])


@receiver(unit_merged, dispatch_uid="ask.unit_merged")
@receiver(unit_unmerged, dispatch_uid="ask.unit_unmerged")
def answers_follow_the_survivor(loser: Unit, survivor: Unit, **kwargs: Any) -> None:
    for unit in (loser, survivor):
        curation.recheck(unit_key(unit.pk))
