from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AskConfig(AppConfig):
    """Questions, answers with citations, seed questions."""

    name = "ask"
    verbose_name = _("질문")

    def ready(self) -> None:
        from ask import receivers  # noqa: F401  connected by being imported
