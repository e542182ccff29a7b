"""The language model: which one, what it may cost, and how often an address may ask."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

from config.settings.environment import DEBUG, env
from config.settings.service import BASE_URL

# Without a key the service answers by quoting.
ANTHROPIC_API_KEY: str = env.str("ANTHROPIC_API_KEY", default="")
ANTHROPIC_BASE_URL: str = env.str("ANTHROPIC_BASE_URL", default="")
ASK_MODEL: str = env.str("ASK_MODEL", default="claude-haiku-5-5")
LLM_DAILY_CAP_USD: float = env.float("LLM_DAILY_CAP_USD", default=5.0)
if not 0 <= LLM_DAILY_CAP_USD < 1_000_000:
    raise ImproperlyConfigured(
        f"LLM_DAILY_CAP_USD must be dollars a day, 0 or more, not {LLM_DAILY_CAP_USD}."
    )

ASK_LIMITS: list[str] = env.list("ASK_LIMITS", default=["5/m", "50/d"])
MCP_ASK_LIMITS: list[str] = env.list("MCP_ASK_LIMITS", default=["10/m", "100/d"])
MCP_ALLOWED_ORIGINS: list[str] = env.list(
    "MCP_ALLOWED_ORIGINS",
    default=[BASE_URL, "http://localhost", "http://127.0.0.1", "https://claude.ai", "https://chatgpt.com"],
)

# Answers of a fake server are rehearsals; a production site must never show one.
FAKE_LLM: bool = env.bool("FAKE_LLM", default=False)
if FAKE_LLM and not DEBUG:
    raise ImproperlyConfigured(
        "FAKE_LLM rehearses with invented answers and is refused in production. Unset it."
    )
