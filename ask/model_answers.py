"""The answer by the language model: prompt, paid call, checked citations. The twin of ``drafts.compose``."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from django.conf import settings

from ask import model_calls, model_citations, prompts, rehearsal
from ask.bulkheads import turn_to_check
from ask.drafts import Composed, Draft
from ask.evidence import Evidence
from ask.language import Language
from ask.ledger import Purpose
from ask.model_calls import Paid
from ask.model_errors import ModelUnavailable
from ask.prompts import Prompt
from ask.questions import QuestionKind
from knowledge.linking.store import names_in

logger = logging.getLogger(__name__)


@contextmanager
def composing(
    question: str,
    lang: Language,
    kind: QuestionKind,
    evidence: Sequence[Evidence],
    *,
    purpose: Purpose,
    now: datetime,
) -> Iterator[Composed]:
    """An answer that rests on the evidence, with its cost. Raises ModelUnavailable, also as DailyBudgetExhausted.

    The caller must hold no transaction open: the call takes up to 25 seconds, without a database connection.
    """
    prompt = prompts.build(question, lang, kind, evidence)
    request = model_calls.message_request(
        system=prompts.SYSTEM, content=prompt.content(), max_tokens=prompts.MAX_TOKENS
    )
    with model_calls.paying(purpose, request, now=now) as payment:
        with turn_to_check():
            draft = _checked(payment.paid, prompt)
        yield Composed(draft, payment.settle)


def _checked(paid: Paid, prompt: Prompt) -> Draft:
    try:
        draft = model_citations.draft(paid, prompt, names_in)
    except model_citations.UnusableAnswerError as rule:
        logger.warning("an answer of the model is not used: %s", rule)
        raise ModelUnavailable from None
    return rehearsal.labelled(draft, prompt.lang) if settings.FAKE_LLM else draft


def prompt_version() -> str:
    """Which rules make answers now: those of the model, or of its rehearsal."""
    return rehearsal.PROMPT_VERSION if settings.FAKE_LLM else prompts.PROMPT_VERSION
