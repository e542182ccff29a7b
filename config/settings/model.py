"""The language model: which one, what it may cost, and how often an address may ask."""

from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.settings.environment import DEBUG, REHEARSAL, env, listed
from config.settings.service import BASE_URL


def dollars(name: str, default: float) -> float:
    """Dollars a day, 0 or more."""
    value: str = env.str(name, default="").strip() or str(default)
    try:
        amount = float(value)
    except ValueError:
        amount = -1.0
    # Neither infinity nor "not a number" passes.
    if not 0 <= amount < 1_000_000:
        raise ImproperlyConfigured(
            f"{name} must be dollars a day such as 5 or 0.5, 0 or more, not {value!r}."
        )
    return amount


def gateway(name: str) -> str:
    """The address that the model is called at. Plain http would send the key in clear, so only loopback may."""
    value: str = env.str(name, default="").strip()
    try:
        address = urlsplit(value)
    except ValueError:
        address = urlsplit("")
    local = address.hostname in ("localhost", "127.0.0.1", "::1")
    if value and not (address.hostname and address.scheme in ("http", "https")):
        raise ImproperlyConfigured(
            f"{name} must be an address such as https://api.example.org, not {value!r}."
        )
    if address.scheme == "http" and not local and not DEBUG:
        raise ImproperlyConfigured(
            f"{name} must begin with https:// in production, or the key travels in clear."
        )
    return value


# Without a key the service answers by quoting, as it does in a rehearsal, which asks nobody.
ANTHROPIC_API_KEY: str = "" if REHEARSAL else env.str("ANTHROPIC_API_KEY", default="")
ANTHROPIC_BASE_URL = gateway("ANTHROPIC_BASE_URL")
ASK_MODEL: str = env.str("ASK_MODEL", default="claude-haiku-5-5")
LLM_DAILY_CAP_USD = dollars("LLM_DAILY_CAP_USD", 5.0)

# ask.limits reads them, and refuses to start with what it cannot read.
ASK_LIMITS = listed("ASK_LIMITS", ["5/m", "50/d"])
MCP_ASK_LIMITS = listed("MCP_ASK_LIMITS", ["10/m", "100/d"])
MCP_ALLOWED_ORIGINS = listed(
    "MCP_ALLOWED_ORIGINS",
    [BASE_URL, "http://localhost", "http://127.0.0.1", "https://claude.ai", "https://chatgpt.com"],
)

# Answers of a fake server are rehearsals; a production site must never show one.
FAKE_LLM: bool = env.bool("FAKE_LLM", default=False)
if FAKE_LLM and not DEBUG:
    raise ImproperlyConfigured(
        "FAKE_LLM rehearses with invented answers and is refused in production. Unset it."
    )
