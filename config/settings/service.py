"""Who this service is, and what it shows of itself."""

import re

from django.core.exceptions import ImproperlyConfigured

from config.settings.environment import DEBUG, env, whole

SERVICE_NAME: str = env.str("SERVICE_NAME", default="Madang")
SERVICE_SLUG: str = env.str("SERVICE_SLUG", default="madang")
CONTACT_EMAIL: str = env.str("CONTACT_EMAIL", default="hello@example.org")
PORT = whole("PORT", 8000, most=65_535)
# A host name or a bracketed IPv6 address, and a port or none.
_ORIGIN = re.compile(r"(https?)://(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")


def origin(name: str, default: str) -> str:
    """An address such as ``https://example.org``: scheme and host, no path, no trailing slash."""
    value: str = env.str(name, default=default).rstrip("/")
    found = _ORIGIN.fullmatch(value)
    if found is None:
        raise ImproperlyConfigured(f"{name} must be an origin such as https://example.org, not {value!r}.")
    if found[1] == "http" and not DEBUG:
        raise ImproperlyConfigured(f"{name} must begin with https:// in production; it is {value!r}.")
    return value


BASE_URL = origin("BASE_URL", f"http://localhost:{PORT}")
CITY_URL = origin("CITY_URL", BASE_URL)

# The outbound door may reach loopback, plain http and any port: for tests and replay servers only.
FETCH_ALLOW_PRIVATE: bool = env.bool("FETCH_ALLOW_PRIVATE", default=False)
if FETCH_ALLOW_PRIVATE and not DEBUG:
    raise ImproperlyConfigured(
        "FETCH_ALLOW_PRIVATE lets the service fetch from its own network and is refused in production. Unset it."
    )

# Free keys of two macro sources; without them those sources say "needs a key".
ECOS_API_KEY: str = env.str("ECOS_API_KEY", default="")
FRED_API_KEY: str = env.str("FRED_API_KEY", default="")

# Recorded payloads for opt-in tests; the service itself never reads them.
SAMPLES_DIR: str = env.str("SAMPLES_DIR", default="../shared/samples")
