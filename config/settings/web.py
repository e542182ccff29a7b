"""The web process: apps, middleware, templates, static files, languages."""

from typing import Any

from config.settings.environment import BASE_DIR, DEBUG

INSTALLED_APPS = [
    "desk.apps.EditorsDeskConfig",  # django.contrib.admin with our own site
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "rest_framework",
    "import_export",
    "simple_history",
    "pgtrigger",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "config",
    "knowledge",
    "ask",
    "archive",
    "bulk",
    "mcpserver",
    "feeds",
    "desk",
    "rehearsal",
]

MIDDLEWARE = [
    "config.request_log.RequestLog",
    "config.middleware.Languages",
    "config.middleware.PublicHeaders",
    "config.middleware.PublicMethods",
    "config.middleware.ProblemBodies",
    "config.refusals.Refusals",
    "django.middleware.security.SecurityMiddleware",
    "config.collected_files.CollectedFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.middleware.EditorsOnly",
]

# In the session: a cookie of messages would be sent along to the public pages.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
# Addresses that are answered when all places are taken.
FRONT_RESERVED_PATHS = ["/api/health"]
# POSTs that the process beside answers, while ASK_PROCESS has there be one.
FRONT_ASK_PATHS = ["/api/ask", "/ask", "/en/ask"]
FRONT_MEMORY_BYTES = 64 * 1024 * 1024  # of finished responses, in each process
APPEND_SLASH = False

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "feeds.context.service",
            ],
        },
    }
]

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = BASE_DIR / "var" / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Past one machine: archive.s3.S3DayFileStorage (see docs/archive.md).
    "archive": {"BACKEND": "archive.storage.DayFileStorage"},
    "staticfiles": {
        # Hashed names need `collectstatic` first, which a developer's DEBUG run does without.
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEBUG

LANGUAGE_CODE = "ko"
LANGUAGES = [("ko", "한국어"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
FORMAT_MODULE_PATH = "config.formats"
# Only editors choose a language; the address of a public page says it, and no page sets a cookie.
LANGUAGE_COOKIE_PATH = "/admin/"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SECURE = not DEBUG
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Asia/Seoul"

# Django 6 will complete addresses with https; this says so already, and goes with Django 5.
FORMS_URLFIELD_ASSUME_HTTPS = True
