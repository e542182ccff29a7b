"""Answers as they are kept: the current version of one, whether it may be shown, and the next one put in its place."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from ask import freshness, rehearsal
from ask.drafts import Draft
from ask.errors import AnswerHidden
from ask.evidence import Evidence, all_public, fingerprint
from ask.models import Answer, AnswerVersion, Mode
from ask.related import RelatedRecord, pages_near, related
from ask.validation import ValidQuestion


@dataclass(frozen=True, slots=True)
class Reply:
    """A stored answer as one request gets it.

    ``question`` is what this request asked, which may be worded otherwise than the answer's own. ``cached`` says that
    it caused no new version.
    """

    question: str
    answer: Answer
    version: AnswerVersion
    cached: bool

    @property
    def related(self) -> list[RelatedRecord]:
        """Where to go on, as it is public now."""
        return related(self.version)


def stored(key: str) -> AnswerVersion | None:
    """The current version of an answer, with the answer; None before the first. Raises AnswerHidden."""
    answer = Answer.objects.select_related("current").filter(pk=key).first()
    if answer is None or (answer.current is None and not answer.is_hidden):
        return None
    return version_of(answer)


def is_public(version: AnswerVersion) -> bool:
    """Whether a version may be shown at all: it quotes nothing withdrawn, and is no rehearsal that is over."""
    if version.answer.evidence_withdrawn_at is not None or rehearsal.is_over(version.prompt_version):
        return False
    return all_public(version.cited_keys)


def confirm(version: AnswerVersion, evidence: Sequence[Evidence], now: datetime) -> bool:
    """Keep an older version when retrieval finds for it what it found before; False when it has to be made anew."""
    ours = version.prompt_version == freshness.rules() or version.answer.accepted_id == version.pk
    if not ours or version.evidence_fingerprint != fingerprint(evidence):
        return False
    if not all_public(version.cited_keys):
        return False
    due_at = freshness.figures_due_again(version, evidence, now)
    checked = Answer.objects.filter(pk=version.answer_id, current=version)
    return bool(checked.update(checked_at=now, figures_due_at=due_at, evidence_withdrawn_at=None))


@transaction.atomic
def store(
    asked: ValidQuestion,
    evidence: Sequence[Evidence],
    draft: Draft,
    *,
    replacing: AnswerVersion | None,
    now: datetime,
) -> Reply:
    """Make the draft the answer's current version, unless somebody else stored one since ``replacing`` was read."""
    answer = locked(asked, now)
    seen = replacing.pk if replacing is not None else None
    if answer.is_hidden or answer.current_id not in (None, seen):
        return Reply(asked.question, answer, version_of(answer), cached=True)
    version = add_version(answer, evidence, draft, now)
    answer.current, answer.evidence_withdrawn_at = version, None
    answer.figures_due_at = version.figures_due_at
    if draft.prompt_version == freshness.rules() or draft.mode == Mode.NONE:
        # What was quoted in place of a model's answer lets that one's time run on.
        answer.checked_at = now
    answer.save(update_fields=["current", "checked_at", "evidence_withdrawn_at", "figures_due_at"])
    return Reply(asked.question, answer, version, cached=False)


def add_version(answer: Answer, evidence: Sequence[Evidence], draft: Draft, now: datetime) -> AnswerVersion:
    """The draft as a version, which is not yet the current one."""
    pages = pages_near(evidence, draft)
    return AnswerVersion.objects.create(
        answer=answer,
        mode=draft.mode,
        body=draft.body,
        citations=list(draft.citations),
        sources=list(draft.sources),
        evidence_keys=list(dict.fromkeys(one.key for one in evidence)),
        cited_keys=list(draft.cited_keys),
        evidence_fingerprint=fingerprint(evidence),
        cost_micro_usd=draft.cost_micro_usd,
        model=draft.model,
        prompt_version=draft.prompt_version,
        generated_at=now,
        figures_due_at=freshness.figures_due(draft.due_at, now),
        related_keys=pages,
        related_sentences={key: sentence for key, sentence in draft.nearest if key in pages},
    )


def locked(asked: ValidQuestion, now: datetime) -> Answer:
    """The question's row, made if need be, held until the transaction ends: one version at a time."""
    row = Answer(question_hash=asked.question_hash, question=asked.question, lang=asked.lang, created_at=now)
    Answer.objects.bulk_create([row], ignore_conflicts=True)
    return (
        Answer.objects.select_for_update(of=("self",)).select_related("current").get(pk=asked.question_hash)
    )


def version_of(answer: Answer) -> AnswerVersion:
    """The current version, with its answer. Raises AnswerHidden."""
    if answer.is_hidden:
        raise AnswerHidden
    version = answer.current
    assert version is not None
    version.answer = answer
    return version
