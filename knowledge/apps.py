from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class KnowledgeConfig(AppConfig):
    """Sources, documents and canonical units."""

    name = "knowledge"
    verbose_name = _("지식")

    def ready(self) -> None:
        from knowledge import receivers  # noqa: F401  connected by being imported
        from knowledge.publications import register
        from knowledge.publications.indexes import OWN

        register(*OWN)
