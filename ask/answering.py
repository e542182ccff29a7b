"""Question in, cited answer out: the one function behind REST, MCP and the page's form.

Its order of work: validate; a fresh stored answer, quoted anew where its figures are due; an older one; is there a
model to ask; does somebody else answer the same; is there room in this process; may this address; then one flight a
question, which retrieves, composes and stores.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from rest_framework import status

from ask import (
    curation,
    drafts,
    flights,
    freshness,
    model_answers,
    model_calls,
    nearness,
    questions,
    rehearsal,
)
from ask.bulkheads import ANSWERS, FOLLOWERS, turn
from ask.drafts import Composed, Draft
from ask.errors import AnswerHidden, AnswerInProgress, InvalidQuestion, QuestionTooLong
from ask.evidence import Evidence, all_public, fingerprint, gather
from ask.hashing import clean, question_hash
from ask.language import Language, language_of
from ask.ledger import Purpose
from ask.limits import Allowance
from ask.models import QUESTION_MAX_LENGTH, Answer, AnswerVersion, Mode
from ask.questions import AskedQuestion
from ask.related import RelatedRecord, pages_near, related
from knowledge.errors import Busy, Refusal
from knowledge.postgres.base import release_connection

FOLLOWING_SECONDS = 10.0  # how long an asker waits for an answer that somebody else is making
FOLLOWING_STEP_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class ValidQuestion:
    """A valid question."""

    question: str
    question_hash: str
    lang: Language


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


def ask(question: object, *, now: datetime, allowance: Allowance | None = None) -> Reply:
    """Answer a question from what was answered before, or from the records.

    Stored answers cost nothing: no limit is touched, no money, no Redis. One whose figures are due is quoted anew
    first, for nothing as well; one that is otherwise past its freshness is given as it is, also in place of any 503.
    ``allowance`` is whom a new answer is counted for; None counts nobody.

    Raises InvalidQuestion, QuestionTooLong, AnswerHidden, RateLimited, and with 503 ModelUnavailable,
    DailyBudgetExhausted, AnswerInProgress, Busy, LimitsUnavailable.
    """
    asked = validated(question)
    known = stored(asked.question_hash)
    older = known if known is not None and is_public(known) else None
    if older is not None and freshness.is_to_quote(older, now):
        known = older = quoted_anew(older, now)
    if older is not None and freshness.is_fresh(older, now):
        return _as_stored(asked, older)
    if older is not None and older.mode != Mode.NONE:
        return _older(asked, older, now)
    try:
        return _new(asked, known, allowance, now)
    except Refusal as refusal:
        if refusal.status_code != status.HTTP_503_SERVICE_UNAVAILABLE or older is None:
            raise
        return _as_stored(asked, older)


def renew(question: str, *, now: datetime) -> Reply:
    """The same for nobody in particular: beat's seeds and renewals. An answer past its freshness is made anew here.

    Raises what ``ask`` raises, without limits; money comes from the share of renewals.
    """
    asked = validated(question)
    known = stored(asked.question_hash)
    if known is not None and is_public(known):
        if freshness.is_fresh(known, now):
            return _as_stored(asked, known)
        if freshness.is_to_quote(known, now) and not freshness.is_aged(known, now):
            made = quoted_anew(known, now)
            return Reply(asked.question, made.answer, made, cached=made.pk == known.pk)
    try:
        with flights.lease(asked.question_hash) as owner:
            return _make(asked, known, Purpose.RENEWAL, owner, now)
    except flights.UnderWayError:
        raise AnswerInProgress from None


def bring_up_to_date(key: str, *, now: datetime) -> None:
    """Quote a stored answer anew, if that has to come before a reader of its page gets it.

    Raises AnswerInProgress or Busy where its figures are due and cannot be read now.
    """
    answer = Answer.objects.published().select_related("current").filter(pk=key).first()
    if answer is None or not freshness.is_to_quote(version_of(answer), now):
        return
    if is_public(version_of(answer)):
        quoted_anew(version_of(answer), now)


def quoted_anew(known: AnswerVersion, now: datetime) -> AnswerVersion:
    """What stands after a public answer was quoted anew, by us or by whoever is at it: no model, no limit, no cost.

    Raises AnswerInProgress or Busy where its figures are due; what former rules made stands until there is room.
    """
    try:
        return _quoted_by_one(known, now)
    except (AnswerInProgress, Busy):
        if freshness.figures_are_due(known, now):
            raise
        return known


def _quoted_by_one(known: AnswerVersion, now: datetime) -> AnswerVersion:
    try:
        with ANSWERS, flights.lease(known.answer_id) as owner:
            return _quote_anew(known.answer_id, owner, now)
    except flights.UnderWayError:
        return _follow(known.answer_id, lambda version: not freshness.is_to_quote(version, now))


def _quote_anew(key: str, owner: UUID, now: datetime) -> AnswerVersion:
    """By whoever holds the question's lease. Raises UnderWayError when it was lost."""
    known = stored(key)
    assert known is not None
    if not freshness.is_to_quote(known, now):
        # Somebody did between our look and our lease.
        return known
    asked = validated(known.answer.question)
    question, evidence = found(asked, now)
    if freshness.follows_rules(known) and known.evidence_fingerprint == fingerprint(evidence):
        known.answer.figures_due_at = freshness.figures_due_again(known, evidence, now)
        known.answer.save(update_fields=["figures_due_at"])
        return known
    with turn():
        draft = drafts.compose(question, evidence)
    with transaction.atomic():
        made = store(asked, evidence, draft, replacing=known, now=now).version
        if not flights.end(key, owner):
            raise flights.UnderWayError
    return made


