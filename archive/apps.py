from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ArchiveConfig(AppConfig):
    """The city's day files."""

    name = "archive"
    verbose_name = _("아카이브")

    def ready(self) -> None:
        from archive.published import ARCHIVE
        from knowledge.publications import register

        register(ARCHIVE)
