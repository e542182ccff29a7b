"""Question in, cited answer out: the one function behind REST, MCP and the page's form.

Its order of work: validate; a fresh stored answer, quoted anew where its figures are due; an older one; is there room
in this process; is there a model to ask; does somebody else answer the same; may this address; then one flight a
question, which retrieves, composes and stores.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
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
    storing,
)
from ask.bulkheads import ANSWERS, first_look, turn_to_look_up
from ask.drafts import Composed, Draft
from ask.errors import AnswerInProgress
from ask.evidence import Evidence, fingerprint, gather
from ask.ledger import Purpose
from ask.limits import Allowance
from ask.models import Answer, AnswerVersion, Mode
from ask.questions import AskedQuestion
from ask.storing import Reply
from ask.validation import ValidQuestion, validated
from knowledge.errors import Busy, Refusal


def ask(question: object, *, now: datetime, allowance: Allowance | None = None) -> Reply:
    """Answer a question from what was answered before, or from the records.

    Stored answers cost nothing: no limit is touched, no money, no Redis. One whose figures are due is quoted anew
    first, for nothing as well; one that is otherwise past its freshness is given as it is, also in place of any 503.
    ``allowance`` is whom a new answer is counted for; None counts nobody.

    Raises InvalidQuestion, QuestionTooLong, AnswerHidden, RateLimited, and with 503 ModelUnavailable,
    DailyBudgetExhausted, AnswerInProgress, Busy, LimitsUnavailable.
    """
    asked = validated(question)
    with first_look():
        known = storing.stored(asked.question_hash)
    older = known if known is not None and storing.is_public(known) else None
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
    known = storing.stored(asked.question_hash)
    if known is not None and storing.is_public(known):
        if freshness.is_fresh(known, now):
            return _as_stored(asked, known)
        if freshness.is_to_quote(known, now) and not freshness.is_aged(known, now):
            made = quoted_anew(known, now)
            return Reply(asked.question, made.answer, made, cached=made.pk == known.pk)
    try:
        with flights.lease(asked.question_hash) as owner:
            return _make(asked, known, Purpose.RENEWAL, owner, now)
    except flights.UnderWayError:
        raise AnswerInProgress(asked.question_hash) from None


def bring_up_to_date(key: str, *, now: datetime) -> None:
    """Quote a stored answer anew, if that has to come before a reader of its page gets it.

    Raises AnswerInProgress or Busy where its figures are due and cannot be read now.
    """
    answer = Answer.objects.published().select_related("current").filter(pk=key).first()
    if answer is None or not freshness.is_to_quote(storing.version_of(answer), now):
        return
    if storing.is_public(storing.version_of(answer)):
        quoted_anew(storing.version_of(answer), now)


def quoted_anew(known: AnswerVersion, now: datetime) -> AnswerVersion:
    """What stands after a public answer was quoted anew: no model, no limit, no cost.

    Raises AnswerInProgress or Busy where its figures are due and cannot be read by us now; what former rules made
    stands until there is room.
    """
    try:
        return _quoted_by_one(known, now)
    except (AnswerInProgress, Busy):
        if freshness.figures_are_due(known, now):
            raise
        return known


def _quoted_by_one(known: AnswerVersion, now: datetime) -> AnswerVersion:
    try:
        with ANSWERS.place(known.answer_id), flights.lease(known.answer_id) as owner:
            return _quote_anew(known.answer_id, owner, now)
    except flights.UnderWayError:
        raise AnswerInProgress(known.answer_id) from None


def _quote_anew(key: str, owner: UUID, now: datetime) -> AnswerVersion:
    """By whoever holds the question's lease. Raises LeaseLostError when it was lost."""
    known = storing.stored(key)
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
    with turn_to_look_up():
        draft = drafts.compose(question, evidence)
    with transaction.atomic():
        made = storing.store(asked, evidence, draft, replacing=known, now=now).version
        if not flights.end(key, owner):
            raise flights.LeaseLostError
    return made