def _as_stored(asked: ValidQuestion, version: AnswerVersion) -> Reply:
    return Reply(asked.question, version.answer, version, cached=True)


def _older(asked: ValidQuestion, known: AnswerVersion, now: datetime) -> Reply:
    """What is past its freshness is given now; when its evidence moved on, beat makes it anew in the background."""
    if known.answer.checked_at is not None:
        with suppress(Busy), ANSWERS:
            _question, evidence = found(asked, now)
            if not confirm(known, evidence, now):
                curation.renewal_due(known)
    return _as_stored(asked, known)


def _new(
    asked: ValidQuestion, known: AnswerVersion | None, allowance: Allowance | None, now: datetime
) -> Reply:
    """Whatever can refuse or make wait comes before anything is spent; limits come after what is not the asker's.

    The place is taken first of all: a full process has to refuse without a look at cap, pause or Redis. A question is
    counted only by whoever makes its answer: what turns out to be stored already consumes nothing.
    """
    try:
        with ANSWERS:
            if model_calls.is_configured():
                model_calls.require_ready(Purpose.ANSWER, now=now)
            flights.require_free(asked.question_hash)
            if known is not None and confirm(known, found(asked, now)[1], now):
                return _as_stored(asked, known)
            if allowance is not None:
                # Whoever has nothing left must not keep others from the question, be it for a moment.
                allowance.require_left()
            with flights.lease(asked.question_hash) as owner:
                return _make(asked, known, Purpose.ANSWER, owner, now, allowance)
    except flights.UnderWayError:
        return _following(asked, known)
    except Busy:
        if not flights.is_under_way(asked.question_hash):
            raise
        return _following(asked, known)


def _following(asked: ValidQuestion, known: AnswerVersion | None) -> Reply:
    """The version that replaces ``known``, once somebody else has made it. Raises AnswerInProgress."""
    version = _follow(asked.question_hash, lambda made: known is None or made.pk != known.pk)
    return _as_stored(asked, version)


def _follow(key: str, is_made: Callable[[AnswerVersion], bool]) -> AnswerVersion:
    """Wait for the answer that somebody else is making. Raises AnswerInProgress."""
    try:
        with FOLLOWERS:
            version = _awaited(key, is_made)
    except Busy:
        raise AnswerInProgress from None
    if version is None:
        raise AnswerInProgress
    return version


def _awaited(key: str, is_made: Callable[[AnswerVersion], bool]) -> AnswerVersion | None:
    """The version that is waited for; None when it takes too long or its maker gave up."""
    deadline = time.monotonic() + FOLLOWING_SECONDS
    while time.monotonic() < deadline:
        under_way = flights.is_under_way(key)
        version = stored(key)
        if version is not None and is_made(version):
            return version
        if not under_way:
            return None
        # Followers must not hold the connections that readers need.
        release_connection()
        time.sleep(FOLLOWING_STEP_SECONDS)
    return None


