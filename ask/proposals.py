"""A seed's next answer before readers see it: editors have one made, compare it with the present one, and accept it.

A proposal is a version like any other, made after the current one; nobody but editors sees it.
"""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Greatest

from ask import answering, flights, rehearsal, storing, validation
from ask.drafts import Draft
from ask.errors import AnswerInProgress
from ask.evidence import Evidence, all_public
from ask.ledger import Purpose
from ask.models import Answer, AnswerVersion, SeedQuestion
from ask.storing import is_public
from ask.validation import ValidQuestion


def propose(question: str, *, now: datetime) -> AnswerVersion:
    """Make a version now. It is current at once only where there is no public one yet.

    Raises what ``answering.renew`` raises.
    """
    asked = validation.validated(question)
    storing.stored(asked.question_hash)  # what was taken down is not made again
    try:
        with flights.lease(asked.question_hash) as owner:
            reading, evidence = answering.found(asked, now)
            draft = answering.compose(asked, reading, evidence, owner=owner, purpose=Purpose.RENEWAL, now=now)
            with transaction.atomic():
                version = _kept(asked, evidence, draft, now)
                if not flights.end(asked.question_hash, owner):
                    raise flights.LeaseLostError
            return version
    except flights.UnderWayError:
        raise AnswerInProgress(asked.question_hash) from None


def _kept(asked: ValidQuestion, evidence: list[Evidence], draft: Draft, now: datetime) -> AnswerVersion:
    answer = storing.locked(asked, now)
    current = answer.current
    if current is not None and is_public(storing.version_of(answer)):
        return storing.add_version(answer, evidence, draft, now)
    return storing.store(asked, evidence, draft, replacing=current, now=now).version


def proposal(answer: Answer) -> AnswerVersion | None:
    """The newest version after the current one that no editor left aside; None when there is nothing to compare."""
    newest = answer.versions.order_by("-pk").first()
    if newest is None or answer.current_id is None:
        return None
    if newest.pk <= max(answer.current_id, answer.declined_id or 0):
        return None
    newest.answer = answer
    return newest


def with_proposals(seeds: QuerySet[SeedQuestion]) -> QuerySet[Any]:
    """Seeds with ``proposed``: the key of what ``proposal`` would give for each, or None. One query for all."""
    versions = AnswerVersion.objects.filter(answer=OuterRef("question_hash"))
    newer = versions.filter(pk__gt=Greatest(F("answer__current"), Coalesce(F("answer__declined"), Value(0))))
    return seeds.annotate(proposed=Subquery(newer.order_by("-pk").values("pk")[:1]))


def awaiting() -> QuerySet[Any]:
    """Active seeds with a new answer that nobody has judged, in the editors' order."""
    return with_proposals(SeedQuestion.objects.active()).filter(proposed__isnull=False)


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
    _put(answer, version, now, accepted=version)
    return True


@transaction.atomic
def take_back(version: AnswerVersion, former: AnswerVersion, *, now: datetime) -> bool:
    """Undo ``accept``: the former version stands again, and the accepted one is a proposal again.

    False when another version stands by now, or when the former one may not be shown any more.
    """
    answer = Answer.objects.select_for_update(of=("self",)).get(pk=version.answer_id)
    former.answer = answer
    still = (
        answer.current_id == version.pk and former.answer_id == version.answer_id and former.pk < version.pk
    )
    if answer.is_hidden or not still or not is_public(former):
        return False
    _put(answer, former, now, accepted=None)
    return True


def _put(answer: Answer, version: AnswerVersion, now: datetime, *, accepted: AnswerVersion | None) -> None:
    answer.current, answer.checked_at, answer.evidence_withdrawn_at = version, now, None
    # What it says of figures may have moved while it waited to be judged.
    answer.accepted, answer.figures_due_at = accepted, version.figures_due_at
    answer.save(
        update_fields=["current", "checked_at", "evidence_withdrawn_at", "accepted", "figures_due_at"]
    )


@transaction.atomic
def decline(version: AnswerVersion) -> bool:
    """Leave a proposal aside: the present answer stays, and this one is not shown to editors again.

    False when it is no proposal any more, or a newer one was made since.
    """
    answer = Answer.objects.select_for_update(of=("self",)).get(pk=version.answer_id)
    if (offered := proposal(answer)) is None or offered.pk != version.pk:
        return False
    answer.declined = version
    answer.save(update_fields=["declined"])
    return True


@transaction.atomic
def recall(version: AnswerVersion) -> bool:
    """Undo ``decline``. False when something else was left aside since."""
    answers = Answer.objects.filter(pk=version.answer_id, declined=version)
    return bool(answers.update(declined=None))
