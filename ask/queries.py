"""What pages and lists ask of the stored answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from django.utils.translation import gettext

from ask import answering, curation, freshness, rehearsal
from ask.drafts import NOTHING_FOUND
from ask.evidence import all_public, units_of
from ask.models import Answer, AnswerVersion, Mode, SeedQuestion
from knowledge.models import Event, Unit
from knowledge.publications.hearing import DOCUMENTS, answer_scope

NEWER_EVENTS_MAX = 5
# Of the kinds of evidence that keys name.
_SCOPES = {"unit": "entity", "document": DOCUMENTS, "post": "post"}


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

    @property
    def scopes(self) -> set[str]:
        """What tells that the page may be another: the answer, starter questions, the units that it cites or leads to,
        and newer events about them; documents and posts where it cites any."""
        cited = self.version.cited_keys if self.version else ()
        found = {"answer", "entity", "topic", "event"} | {_SCOPES[key.partition(":")[0]] for key in cited}
        return found | {answer_scope(self.answer.pk)} if self.answer else found

    def kept_for(self, longest: timedelta, now: datetime) -> timedelta:
        """How long a cache may give the page out: never beyond the time when its figures are due."""
        due_at = self.answer.figures_due_at if self.answer else None
        return longest if due_at is None else max(timedelta(), min(due_at - now, longest))


def answer_page(question_hash: str, *, now: datetime) -> AnswerPage:
    """The answer at a permanent address, as public as what it quotes is at this moment, quoted anew where it has to be.

    Raises what ``answering.bring_up_to_date`` raises.
    """
    answer = _up_to_date(question_hash, now)
    standing, version = standing_of(answer), answer.current if answer else None
    if standing is not AddressStatus.PUBLIC or answer is None or version is None:
        return AnswerPage(standing)
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


def standing_of(answer: Answer | None) -> AddressStatus:
    """What the address of an answer (``current`` loaded) says, as its row has it: what it quotes is not looked at."""
    if answer is None or (answer.current is None and not answer.is_hidden):
        return AddressStatus.UNKNOWN
    version = answer.current
    if answer.is_hidden or version is None or answer.evidence_withdrawn_at is not None:
        return AddressStatus.GONE
    return AddressStatus.UNKNOWN if rehearsal.is_over(version.prompt_version) else AddressStatus.PUBLIC


def _up_to_date(question_hash: str, now: datetime) -> Answer | None:
    rows = Answer.objects.select_related("current").filter(pk=question_hash)
    answer = rows.first()
    if answer is None or answer.current is None:
        return answer
    answer.current.answer = answer
    if not freshness.is_to_quote(answer.current, now):
        return answer
    answering.bring_up_to_date(question_hash, now=now)
    return rows.get()


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


def why_none(version: AnswerVersion) -> str:
    """Why there is no answer, in one sentence of the active language or the answer's own."""
    if version.body not in NOTHING_FOUND.values():
        return version.body
    if units_of(version.related_keys):
        return gettext("이 물음에 확실히 답하는 문장을 찾지 못했습니다. 가까운 기록은 아래와 같습니다.")
    return gettext("묻는 이름이나 주제가 아직 기록에 없습니다.")
