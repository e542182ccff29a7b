from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AskConfig(AppConfig):
    """Questions, answers with citations, seed questions."""

    name = "ask"
    verbose_name = _("질문")

    def ready(self) -> None:
        from ask import limits, receivers  # noqa: F401  receivers are connected by being imported

        limits.require_valid()