def _as_stored(asked: ValidQuestion, version: AnswerVersion) -> Reply:
    return Reply(asked.question, version.answer, version, cached=True)


def _older(asked: ValidQuestion, known: AnswerVersion, now: datetime) -> Reply:
    """What is past its freshness is given now; when its evidence moved on, beat makes it anew in the background."""
    if known.answer.checked_at is not None:
        with suppress(Busy), ANSWERS:
            _question, evidence = found(asked, now)
            if not storing.confirm(known, evidence, now):
                curation.renewal_due(known)
    return _as_stored(asked, known)


def _new(
    asked: ValidQuestion, known: AnswerVersion | None, allowance: Allowance | None, now: datetime
) -> Reply:
    """Whatever can refuse comes before anything is spent; limits come after what is not the asker's.

    The place is taken first of all: a full process has to refuse without a look at cap, pause or Redis. Nobody waits
    in here for the answer of somebody else: AnswerInProgress names it, and the front door asks again. A question is
    counted only by whoever makes its answer: what turns out to be stored already consumes nothing.
    """
    try:
        with ANSWERS.place(asked.question_hash):
            if model_calls.is_configured():
                model_calls.require_ready(Purpose.ANSWER, now=now)
            flights.require_free(asked.question_hash)
            if known is not None and storing.confirm(known, found(asked, now)[1], now):
                return _as_stored(asked, known)
            if allowance is not None:
                # Whoever has nothing left must not keep others from the question, be it for a moment.
                allowance.require_left()
            with flights.lease(asked.question_hash) as owner:
                return _make(asked, known, Purpose.ANSWER, owner, now, allowance)
    except flights.LeaseLostError:
        if made := _since(asked.question_hash, known):
            return _as_stored(asked, made)
        # It was counted, and would be once more if the front asked again.
        raise AnswerInProgress from None
    except flights.UnderWayError:
        raise AnswerInProgress(asked.question_hash) from None


def _since(key: str, known: AnswerVersion | None) -> AnswerVersion | None:
    """The current version, if it is another than ``known``."""
    version = storing.stored(key)
    return version if version is not None and (known is None or version.pk != known.pk) else None


def _make(
    asked: ValidQuestion,
    known: AnswerVersion | None,
    purpose: Purpose,
    owner: UUID,
    now: datetime,
    allowance: Allowance | None = None,
) -> Reply:
    """Retrieve, compose, store: by whoever holds the question's lease. Raises LeaseLostError when it was lost."""
    if made := _since(asked.question_hash, known):
        # Stored between our look and our lease.
        return _as_stored(asked, made)
    question, evidence = found(asked, now)
    if known is not None and storing.confirm(known, evidence, now):
        return _as_stored(asked, known)
    if allowance is not None:
        allowance.consume()
    made_now = composing(asked, question, evidence, owner=owner, purpose=purpose, now=now)
    with made_now as composed, transaction.atomic():
        reply = storing.store(asked, evidence, composed.draft, replacing=known, now=now)
        if not flights.end(asked.question_hash, owner):
            # Somebody else answers by now. What is rolled back here is paid all the same.
            raise flights.LeaseLostError
        # Last, since all answers of a day settle on one row.
        composed.settle()
    return reply


def found(asked: ValidQuestion, now: datetime) -> tuple[AskedQuestion, list[Evidence]]:
    """The question as it is meant, and what the records hold for it."""
    with turn_to_look_up():
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
    """The answer by the model, or by quotation where there is none. Raises ModelUnavailable, or LeaseLostError when
    the lease of ``owner`` was lost before anything was paid.

    Where nothing is near what is asked, no model is: a question that the records cannot answer costs nothing.
    """
    with turn_to_look_up():
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
                nearest = quoted.nearest if composed.draft.mode == Mode.NONE else ()
                draft = replace(composed.draft, due_at=None, nearest=nearest)
                composed = replace(composed, draft=draft)
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
