"""Making the description: drf-spectacular for the JSON views, a table for what is not one."""

from __future__ import annotations

from typing import Any

from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import patched_settings

# Importing these registers what each view takes and gives, and what each record holds.
from feeds.openapi import record_schemas as _records  # noqa: F401
from feeds.openapi import views as _views  # noqa: F401
from feeds.openapi.described import head
from feeds.openapi.files import file_paths

SETTINGS: dict[str, Any] = {
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "SORT_OPERATIONS": False,
    "POSTPROCESSING_HOOKS": [],
}


def generate() -> dict[str, Any]:
    """The whole document."""
    with patched_settings(SETTINGS | head()), GENERATOR_STATS.silence():
        schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    schema["paths"] = {**schema["paths"], **file_paths()}
    for operations in schema["paths"].values():
        for operation in operations.values():
            # Nothing here asks who you are.
            operation["security"] = []
    return schema
