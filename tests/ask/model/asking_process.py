"""``python -m tests.ask.model.asking_process QUESTION NOW [DIES]``: ask once, print a refusal's code or how it went.

With DIES the process kills itself right after that step: ``store``, ``end`` and ``settle`` are the three of the last
transaction, in their order, and ``commit`` is its end.
"""

import os
import signal
import sys
from collections.abc import Callable
from datetime import datetime
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from ask import answering, flights, model_calls  # noqa: E402
from knowledge.errors import Refusal  # noqa: E402

STEPS: dict[str, tuple[Any, str]] = {
    "store": (answering, "store"),
    "end": (flights, "end"),
    "settle": (model_calls.Account, "settle"),
    "commit": (answering, "_make"),
}


def die_after(owner: Any, name: str) -> None:
    step: Callable[..., Any] = getattr(owner, name)

    def last(*args: Any, **kwargs: Any) -> None:
        step(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(owner, name, last)


if __name__ == "__main__":
    if len(sys.argv) > 3:
        die_after(*STEPS[sys.argv[3]])
    try:
        reply = answering.ask(sys.argv[1], now=datetime.fromisoformat(sys.argv[2]))
    except Refusal as refusal:
        print(refusal.default_code)
    else:
        print("cached" if reply.cached else reply.version.mode)
