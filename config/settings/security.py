"""Secrets, hosts, cookies and HTTPS."""

from datetime import timedelta

from django.core.exceptions import ImproperlyConfigured

from config.settings.environment import DEBUG, env, listed, missing, required, whole
from config.settings.service import BASE_URL, SERVICE_NAME

_KEY_HINT = (
    "Make one with `python -c 'import secrets; print(secrets.token_urlsafe(50))'` "
    "and keep it out of the repository."
)
_KEY_MIN_LENGTH = 32
SECRET_KEY = required("SECRET_KEY", _KEY_HINT)
if not DEBUG and len(SECRET_KEY) < _KEY_MIN_LENGTH:
    raise ImproperlyConfigured(
        f"SECRET_KEY has {len(SECRET_KEY)} characters, and production wants {_KEY_MIN_LENGTH} or more. {_KEY_HINT}"
    )

ALLOWED_HOSTS = listed("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"] if DEBUG else [])
_HOSTS_HINT = "Set it to the host names this service answers, separated by commas."
if not ALLOWED_HOSTS:
    raise missing("ALLOWED_HOSTS", _HOSTS_HINT)
if _odd := [host for host in ALLOWED_HOSTS if "/" in host or " " in host]:
    raise ImproperlyConfigured(f"ALLOWED_HOSTS has {_odd[0]!r}, which is no host name. {_HOSTS_HINT}")

# How many X-Forwarded-For hops to believe, from the right; 0 believes none. Only the operator knows: one too few
# redirects to https for ever and counts all visitors as one, one too many lets a visitor choose the address.
if not DEBUG:
    required(
        "TRUSTED_PROXY_COUNT",
        "Set it to the number of proxies in front of this service: 1 behind one that ends TLS, 0 for none.",
    )
TRUSTED_PROXY_COUNT = whole("TRUSTED_PROXY_COUNT", 0, least=0, most=9)
if TRUSTED_PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

CSRF_TRUSTED_ORIGINS = listed("CSRF_TRUSTED_ORIGINS", [BASE_URL])

SECURE_SSL_REDIRECT = not DEBUG
# Balancers ask for health in plain http, and a redirect would read as an outage.
SECURE_REDIRECT_EXEMPT = [r"^api/health$"]
SECURE_HSTS_SECONDS = 0 if DEBUG else 365 * 24 * 3600
# Both bind other sites of the same domain for a year or longer, so each is asked for by name.
SECURE_HSTS_INCLUDE_SUBDOMAINS: bool = env.bool("HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD: bool = env.bool("HSTS_PRELOAD", default=False)
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not DEBUG
SESSION_COOKIE_AGE = 8 * 3600  # an editor's working day
# Nobody but editors has a session, so no public address ever sees its cookies.
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = "/admin/"

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

LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"

# Who guesses passwords is locked out: five failures of a name from an address, or twenty of the address whatever
# the name (an office shares one). Both limits stand in desk/lockout.py, because axes knows only one.
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "desk.sign_in.PasswordBackend",
]
AXES_HANDLER = "desk.lockout.DeskAttempts"
AXES_CLIENT_IP_CALLABLE = "desk.lockout.pseudonym"
AXES_LOCKOUT_CALLABLE = "desk.lockout.refusal"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"], "ip_address"]
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
# Sign-ins that succeeded are recorded nowhere, and the rows of failures have an admin page of our own.
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
SILENCED_SYSTEM_CHECKS = [
    "axes.W002",  # asks for its middleware by name; config.middleware.EditorsOnly runs it, under /admin/ only
    "security.W005",  # ask for what HSTS_SUBDOMAINS and HSTS_PRELOAD leave to the operator
    "security.W021",
]

# What an authenticator app shows above its code.
OTP_TOTP_ISSUER = SERVICE_NAME
