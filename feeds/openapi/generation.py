"""Making the description: drf-spectacular for the JSON views, a table for what is not one."""

from typing import Any

from django.conf import settings
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import patched_settings

# Importing these registers what each view takes and gives, and what each record holds.
from feeds.openapi import bulk as _bulk  # noqa: F401
from feeds.openapi import day_schemas as _days  # noqa: F401
from feeds.openapi import record_schemas as _records  # noqa: F401
from feeds.openapi import series as _series  # noqa: F401
from feeds.openapi import units as _units  # noqa: F401
from feeds.openapi import views as _views  # noqa: F401
from feeds.openapi.enums import with_names
from feeds.openapi.files import file_components, file_paths
from knowledge.licence import LICENCE

VERSION = "1.0.0"
DESCRIPTION = (
    "Korean crypto knowledge linked to its sources, and the daily archive of a virtual city. Free, without a key; "
    "reads have no limit. Every read answers GET and HEAD and may be fetched from any origin. Where `ETag` is named it "
    "is strong, and another one in each coding (gzip, br): who asks again in the same coding with `If-None-Match` gets "
    "304 while nothing changed. Within a version fields, and words of a choice, are added, never removed or renamed. A "
    "service whose records are invented (`make demo`) says `rehearsal: true` at the top of every JSON object; "
    "elsewhere the key is absent, but in days of the city.\n\n"
    "Not described here, since they are XML for readers and crawlers: the feeds `/rss.xml`, `/pulses.xml` and those of "
    "units and lists (RSS 2.0, `application/rss+xml`), the changes of this API `/changelog.xml` "
    "(`application/atom+xml`), and `/sitemap.xml` (`application/xml`)."
)
TAGS = {
    "canonical": "The indexes of everything that is published",
    "series": "Numbers over time: rates, prices, hash rate",
    "pulses": "Sudden moves of assets",
    "search": "Records by words",
    "ask": "Questions, answered with citations; limited by address",
    "archive": "One sealed file a day of a virtual city, CC BY 4.0",
    "bulk": "Everything public as dated files, for mirrors",
    "operations": "The state of the service",
    "files": "Text for crawlers, readers and agents",
    "mcp": "The same for agents, as tools",
}
SETTINGS: dict[str, Any] = {
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "SORT_OPERATIONS": False,
    "POSTPROCESSING_HOOKS": [],
}


def head() -> dict[str, Any]:
    """What stands above the paths."""
    return {
        "TITLE": settings.SERVICE_NAME,
        "VERSION": VERSION,
        "DESCRIPTION": DESCRIPTION,
        "OAS_VERSION": "3.1.0",
        "CONTACT": {"name": settings.SERVICE_NAME, "email": settings.CONTACT_EMAIL},
        "LICENSE": {
            "name": f"{LICENCE}, quoted freely with an inline link to the source URL",
            "url": f"{settings.BASE_URL}/terms",
        },
        "TOS": f"{settings.BASE_URL}/terms",
        "EXTERNAL_DOCS": {"description": "Documentation", "url": f"{settings.BASE_URL}/docs"},
        "SERVERS": [{"url": settings.BASE_URL}],
        "TAGS": [{"name": name, "description": text} for name, text in TAGS.items()],
    }


def generate() -> dict[str, Any]:
    """The whole document."""
    with patched_settings(SETTINGS | head()), GENERATOR_STATS.silence():
        schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    schema["paths"] = {**schema["paths"], **file_paths()}
    schema["components"]["schemas"] |= file_components()
    for operations in schema["paths"].values():
        for operation in operations.values():
            # Nothing here asks who you are.
            operation["security"] = []
    named: dict[str, Any] = in_markdown(with_names(schema))
    return named


def in_markdown(value: Any) -> Any:
    """A part of the document with its texts, of which some are docstrings, as Markdown: ``code`` in single marks."""
    if isinstance(value, dict):
        return {name: in_markdown(each) for name, each in value.items()}
    if isinstance(value, list):
        return [in_markdown(each) for each in value]
    return value.replace("``", "`") if isinstance(value, str) else value