def _since(key: str, known: AnswerVersion | None) -> AnswerVersion | None:
    """The current version, if it is another than ``known``."""
    version = stored(key)
    return version if version is not None and (known is None or version.pk != known.pk) else None


def _make(
    asked: ValidQuestion,
    known: AnswerVersion | None,
    purpose: Purpose,
    owner: UUID,
    now: datetime,
    allowance: Allowance | None = None,
) -> Reply:
    """Retrieve, compose, store: by whoever holds the question's lease. Raises UnderWayError when it was lost."""
    if made := _since(asked.question_hash, known):
        # Stored between our look and our lease.
        return _as_stored(asked, made)
    question, evidence = found(asked, now)
    if known is not None and confirm(known, evidence, now):
        return _as_stored(asked, known)
    if allowance is not None:
        allowance.consume()
    made_now = composing(asked, question, evidence, owner=owner, purpose=purpose, now=now)
    with made_now as composed, transaction.atomic():
        reply = store(asked, evidence, composed.draft, replacing=known, now=now)
        if not flights.end(asked.question_hash, owner):
            # Somebody else answers by now. What is rolled back here is paid all the same.
            raise flights.UnderWayError
        # Last, since all answers of a day settle on one row.
        composed.settle()
    return reply


def found(asked: ValidQuestion, now: datetime) -> tuple[AskedQuestion, list[Evidence]]:
    """The question as it is meant, and what the records hold for it."""
    with turn():
        question = questions.read(asked.question)
        return question, gather(question, now=now)


@contextmanager
def composing(
    asked: ValidQuestion,
    question: AskedQuestion,
    evidence: Sequence[Evidence],
    *,
    owner: UUID,
    purpose: Purpose,
    now: datetime,
) -> Iterator[Composed]:
    """The answer by the model, or by quotation where there is none. Raises ModelUnavailable, or UnderWayError when
    the lease of ``owner`` was lost before anything was paid.

    Where nothing is near what is asked, no model is: a question that the records cannot answer costs nothing.
    """
    with turn():
        quoted = drafts.compose(question, evidence)
        near = quoted.mode != Mode.NONE or nearness.is_near(question, evidence)
    if not model_calls.is_configured():
        yield Composed(quoted)
    elif not near:
        yield Composed(replace(quoted, prompt_version=model_answers.prompt_version()))
    else:
        # Retrieval and quoting wait for their turn, which may take longer than what a lease has left beside a call.
        flights.extend(asked.question_hash, owner)
        with model_answers.composing(
            asked.question, asked.lang, question.kind, evidence, purpose=purpose, now=now
        ) as composed:
            if quoted.mode == Mode.NONE:
                # Nothing could be quoted in its place when its figures are due; each says of when it is.
                composed = replace(composed, draft=replace(composed.draft, due_at=None))
            yield replace(composed, draft=drafts.told_as_read(composed.draft, question))


def compose(
    asked: ValidQuestion,
    question: AskedQuestion,
    evidence: Sequence[Evidence],
    *,
    owner: UUID,
    purpose: Purpose,
    now: datetime,
) -> Draft:
    """``composing`` for who does not store at once: what it cost is booked already."""
    with composing(asked, question, evidence, owner=owner, purpose=purpose, now=now) as composed:
        return composed.draft


def validated(question: object) -> ValidQuestion:
    """The cleaned question with its hash and language. Raises InvalidQuestion or QuestionTooLong."""
    if not isinstance(question, str):
        raise InvalidQuestion
    cleaned = clean(question)
    if len(cleaned) > QUESTION_MAX_LENGTH:
        raise QuestionTooLong(len(cleaned))
    if not any(map(str.isalnum, cleaned)):
        raise InvalidQuestion
    return ValidQuestion(cleaned, question_hash(cleaned), language_of(cleaned))


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
    return AnswerVersion.objects.create(
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
        figures_due_at=freshness.figures_due(draft.due_at, now),
        related_keys=pages_near(evidence, draft),
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
