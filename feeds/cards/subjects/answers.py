"""Answers: the question and the first sentence, in the language in which it was asked."""

import re
from collections.abc import Collection
from datetime import datetime
from http import HTTPStatus

from django.utils import timezone
from django.utils.translation import gettext, override

from ask.evidence import all_public
from ask.hashing import HASH_LENGTH
from ask.models import Answer, AnswerVersion, Mode
from ask.queries import AddressStatus, AnswerPage, standing_of
from ask.rendering import parted
from feeds.cards.content import CITY, Card, joined
from feeds.cards.subjects.meeting import Meeting
from feeds.linked_data import SOURCE_MARK, plain_answer
from knowledge.languages import current_language
from knowledge.models import AI_PERSONA
from knowledge.queries.amounts import measured
from knowledge.search.sentences import split_sentences

PATH = re.compile(rf"/ask/q/(?P<hash>[0-9a-f]{{{HASH_LENGTH}}})", re.ASCII)
# Of answers that editors did not ask for the newest: anybody may ask.
VISITORS_MAX = 500


def paths() -> list[str]:
    saying = Answer.objects.published().exclude(current__mode=Mode.NONE).order_by("-created_at", "pk")
    chosen = [*saying.filter(pk__in=Answer.objects.indexable().values("pk")), *saying[:VISITORS_MAX]]
    return [answer.get_absolute_url() for answer in chosen]


def cards(paths: Collection[str], now: datetime) -> dict[str, Card]:
    rows = Answer.objects.published().select_related("current").exclude(current__mode=Mode.NONE)
    found = {}
    for answer in rows.filter(pk__in=[path.rpartition("/")[2] for path in paths]):
        version = answer.current
        if version is not None and all_public(version.cited_keys):
            with override(answer.lang):
                found[answer.get_absolute_url()] = _card(answer, version)
    return found


def _card(answer: Answer, version: AnswerVersion) -> Card:
    """An opinion of an AI persona is never shown as the answer of the records."""
    quoted = version.mode == Mode.EXTRACTIVE
    body = parted(version.body, version.citations)[0] if quoted else version.body
    # What says that sentences are quoted, or that there are opinions, has no source.
    saying = next((line for line in body.split("\n") if SOURCE_MARK.search(line)), "")
    sentences = split_sentences(plain_answer(saying), answer.lang)
    made = gettext("기록에서 인용") if quoted else gettext("AI 답변")
    day = timezone.localtime(version.generated_at).date().isoformat()
    return Card(
        answer.question,
        f"{CITY}:{answer.pk}",
        kicker=joined(gettext("질문과 답"), made if sentences else AI_PERSONA),
        sentence=sentences[0].strip() if sentences else "",
        note=measured(version.generated_at, day, current_language()),
    )


def at(path: str) -> Meeting:
    answer = Answer.objects.select_related("current").filter(pk=path.rpartition("/")[2]).first()
    status = standing_of(answer)
    version = answer.current if answer else None
    page = AnswerPage(status, answer, version)
    if status is AddressStatus.PUBLIC and version is not None and not all_public(version.cited_keys):
        status = AddressStatus.GONE
    return Meeting(HTTPStatus(status.value), page.scopes)
