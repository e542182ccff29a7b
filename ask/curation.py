"""What changes the standing of stored answers: take-downs by editors, withdrawals and merges in the canon."""

from collections.abc import Collection

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from ask.models import Answer, AnswerStatus, AnswerVersion


def hide(answers: QuerySet[Answer], reason: str) -> int:
    """Take answers down: 410 everywhere, and not made again. Returns how many were public before."""
    return answers.exclude(status=AnswerStatus.HIDDEN).update(
        status=AnswerStatus.HIDDEN, hidden_reason=reason
    )


def show(answers: QuerySet[Answer]) -> int:
    """Undo take-downs. The evidence may have changed meanwhile, so it is looked at anew."""
    hidden = answers.filter(status=AnswerStatus.HIDDEN)
    return hidden.update(status=AnswerStatus.PUBLISHED, hidden_reason="", checked_at=None)


def withdraw_evidence(keys: Collection[str]) -> int:
    """Something was withdrawn: answers quoting it are gone until a version without it stands."""
    quoting = Answer.objects.quoting(keys).filter(evidence_withdrawn_at__isnull=True)
    return quoting.update(evidence_withdrawn_at=Now(), checked_at=None)


def recheck(key: str) -> int:
    """Something an answer rests on now stands elsewhere: the answer stays and is looked at anew."""
    return Answer.objects.resting_on(key).update(checked_at=None)


def renewal_due(version: AnswerVersion) -> bool:
    """Retrieval finds something else than an answer rests on. True for the one that noticed first."""
    rows = Answer.objects.filter(pk=version.answer_id, current=version, checked_at__isnull=False)
    return bool(rows.update(checked_at=None))


def to_renew() -> QuerySet[Answer]:
    """Public answers to be made anew before anybody asks again; those that are gone meanwhile come first."""
    due = Q(evidence_withdrawn_at__isnull=False) | Q(current__isnull=False, checked_at__isnull=True)
    return Answer.objects.filter(due, status=AnswerStatus.PUBLISHED).order_by("evidence_withdrawn_at", "pk")


def evidence_lost(answer: Answer) -> None:
    """One answer was found to quote something that is public no more."""
    rows = Answer.objects.filter(pk=answer.pk, evidence_withdrawn_at__isnull=True, current=answer.current_id)
    rows.update(evidence_withdrawn_at=Now(), checked_at=None)
