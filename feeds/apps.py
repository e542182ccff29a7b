from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class FeedsConfig(AppConfig):
    """Feeds, and the pages that belong to no single app."""

    name = "feeds"
    verbose_name = _("피드와 페이지")

    def ready(self) -> None:
        from feeds.best_known import BEST_KNOWN
        from feeds.llms_txt import LLMS, LLMS_FULL
        from feeds.rss import RSS
        from feeds.sitemaps import SITEMAP
        from knowledge.publications import register

        register(SITEMAP, RSS, LLMS, LLMS_FULL, BEST_KNOWN)
