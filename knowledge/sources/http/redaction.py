"""The one masking of secrets: for log lines, error reports, forms, and failures that are stored or shown.

Masked are the secrets of the settings, those that the caller names, the value of every parameter that is called like
a secret, and the user and password of an address.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from urllib.parse import quote, quote_plus

from django.conf import settings

MASK = "***"
SETTINGS = ("SECRET_KEY", "ANTHROPIC_API_KEY", "ECOS_API_KEY", "FRED_API_KEY", "METRICS_TOKEN", "SENTRY_DSN")
# The password of a store on one's own machine may be an ordinary word, and hiding those would hide the log.
PASSWORD_MIN_LENGTH = 8
# Shorter values would blot out half of an ordinary message; no key of ours is that short.
SECRET_MIN_LENGTH = 4

# How a secret stands in a text: as it is, and as we or the other side's library quote it in an address.
_FORMS = (str, partial(quote, safe=""), partial(quote, safe="!$&'()*+,;=:@/"), quote_plus)
# Names that end so, whatever stands before: api_key, X-Amz-Signature, sessionId.
_PARAMETER = re.compile(
    r"(?i)((?<![\w.%-])[\w.%-]{0,60}?"
    r"(?:key|token|secret|auth|authorization|sig|signature|password|passwd|passphrase|pwd|code|credentials?"
    r"|session|sessid|jwt|appid)(?:[_-]?id)?)=[^&;#\s]+"
)
_USER = re.compile(r"(?<=//)[^/?#\s]+@")


def redacted(text: str, secrets: Iterable[str] = ()) -> str:
    """The text with every secret in it masked; ``secrets`` are masked beside those of the settings."""
    for form in _forms((*_of_settings(), *secrets)):
        text = text.replace(form, MASK)
    return _PARAMETER.sub(rf"\1={MASK}", _USER.sub(f"{MASK}@", text))


@lru_cache(maxsize=64)  # each line of a log asks
def _forms(secrets: tuple[str, ...]) -> list[str]:
    """Each secret in each of its forms, the longest first."""
    long = [secret for secret in secrets if len(secret) >= SECRET_MIN_LENGTH]
    return sorted({form(secret) for secret in long for form in _FORMS}, key=len, reverse=True)


def _of_settings() -> Iterator[str]:
    """Whatever the environment gave that nobody may read."""
    yield from (str(getattr(settings, name, "")) for name in SETTINGS)
    passwords = str(settings.DATABASES["default"].get("PASSWORD") or ""), _password_of(settings.REDIS_URL)
    yield from (password for password in passwords if len(password) >= PASSWORD_MIN_LENGTH)


def _password_of(address: str) -> str:
    authority, at, _host = address.partition("://")[2].rpartition("@")
    return authority.rpartition(":")[2] if at else ""
