"""What pages and lists ask of the stored answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ask import curation
from ask.evidence import all_public
from ask.models import Answer, AnswerVersion, Mode, SeedQuestion


class Standing(Enum):
    """What an answer's address says: 200, 410 or 404."""

    PUBLIC = 200
    GONE = 410
    UNKNOWN = 404


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """What the page of an answer shows. ``answer`` and ``version`` are there only where it is public."""

    standing: Standing
    answer: Answer | None = None
    version: AnswerVersion | None = None
    indexable: bool = False


def answer_page(question_hash: str) -> AnswerPage:
    """The answer at a permanent address, as public as what it quotes is at this moment."""
    answer = Answer.objects.select_related("current").filter(pk=question_hash).first()
    if answer is None or (answer.current is None and not answer.is_hidden):
        return AnswerPage(Standing.UNKNOWN)
    version = answer.current
    if answer.is_hidden or version is None or answer.evidence_withdrawn_at is not None:
        return AnswerPage(Standing.GONE)
    if not all_public(version.cited_keys):
        # Withdrawn in a way that sent no signal: from now on lists know it too, and it will be renewed.
        curation.evidence_lost(answer)
        return AnswerPage(Standing.GONE)
    seed = SeedQuestion.objects.active().filter(question_hash=answer.pk).exists()
    return AnswerPage(Standing.PUBLIC, answer, version, indexable=seed and version.mode != Mode.NONE)
