"""The language of a page, which its address alone says: English under ``/en/``, Korean everywhere else.

The middleware activates it for the whole request (``config.middleware.Languages``), and Django's ``translate`` follows.
JSON, MCP, feeds and tasks are therefore Korean, or say of each text which language it is.
"""

from functools import lru_cache

from django.conf import settings
from django.urls import Resolver404, resolve
from django.utils.translation import get_language

KOREAN, ENGLISH = "ko", "en"
NAMESPACE = "en"  # of the addresses of twins in the URL conf
_PREFIX = "/en"


def language_of_path(path: str) -> str:
    return ENGLISH if path == _PREFIX or path.startswith(f"{_PREFIX}/") else KOREAN


def current_language() -> str:
    """The language that is active: that of the page which is being made."""
    return ENGLISH if get_language() == ENGLISH else KOREAN


def korean_path(path: str) -> str:
    """The address of the same page in Korean, which is every page's own."""
    return (path.removeprefix(_PREFIX) or "/") if language_of_path(path) == ENGLISH else path


def english_path(path: str) -> str:
    """The address of the English twin; empty for a page without one. ``path`` is the Korean one."""
    asked = path.partition("?")[0].partition("#")[0]
    return f"{_PREFIX}{path}" if _has_twin(asked, settings.ROOT_URLCONF) else ""


def localised(path: str) -> str:
    """The address that keeps a reader in the language of the page: on an English page that of the twin.

    What has no twin, or is elsewhere, stays as it is.
    """
    return (current_language() == ENGLISH and english_path(path)) or path


@lru_cache(maxsize=4096)
def _has_twin(path: str, urlconf: str) -> bool:
    """Whether a URL conf has an English address for a path, whatever is found there."""
    if not path.startswith("/"):
        return False
    try:
        return NAMESPACE in resolve(f"{_PREFIX}{path}", urlconf).namespaces
    except Resolver404:
        return False
