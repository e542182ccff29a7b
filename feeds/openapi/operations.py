"""The description as rows for the docs page."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a query string or a path. ``bounds`` are its values in words; empty where any will do."""

    name: str
    bounds: str
    text: str
    required: bool


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path."""

    method: str
    path: str
    summary: str
    parameters: list[Parameter]
    statuses: list[str]


def operations(document: Mapping[str, Any]) -> list[Operation]:
    """Every operation under /api/, in the document's order."""
    schemas = document["components"]["schemas"]
    return [
        _operation(method, path, description, schemas)
        for path, methods in document["paths"].items()
        if path.startswith("/api/")
        for method, description in methods.items()
    ]


def _operation(
    method: str, path: str, description: Mapping[str, Any], schemas: Mapping[str, Any]
) -> Operation:
    return Operation(
        method.upper(),
        path,
        description["summary"],
        list(_parameters(description, schemas)),
        sorted(description["responses"]),
    )


def _parameters(description: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[Parameter]:
    for parameter in description.get("parameters", ()):
        if parameter["in"] == "query":
            yield Parameter(
                parameter["name"],
                _bounds(parameter["schema"], schemas),
                parameter.get("description", ""),
                parameter.get("required", False),
            )


def _bounds(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    if "minimum" in schema and "maximum" in schema:
        default = f", {schema['default']}" if "default" in schema else ""
        return f"{schema['minimum']}–{schema['maximum']}{default}"
    chosen = schema.get("items", schema)
    if "$ref" in chosen:
        chosen = schemas[chosen["$ref"].rpartition("/")[2]]
    return ", ".join(map(str, chosen.get("enum", ())))
