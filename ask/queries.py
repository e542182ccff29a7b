"""What pages and lists ask of the stored answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum

from ask import answering, curation, freshness, rehearsal
from ask.evidence import all_public, units_of
from ask.models import Answer, AnswerVersion, Mode, SeedQuestion
from knowledge.models import Event, Unit

NEWER_EVENTS_MAX = 5
_STATE = (
    *("status", "accepted", "figures_due_at", "evidence_withdrawn_at"),
    *("current__mode", "current__model", "current__prompt_version"),
)


class AddressStatus(Enum):
    """What an answer's address says: 200, 410 or 404."""

    PUBLIC = 200
    GONE = 410
    UNKNOWN = 404


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """What the page of an answer shows. ``answer`` and ``version`` are there only where it is public."""

    standing: AddressStatus
    answer: Answer | None = None
    version: AnswerVersion | None = None
    indexable: bool = False
    newer_events: Sequence[Unit] = ()


@dataclass(frozen=True, slots=True)
class AnswerState:
    """What has to be the same for a page made before to be this answer's page still, and until when it may be kept."""

    status: str
    version: int | None
    withdrawn_at: datetime | None
    figures_due_at: datetime | None = field(compare=False)

    def kept_for(self, longest: timedelta, now: datetime) -> timedelta:
        """How long a cache may give the page out: never beyond the time when its figures are due."""
        left = longest if self.figures_due_at is None else self.figures_due_at - now
        return max(timedelta(), min(left, longest))


def answer_state(question_hash: str, *, now: datetime) -> AnswerState | None:
    """One row, one query, where nothing has to be quoted anew first; None for what nobody asked.

    Raises what ``answering.bring_up_to_date`` raises.
    """
    rows = Answer.objects.select_related("current").only(*_STATE)
    answer = rows.filter(pk=question_hash).first()
    if answer is None:
        return None
    if answer.current is not None:
        answer.current.answer = answer
        if freshness.is_to_quote(answer.current, now):
            answering.bring_up_to_date(question_hash, now=now)
            answer = rows.get(pk=question_hash)
    return AnswerState(answer.status, answer.current_id, answer.evidence_withdrawn_at, answer.figures_due_at)


def answer_page(question_hash: str, *, now: datetime) -> AnswerPage:
    """The answer at a permanent address, as public as what it quotes is at this moment."""
    answer = Answer.objects.select_related("current").filter(pk=question_hash).first()
    if answer is None or (answer.current is None and not answer.is_hidden):
        return AnswerPage(AddressStatus.UNKNOWN)
    version = answer.current
    if answer.is_hidden or version is None or answer.evidence_withdrawn_at is not None:
        return AnswerPage(AddressStatus.GONE)
    if rehearsal.is_over(version.prompt_version):
        return AnswerPage(AddressStatus.UNKNOWN)
    if not all_public(version.cited_keys):
        # Withdrawn in a way that sent no signal: from now on lists know it too, and it will be renewed.
        curation.evidence_lost(answer)
        return AnswerPage(AddressStatus.GONE)
    seed = SeedQuestion.objects.active().filter(question_hash=answer.pk).exists()
    return AnswerPage(
        AddressStatus.PUBLIC,
        answer,
        version,
        indexable=seed and version.mode != Mode.NONE and not rehearsal.is_rehearsed(version.prompt_version),
        newer_events=newer_events(version, now),
    )


def seed_answers() -> Iterator[Answer]:
    """The public answers to the editors' own questions (``current`` loaded), by hash."""
    rows = Answer.objects.indexable().select_related("current").order_by("pk")
    return (row for row in rows.iterator() if row.current and all_public(row.current.cited_keys))


def newer_events(version: AnswerVersion, now: datetime) -> list[Unit]:
    """Public events about what an answer cites that happened since it was made, newest first."""
    units = units_of(version.cited_keys)
    since = Event.objects.published().filter(occurred_at__gt=version.generated_at, occurred_at__lte=now)
    about = since.filter(event_units__unit__in=units).exclude(pk__in=units)
    return list(about.order_by("-occurred_at", "pk").distinct()[:NEWER_EVENTS_MAX])
