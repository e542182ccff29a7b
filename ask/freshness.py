"""How long a stored answer may be given out as it is, and what has to be made anew before anybody gets it.

What states a figure is as old as the figure: when the next one is due it is quoted anew first. What was quoted by
former rules is quoted anew as well; both cost nothing. A model's answer by former rules is given until it is renewed.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from ask import drafts, model_answers, model_calls, prompts
from ask.drafts import due_first
from ask.evidence import Evidence
from ask.models import AnswerVersion, Mode, SeedQuestion

FRESH = timedelta(hours=24)
FRESH_SEED = timedelta(hours=6)
FRESH_MISS = timedelta(hours=1)  # what is not in the records now may be in an hour
FRESH_FIGURES = timedelta(minutes=10)  # at most, whatever is due later


def is_fresh(version: AnswerVersion, now: datetime) -> bool:
    """Whether a version may be handed out without looking at its evidence again."""
    return follows_rules(version) and not figures_are_due(version, now) and not is_aged(version, now)


def is_aged(version: AnswerVersion, now: datetime) -> bool:
    """Whether it was made or last confirmed too long ago, whatever it says."""
    checked_at = version.answer.checked_at
    return checked_at is None or now - checked_at >= _lifetime(version)


def figures_are_due(version: AnswerVersion, now: datetime) -> bool:
    """Whether a newer figure than the version states may have come."""
    due_at = version.answer.figures_due_at
    return due_at is not None and now >= due_at


def is_to_quote(version: AnswerVersion, now: datetime) -> bool:
    """Whether a version has to be quoted anew before anybody is given it."""
    return figures_are_due(version, now) or (_is_quoted(version) and not follows_rules(version))


def follows_rules(version: AnswerVersion) -> bool:
    """Whether today's rules made a version, or an editor accepted it."""
    made_by = {drafts.PROMPT_VERSION, prompts.PROMPT_VERSION, model_answers.prompt_version()}
    return version.prompt_version in made_by or version.answer.accepted_id == version.pk


def rules() -> str:
    """Which rules make answers now."""
    return model_answers.prompt_version() if model_calls.is_configured() else drafts.PROMPT_VERSION


def figures_due(due_at: datetime | None, now: datetime) -> datetime | None:
    """Until when figures stand that were read at ``now``: None where none was. An overdue one may come at any time, so
    it is looked for as often as one whose next value is far away."""
    latest = now + FRESH_FIGURES
    return None if due_at is None else min(due_at, latest) if due_at > now else latest


def figures_due_again(version: AnswerVersion, evidence: Sequence[Evidence], now: datetime) -> datetime | None:
    """The same for a version whose evidence, read again, says what it said before."""
    return figures_due(due_first(evidence), now) if version.answer.figures_due_at is not None else None


def _is_quoted(version: AnswerVersion) -> bool:
    """Whether the answer came without a model, and would again."""
    return version.mode == Mode.EXTRACTIVE or (
        version.mode == Mode.NONE and not version.model and not model_calls.is_configured()
    )


def _lifetime(version: AnswerVersion) -> timedelta:
    if version.mode == Mode.NONE:
        return FRESH_MISS
    seeds = SeedQuestion.objects.active().filter(question_hash=version.answer_id)
    return FRESH_SEED if seeds.exists() else FRESH
