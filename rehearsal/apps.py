from django.apps import AppConfig


class RehearsalConfig(AppConfig):
    """The invented world and the command that makes it; no models."""

    name = "rehearsal"
