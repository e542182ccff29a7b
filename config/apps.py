from django.apps import AppConfig


class ConfigApp(AppConfig):
    """Composition: settings, urls, and the commands that touch several apps."""

    name = "config"
    label = "config"
