"""Answers made before anybody asks: seed questions, and whatever lost its evidence or outlived it."""

import logging
import time
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.core.cache import cache
from redis.exceptions import RedisError

from ask import answering, curation, model_calls
from ask.hashing import question_hash
from ask.ledger import Purpose
from ask.model_errors import DailyBudgetExhausted, ModelUnavailable
from ask.models import SeedQuestion
from knowledge.errors import Refusal

logger = logging.getLogger(__name__)

# A run that calls a model takes seconds an answer; beat starts the next one every minute.
RUN_SECONDS = 50.0
LOOKED_AT = 500  # answers a run
# An answer that the model does not manage would otherwise be paid for every minute.
PUT_OFF = timedelta(hours=1)


def answer_seeds(*, now: datetime) -> int:
    """Answer every active seed that has no fresh answer. Returns how many new versions were stored."""
    return _renew_all(SeedQuestion.objects.active().values_list("text", flat=True), now)


def renew(*, now: datetime) -> int:
    """Make anew answers whose evidence was withdrawn or moved. Returns how many new versions were stored."""
    return _renew_all(curation.to_renew().values_list("question", flat=True)[:LOOKED_AT], now)


def _renew_all(questions: Iterable[str], now: datetime) -> int:
    made, ends = 0, time.monotonic() + RUN_SECONDS
    # A list: the connection is given back while the model is called, and no cursor outlives that.
    for question in [one for one in questions if not _is_put_off(one)]:
        if time.monotonic() > ends:
            break
        try:
            made += _renewed(question, now)
        except ModelUnavailable as refusal:
            logger.info("the rest waits: %s", refusal.default_code)
            break
    return made


def _renewed(question: str, now: datetime) -> bool:
    """Whether a new version was stored. Raises ModelUnavailable when no other could be made now either."""
    try:
        return not answering.renew(question, now=now).cached
    except DailyBudgetExhausted:
        raise
    except ModelUnavailable:
        model_calls.require_ready(Purpose.RENEWAL, now=now)
        _put_off(question)
    except Refusal as refusal:
        # One that was taken down keeps no other waiting. Questions are never logged.
        logger.info("not answered: %s", refusal.default_code)
    return False


def _is_put_off(question: str) -> bool:
    try:
        return _key(question) in cache
    except (RedisError, OSError):
        return False


def _put_off(question: str) -> None:
    try:
        cache.set(_key(question), 1, timeout=PUT_OFF.total_seconds())
    except (RedisError, OSError) as error:
        logger.warning("a failed renewal is not put off: %s", type(error).__name__)


def _key(question: str) -> str:
    return f"ask:renewal-put-off:{question_hash(question)}"
