"""A seed's next answer before readers see it: editors have one made, compare it with the present one, and accept it.

A proposal is a version like any other, made after the current one; nobody but editors sees it.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from ask import answering, flights, rehearsal
from ask.answering import Asked, is_public
from ask.drafts import Draft
from ask.errors import AnswerInProgress
from ask.evidence import Evidence, all_public
from ask.ledger import Purpose
from ask.models import Answer, AnswerVersion


def propose(question: str, *, now: datetime) -> AnswerVersion:
    """Make a version now. It is current at once only where there is no public one yet.

    Raises what ``answering.renew`` raises.
    """
    asked = answering.validated(question)
    answering.stored(asked.question_hash)  # what was taken down is not made again
    try:
        with flights.lease(asked.question_hash):
            reading, evidence = answering.found(asked, now)
            draft = answering.compose(asked, reading, evidence, purpose=Purpose.RENEWAL, now=now)
            return _kept(asked, evidence, draft, now)
    except flights.UnderWayError:
        raise AnswerInProgress from None


@transaction.atomic
def _kept(asked: Asked, evidence: list[Evidence], draft: Draft, now: datetime) -> AnswerVersion:
    answer = answering.locked(asked, now)
    current = answer.current
    if current is not None and is_public(answering.version_of(answer)):
        return answering.add_version(answer, evidence, draft, now)
    return answering.store(asked, evidence, draft, replacing=current, now=now).version


def proposal(answer: Answer) -> AnswerVersion | None:
    """The newest version after the current one; None when there is nothing to compare."""
    newest = answer.versions.order_by("-pk").first()
    if newest is None or answer.current_id is None or newest.pk <= answer.current_id:
        return None
    newest.answer = answer
    return newest


@transaction.atomic
def accept(version: AnswerVersion, *, now: datetime) -> bool:
    """Make a proposal the current version. False when it may not be shown, or a newer one is current by now."""
    answer = (
        Answer.objects.select_for_update(of=("self",)).select_related("current").get(pk=version.answer_id)
    )
    version.answer = answer
    newer = answer.current_id is None or answer.current_id < version.pk
    shown = not rehearsal.is_over(version.prompt_version) and all_public(version.cited_keys)
    if answer.is_hidden or not newer or not shown:
        return False
    answer.current, answer.checked_at, answer.evidence_withdrawn_at = version, now, None
    answer.save(update_fields=["current", "checked_at", "evidence_withdrawn_at"])
    return True
