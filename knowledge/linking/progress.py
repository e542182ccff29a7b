"""How far a re-linking is, for the editor who caused it: kept an hour in the cache, and missed by nobody else."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache

from knowledge.linking import relinking

KEPT = 3600  # seconds
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """Asked for, and then, once the worker is through, in how many documents mentions changed."""

    asked_at: datetime
    finished_at: datetime | None = None
    changed: int = 0


def asked(norms: Iterable[str], *, now: datetime) -> None:
    _keep(norms, Progress(now))


def relink(
    norms: Iterable[str], *, clock: Callable[[], datetime], before: int | None = None, changed: int = 0
) -> relinking.Relinked:
    """``relinking.relink`` of one range, and after the last one the outcome where the editor looks for it.

    ``changed`` counts the documents of earlier ranges, and so does what is returned.
    """
    norms, began = list(norms), clock()
    done = relinking.relink(norms, before=before)
    changed += done.changed
    if done.rest is None:
        _keep(norms, Progress(began, clock(), changed))
    return relinking.Relinked(changed, done.rest)


def progress_of(norm: str) -> Progress | None:
    """The latest re-linking by this norm; None when there was none lately, or the cache is away."""
    try:
        found = cache.get(_key(norm))
    except Exception:  # whatever a cache's client raises: the page does without
        _log.warning("the cache is away; no progress to show")
        return None
    return found if isinstance(found, Progress) else None


def _keep(norms: Iterable[str], progress: Progress) -> None:
    try:
        cache.set_many({_key(norm): progress for norm in norms}, KEPT)
    except Exception:
        _log.warning("the cache is away; progress is not kept")


def _key(norm: str) -> str:
    return "relinking:" + hashlib.sha256(norm.encode()).hexdigest()[:32]
