"""Secrets, hosts, cookies and HTTPS."""

from __future__ import annotations

from config.settings.environment import DEBUG, env, required
from config.settings.service import BASE_URL

SECRET_KEY = required(
    "SECRET_KEY",
    "Make one with `python -c 'import secrets; print(secrets.token_urlsafe(50))'` and keep it out of the repository.",
)
if DEBUG:
    ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
else:
    ALLOWED_HOSTS = required(
        "ALLOWED_HOSTS", "Set it to the host names this service answers, separated by commas."
    ).split(",")

# How many X-Forwarded-For hops to believe, from the right; 0 believes none.
TRUSTED_PROXY_COUNT: int = env.int("TRUSTED_PROXY_COUNT", default=0)
if TRUSTED_PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[BASE_URL])

SECURE_SSL_REDIRECT = not DEBUG
# Balancers ask for health in plain http, and a redirect would read as an outage.
SECURE_REDIRECT_EXEMPT = [r"^api/health$"]
SECURE_HSTS_SECONDS = 0 if DEBUG else 365 * 24 * 3600
SECURE_HSTS_INCLUDE_SUBDOMAINS = not DEBUG
SECURE_HSTS_PRELOAD = not DEBUG
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not DEBUG
SESSION_COOKIE_AGE = 8 * 3600  # an editor's working day

# The largest body any public endpoint takes is MCP's 256 KiB; the admin imports files through temporary storage.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
