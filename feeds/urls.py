from django.urls import path

from feeds import bulk_schemas, embeds, home, machine_files, numbers, pages, preview
from feeds.cards import views as cards
from knowledge.models import PREFIXES
from knowledge.views import listing

# Pages with an English twin (``config.urls``).
twinned = [
    path("", home.home, name="home"),
    path("search", pages.search, name="search"),
    path("pulses", pages.pulses, name="pulses"),
    path("about", pages.about, name="about"),
    path("docs", pages.docs, name="docs"),
    path("terms", pages.terms, name="terms"),
    path("status", pages.status_page, name="status"),
    *(path(prefix, listing, {"prefix": prefix}, name=f"{prefix}-list") for prefix in PREFIXES),
    path("numbers", numbers.numbers, name="numbers"),
    path("number/<slug:slug>", numbers.number, name="number"),
]

urlpatterns = [
    *twinned,
    *(
        path(
            f"{prefix}/<slug:slug>.md", machine_files.unit_twin, {"prefix": prefix}, name=f"{prefix}-markdown"
        )
        for prefix in PREFIXES
    ),
    path("numbers.md", numbers.numbers_twin, name="numbers-markdown"),
    path("number/<slug:slug>.md", numbers.number_twin, name="number-markdown"),
    path("embed/number/<slug:slug>", embeds.embed, name="number-embed"),
    path("oembed", embeds.oembed, name="oembed"),
    path("preview/<str:token>", preview.preview, name="preview"),
    path("card/<path:name>.png", cards.card, name="card"),
    *(
        path(f"{prefix}/<slug:slug>.xml", machine_files.unit_feed, {"prefix": prefix}, name=f"{prefix}-feed")
        for prefix in PREFIXES
    ),
    *(
        path(f"{prefix}.xml", machine_files.list_feed, {"prefix": prefix}, name=f"{prefix}-list-feed")
        for prefix in PREFIXES
    ),
    path("pulses.xml", machine_files.pulses_feed, name="pulses-feed"),
    path("rss.xml", machine_files.rss_feed, name="rss"),
    path("changelog.xml", machine_files.changelog_feed, name="changelog"),
    path("sitemap.xml", machine_files.sitemap, name="sitemap"),
    path("sitemap-<int:number>.xml", machine_files.sitemap_part, name="sitemap-part"),
    path("llms.txt", machine_files.llms, name="llms"),
    path("llms-full.txt", machine_files.llms_full, name="llms-full"),
    path("robots.txt", machine_files.robots, name="robots"),
    path("favicon.ico", machine_files.favicon, name="favicon"),
    path(".well-known/security.txt", machine_files.security, name="security"),
    path("api/bulk/schemas/<str:name>.json", bulk_schemas.LineSchemaView.as_view(), name="bulk-schema"),
    path("docs/examples/<str:name>.py", machine_files.example, name="example"),
    path("openapi.json", machine_files.openapi, name="openapi"),
]
