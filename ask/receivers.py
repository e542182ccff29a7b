"""What the knowledge base tells: a retraction or a merge reaches the stored answers in the same transaction."""

from collections.abc import Iterable
from typing import Any

from django.dispatch import receiver
from django.utils.translation import ngettext

from ask import curation
from ask.evidence import document_key, unit_key
from ask.models import Answer, AnswerQuerySet
from knowledge.models import Unit
from knowledge.signals import (
    documents_removed,
    merge_preview,
    retract_preview,
    unit_merged,
    unit_retracted,
    unit_unmerged,
    unit_uses,
)


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


@receiver(retract_preview, dispatch_uid="ask.retract_preview")
def answers_that_would_lose(unit: Unit, **kwargs: Any) -> str:
    count = Answer.objects.published().quoting([unit_key(unit.pk)]).count()
    return _line(
        ngettext(
            "이것을 인용한 답변 %(count)d개는 새로 만들어질 때까지 410이 됩니다.",
            "이것을 인용한 답변 %(count)d개는 새로 만들어질 때까지 410이 됩니다.",
            count,
        ),
        count,
    )


@receiver(merge_preview, dispatch_uid="ask.merge_preview")
def answers_to_look_at(loser: Unit, survivor: Unit, **kwargs: Any) -> str:
    count = _resting_on(loser, survivor).count()
    return _line(
        ngettext(
            "답변 %(count)d개는 그대로 있고, 근거를 다시 살핍니다.",
            "답변 %(count)d개는 그대로 있고, 근거를 다시 살핍니다.",
            count,
        ),
        count,
    )


@receiver(unit_uses, dispatch_uid="ask.unit_uses")
def answers_resting_on(unit: Unit, **kwargs: Any) -> str:
    answers = _resting_on(unit)
    count, seeds = answers.count(), answers.seeds().count()
    return _line(
        ngettext(
            "답변 %(count)d개의 근거입니다 (시드 질문 %(seeds)d개 포함).",
            "답변 %(count)d개의 근거입니다 (시드 질문 %(seeds)d개 포함).",
            count,
        ),
        count,
        seeds=seeds,
    )


def _resting_on(*units: Unit) -> AnswerQuerySet:
    answers = Answer.objects.none()
    for unit in units:
        answers = answers | Answer.objects.resting_on(unit_key(unit.pk))
    return answers


def _line(text: str, count: int, **more: int) -> str:
    return text % {"count": count, **more} if count else ""
