"""Question in, cited answer out: the one function behind REST, MCP and the page's form.

The steps are those of the order of work, and each is a function of its own. Between ``kept`` and ``gather`` is where
a caller can be refused or made to wait before anything is spent; between ``gather`` and ``store`` is where an answer
is composed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from ask import drafts
from ask.drafts import Draft
from ask.errors import AnswerHidden, InvalidQuestion, QuestionTooLong
from ask.evidence import Evidence, all_public, fingerprint, gather
from ask.hashing import clean, question_hash
from ask.language import Language, language_of
from ask.models import QUESTION_MAX_LENGTH, Answer, AnswerVersion, Mode, SeedQuestion
from ask.reading import read
from knowledge.linking.service import units_named

FRESH = timedelta(hours=24)
FRESH_SEED = timedelta(hours=6)
FRESH_MISS = timedelta(hours=1)  # what is not in the records now may be in an hour


@dataclass(frozen=True, slots=True)
class Asked:
    """A valid question."""

    question: str
    question_hash: str
    lang: Language


@dataclass(frozen=True, slots=True)
class Reply:
    """A stored answer as one request gets it. ``cached`` says that this request caused no new version."""

    answer: Answer
    version: AnswerVersion
    cached: bool


def ask(question: object, *, now: datetime) -> Reply:
    """Answer a question from the records, or from what was answered before.

    Raises InvalidQuestion, QuestionTooLong, AnswerHidden. The same question asked twice at once is stored once.
    """
    asked = validated(question)
    known = stored(asked.question_hash)
    if known is not None and is_fresh(known, now):
        return Reply(known.answer, known, cached=True)
    reading = read(asked.question, link=units_named)
    evidence = gather(reading, now=now)
    if known is not None and confirm(known, evidence, now):
        return Reply(known.answer, known, cached=True)
    draft = drafts.compose(reading, evidence, link=units_named)
    return store(asked, evidence, draft, replacing=known, now=now)


def validated(question: object) -> Asked:
    """The cleaned question with its hash and language. Raises InvalidQuestion or QuestionTooLong."""
    if not isinstance(question, str):
        raise InvalidQuestion
    cleaned = clean(question)
    if len(cleaned) > QUESTION_MAX_LENGTH:
        raise QuestionTooLong(len(cleaned))
    if not any(map(str.isalnum, cleaned)):
        raise InvalidQuestion
    return Asked(cleaned, question_hash(cleaned), language_of(cleaned))


def stored(key: str) -> AnswerVersion | None:
    """The current version of an answer, with the answer; None before the first. Raises AnswerHidden."""
    answer = Answer.objects.select_related("current").filter(pk=key).first()
    if answer is None or (answer.current is None and not answer.is_hidden):
        return None
    return _version_of(answer)


def is_fresh(version: AnswerVersion, now: datetime) -> bool:
    """Whether a version may be handed out without looking: recent enough, and quoting nothing withdrawn."""
    answer = version.answer
    if answer.checked_at is None or answer.evidence_withdrawn_at is not None:
        return False
    return now - answer.checked_at < _lifetime(version) and all_public(version.cited_keys)


def confirm(version: AnswerVersion, evidence: Sequence[Evidence], now: datetime) -> bool:
    """Keep an older version when retrieval finds for it what it found before; False when it has to be made anew."""
    same = (
        version.evidence_fingerprint == fingerprint(evidence)
        and version.prompt_version == drafts.PROMPT_VERSION
    )
    if not same or not all_public(version.cited_keys):
        return False
    checked = Answer.objects.filter(pk=version.answer_id, current=version)
    return bool(checked.update(checked_at=now, evidence_withdrawn_at=None))


@transaction.atomic
def store(
    asked: Asked,
    evidence: Sequence[Evidence],
    draft: Draft,
    *,
    replacing: AnswerVersion | None,
    now: datetime,
) -> Reply:
    """Make the draft the answer's current version, unless somebody else stored one since ``replacing`` was read."""
    answer = _locked(asked, now)
    seen = replacing.pk if replacing is not None else None
    if answer.is_hidden or answer.current_id not in (None, seen):
        return Reply(answer, _version_of(answer), cached=True)
    version = AnswerVersion.objects.create(
        answer=answer,
        mode=draft.mode,
        body=draft.body,
        citations=list(draft.citations),
        evidence_keys=list(dict.fromkeys(one.key for one in evidence)),
        cited_keys=list(draft.cited_keys),
        evidence_fingerprint=fingerprint(evidence),
        cost_micro_usd=draft.cost_micro_usd,
        model=draft.model,
        prompt_version=draft.prompt_version,
        generated_at=now,
    )
    answer.current, answer.checked_at, answer.evidence_withdrawn_at = version, now, None
    answer.save(update_fields=["current", "checked_at", "evidence_withdrawn_at"])
    return Reply(answer, version, cached=False)


def _locked(asked: Asked, now: datetime) -> Answer:
    """The question's row, made if need be, held until the transaction ends: one version at a time."""
    row = Answer(question_hash=asked.question_hash, question=asked.question, lang=asked.lang, created_at=now)
    Answer.objects.bulk_create([row], ignore_conflicts=True)
    return (
        Answer.objects.select_for_update(of=("self",)).select_related("current").get(pk=asked.question_hash)
    )


def _version_of(answer: Answer) -> AnswerVersion:
    if answer.is_hidden:
        raise AnswerHidden
    version = answer.current
    assert version is not None
    version.answer = answer
    return version


def _lifetime(version: AnswerVersion) -> timedelta:
    if version.mode == Mode.NONE:
        return FRESH_MISS
    return (
        FRESH_SEED
        if SeedQuestion.objects.active().filter(question_hash=version.answer_id).exists()
        else FRESH
    )
