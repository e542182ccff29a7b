"""Answers made before anybody asks: seed questions, and whatever lost its evidence."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime

from ask import curation
from ask.answering import ask
from ask.models import SeedQuestion
from knowledge.errors import Refusal

logger = logging.getLogger(__name__)

RENEWED_AT_ONCE = 50  # answers a run


def answer_seeds(*, now: datetime) -> int:
    """Answer every active seed that has no fresh answer. Returns how many new versions were stored."""
    return _ask_all(SeedQuestion.objects.active().values_list("text", flat=True), now)


def renew(*, now: datetime) -> int:
    """Make anew answers whose evidence was withdrawn or moved. Returns how many new versions were stored."""
    return _ask_all(curation.to_renew().values_list("question", flat=True)[:RENEWED_AT_ONCE], now)


def _ask_all(questions: Iterable[str], now: datetime) -> int:
    made = 0
    for question in questions:
        try:
            made += not ask(question, now=now).cached
        except Refusal as refusal:
            # One that was taken down keeps no other waiting. Questions are never logged.
            logger.info("not answered: %s", refusal.default_code)
    return made
