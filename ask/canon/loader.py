"""Loads the starter seed questions, or any file of the same form.

A file is a JSON object with ``questions``: ``{"question", "lang", "order", "active"?}`` each. See
``knowledge.canon.records`` for what happens to a question that an editor changed.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from ask.hashing import clean, question_hash
from ask.language import language_of
from ask.models import SeedQuestion
from knowledge.canon.loader import CanonError
from knowledge.canon.records import Counts, UpsertResult, upsert_unless_edited, write_fields

STARTER_FILES = ("seed_questions.json",)


def starter_paths() -> list[Path]:
    return [Path(__file__).parent / name for name in STARTER_FILES]


@transaction.atomic
def load(files: Iterable[Mapping[str, Any]], *, now: datetime) -> dict[str, Counts]:
    """Load parsed files; counts by outcome. Raises CanonError and stores nothing on a bad record."""
    counts: Counts = Counter()
    for file in files:
        for record in file.get("questions", []):
            counts[_guarded(record, now)] += 1
    return {"questions": counts}


def _guarded(record: Mapping[str, Any], now: datetime) -> UpsertResult:
    """Load one record; whatever is wrong with it is said with its question."""
    try:
        return _load_question(record, now)
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        name = record.get("question", "?") if isinstance(record, Mapping) else "?"
        raise CanonError(f"{name}: {type(error).__name__}: {error}") from error


def _load_question(record: Mapping[str, Any], now: datetime) -> UpsertResult:
    question = clean(record["question"])
    if record["lang"] != language_of(question):
        raise ValueError(f"lang is {record['lang']!r} and the question is not")
    key = question_hash(question)
    seed = SeedQuestion.objects.filter(canon_key=key).first()
    if seed is None:
        if SeedQuestion.objects.filter(question_hash=key).exists():
            return UpsertResult.KEPT  # an editor had the same question first
        # The switch belongs to editors: the file sets it once, when the question is new.
        seed = SeedQuestion(canon_key=key, created_at=now, active=record.get("active", True))
    return upsert_unless_edited(
        seed,
        {"question": question, "order": int(record["order"])},
        read=lambda seed: {"question": seed.text, "order": seed.order},
        write=lambda seed, form: write_fields(seed, {"text": form["question"], "order": form["order"]}),
    )
