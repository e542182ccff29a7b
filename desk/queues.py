"""What waits for an editor: how much, and since when, each with the list where it is decided."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Min, OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ask import proposals
from ask.models import AnswerVersion, SeedQuestion
from knowledge.curation import mention_review
from knowledge.models import Creator, EventCluster, HeldValue, MarketCandidate, PersonaPost, PossibleMerge


@dataclass(frozen=True, slots=True)
class Queue:
    """``oldest`` is since when the first of them waits; None where none waits."""

    title: str | Promise
    count: int
    oldest: datetime | None
    url: str


class Waiting(NamedTuple):
    """A kind of decision: who may see it, what waits at a moment, the field that says since when, and the list."""

    title: Promise
    permission: str
    rows: Callable[[datetime], QuerySet[Any]]
    since: str
    changelist: str
    query: str = ""


def proposed() -> QuerySet[SeedQuestion]:
    """The seeds with an answer that nobody has judged, each with ``made_at``, when it was made."""
    made = AnswerVersion.objects.filter(pk=OuterRef("proposed")).values("generated_at")
    awaiting: QuerySet[SeedQuestion] = proposals.awaiting()
    return awaiting.annotate(made_at=Subquery(made))


DRAFT = "status__exact=draft"
KINDS = (
    Waiting(
        _("사건 후보"),
        "knowledge.view_eventcluster",
        lambda _now: EventCluster.objects.awaiting(),
        "first_document_at",
        "knowledge_eventcluster",
    ),
    Waiting(
        _("병합 후보"),
        "knowledge.view_possiblemerge",
        lambda _now: PossibleMerge.objects.awaiting(),
        "noted_at",
        "knowledge_possiblemerge",
    ),
    Waiting(
        _("모호한 언급"),
        "knowledge.view_mention",
        lambda now: mention_review.awaiting(now=now),
        "document__fetched_at",
        "knowledge_mention",
    ),
    Waiting(
        _("보류한 값"),
        "knowledge.view_heldvalue",
        lambda _now: HeldValue.objects.awaiting(),
        "fetched_at",
        "knowledge_heldvalue",
    ),
    Waiting(
        _("마켓 후보"),
        "knowledge.view_marketcandidate",
        lambda _now: MarketCandidate.objects.awaiting(),
        "first_seen_at",
        "knowledge_marketcandidate",
    ),
    Waiting(
        _("크리에이터 초안"),
        "knowledge.view_unit",
        lambda _now: Creator.objects.awaiting(),
        "created_at",
        "knowledge_creator",
        DRAFT,
    ),
    Waiting(
        _("페르소나 글 초안"),
        "knowledge.view_personapost",
        lambda _now: PersonaPost.objects.awaiting(),
        "published_at",
        "knowledge_personapost",
        DRAFT,
    ),
    Waiting(
        _("승인할 새 답변"),
        "ask.view_seedquestion",
        lambda _now: proposed(),
        "made_at",
        "ask_seedquestion",
        "proposed=yes",
    ),
    Waiting(
        _("답이 없는 시드 질문"),
        "ask.view_seedquestion",
        lambda _now: SeedQuestion.objects.unanswered(),
        "created_at",
        "ask_seedquestion",
        "proposed=unanswered",
    ),
)


def queues(user: Any, *, now: datetime) -> list[Queue]:
    """The queues that ``user`` may see, each by one query."""
    return list(_counted(user, now))


def _counted(user: Any, now: datetime) -> Iterator[Queue]:
    for kind in KINDS:
        if user.has_perm(kind.permission):
            rows = kind.rows(now).order_by().aggregate(count=Count("pk"), oldest=Min(kind.since))
            address = reverse(f"admin:{kind.changelist}_changelist")
            url = f"{address}?{kind.query}" if kind.query else address
            yield Queue(kind.title, rows["count"], rows["oldest"], url)
