"""A process that asks once, and may kill itself on the way."""

import os
import signal
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.conf import settings

from ask import answering, flights, model_calls, storing

STEPS: dict[str, tuple[Any, str]] = {
    "store": (storing, "store"),
    "end": (flights, "end"),
    "settle": (model_calls.Account, "settle"),
    "commit": (answering, "_make"),
}


def ask(question: str, now: datetime, url: str, dies: str | None = None) -> None:
    """Ask the model at this address.

    With ``dies`` the process kills itself right after that step: ``store``, ``end`` and ``settle`` are the three of the
    last transaction, in their order, and ``commit`` is its end.
    """
    settings.ANTHROPIC_API_KEY = "sk-ant-test"
    settings.ANTHROPIC_BASE_URL = url
    if dies:
        _die_after(*STEPS[dies])
    answering.ask(question, now=now)


def _die_after(owner: Any, name: str) -> None:
    step: Callable[..., Any] = getattr(owner, name)

    def last(*args: Any, **kwargs: Any) -> None:
        step(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(owner, name, last)
