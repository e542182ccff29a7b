"""The one place where environment variables are read; ``.env.example`` lists every one of them.

What the shell exports wins over ``.env``, and ``.env`` over ``var/env``, which ``make run`` writes so that a bare
``manage.py`` in another terminal meets the same embedded servers.
"""

import re
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent.parent

env = environ.Env()
# Set by `make demo`: everything that is stored and shown is invented. Such a process has a folder of its own, and reads
# no file of settings, which may lead to real data.
REHEARSAL: bool = env.bool("REHEARSAL", default=False)
VAR_DIR = BASE_DIR / "var" / "demo" if REHEARSAL else BASE_DIR / "var"
for _file in () if REHEARSAL else (BASE_DIR / ".env", VAR_DIR / "env"):
    if _file.is_file():
        environ.Env.read_env(str(_file), overwrite=False)

DEBUG: bool = env.bool("DEBUG", default=False)
if REHEARSAL and not DEBUG:
    raise ImproperlyConfigured(
        "REHEARSAL shows invented records and is refused in production. Unset it; `make demo` sets it by itself."
    )

SETUP_HINT = (
    "To try Madang on this machine use `make run`, which needs no settings; see .env.example for all of them."
)


def required(name: str, what: str) -> str:
    """The value of a variable that production cannot do without; ``what`` says how to set it."""
    value: str = env.str(name, default="")
    if not value:
        raise missing(name, what)
    return value


def missing(name: str, what: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name} is not set. {what} {SETUP_HINT}")


def listed(name: str, default: list[str]) -> list[str]:
    """Values between commas, without the blanks around them; the default where there is none."""
    values = [value.strip() for value in str(env.str(name, default="")).split(",")]
    return [value for value in values if value] or default


def whole(name: str, default: int, *, least: int = 1, most: int = 999_999) -> int:
    """A whole number between ``least`` and ``most``."""
    value: str = env.str(name, default="").strip() or str(default)
    if not re.fullmatch(r"[0-9]{1,6}", value) or not least <= int(value) <= most:
        raise ImproperlyConfigured(f"{name} must be a whole number from {least} to {most}, not {value!r}.")
    return int(value)


def chosen(name: str, choices: tuple[str, ...]) -> str:
    """One of some words, the first where none is set."""
    value = str(env.str(name, default="")).strip().lower() or choices[0]
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {value!r}.")
    return value
