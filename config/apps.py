from django.apps import AppConfig
from django.conf import settings

from config import error_reports


class ConfigApp(AppConfig):
    """Composition: settings, urls, and the commands that touch several apps."""

    name = "config"
    label = "config"

    def ready(self) -> None:
        error_reports.start(settings.SENTRY_DSN)
