"""The evening's work with the outside attached: the door to the sisters, and the language model."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from django.conf import settings

from archive import capture, sisters
from archive.days import day_of, yesterday
from archive.models import Snapshot
from archive.reflection import MAX_TOKENS, Compose
from archive.rehearsal import rehearse
from ask import model_calls
from ask.model_calls import Completion
from knowledge.sources.http.client import http_client

PURPOSE = "reflection"


def pull_today(*, now: datetime) -> dict[str, str]:
    """Ask the sisters about the day that is going on."""
    return sisters.pull_all(day_of(now), now=now, http=http_client())


def seal_yesterday(*, now: datetime) -> Snapshot:
    """Ask the sisters a last time, then seal. A sealed day asks nobody."""
    day = yesterday(now)
    sealed = Snapshot.objects.filter(day=day, revision=1).first()
    if sealed is not None:
        return sealed
    if settings.REHEARSAL:
        return next(rehearse(1, until=day))
    sisters.pull_all(day, now=now, http=http_client())
    return capture.seal(day, now=now, compose=model(now))


def catch_up(*, now: datetime) -> list[Snapshot]:
    """Seal what was missed; the sisters may still know yesterday."""
    day = yesterday(now)
    if settings.REHEARSAL:
        return [seal_yesterday(now=now)]
    if not Snapshot.objects.filter(day=day, revision=1).exists():
        sisters.pull_all(day, now=now, http=http_client())
    return capture.catch_up(now=now, compose=model(now))


def model(now: datetime, complete: Callable[..., Completion] = model_calls.complete) -> Compose:
    """The language model as the reflection asks it; whatever keeps it from answering is None."""
    return partial(_compose, complete, now)


def _compose(
    complete: Callable[..., Completion], now: datetime, system: str, content: str
) -> Completion | None:
    try:
        return complete(PURPOSE, system=system, content=content, max_tokens=MAX_TOKENS, now=now)
    except model_calls.ModelUnavailable:
        return None
