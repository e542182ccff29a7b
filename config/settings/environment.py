"""The one place where environment variables are read; ``.env.example`` lists every one of them.

What the shell exports wins over ``.env``, and ``.env`` over ``var/env``, which ``make run`` writes so that a bare
``manage.py`` in another terminal meets the same embedded servers.
"""

from __future__ import annotations

from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = BASE_DIR / "var"

env = environ.Env()
for _file in (BASE_DIR / ".env", VAR_DIR / "env"):
    if _file.is_file():
        environ.Env.read_env(str(_file), overwrite=False)

DEBUG: bool = env.bool("DEBUG", default=False)

SETUP_HINT = (
    "To try Madang on this machine use `make run`, which needs no settings; see .env.example for all of them."
)


def required(name: str, what: str) -> str:
    """The value of a variable that production cannot do without; ``what`` says how to set it."""
    value: str = env.str(name, default="")
    if not value:
        raise ImproperlyConfigured(f"{name} is not set. {what} {SETUP_HINT}")
    return value
