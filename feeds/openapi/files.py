"""The public addresses that are no JSON views: text files, Markdown twins, oEmbed, MCP.

Feeds and the sitemap are XML of media types that generators of clients do not take (they leave the operation without a
result, and warn): what they are stands in words above the paths, and at /docs.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from feeds.embeds import SIDE_MAX_DIGITS
from feeds.openapi.problems import PROBLEM_JSON
from knowledge.models import PREFIXES

SLUG = {
    "name": "slug",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]*$"},
}
IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "an ETag of an earlier response",
    "schema": {"type": "string"},
}
ETAG = {"ETag": {"description": "strong", "schema": {"type": "string"}}}
NOT_MODIFIED = {"description": "The copy named by `If-None-Match` is still right.", "headers": ETAG}
# Addresses outside /api/ speak to people where something is wrong.
PAGE = {"text/html": {"schema": {"type": "string"}}}
PROBLEM = {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}}
REFUSALS = {
    "400": "A parameter cannot be read; the answer names the fix.",
    "404": "There is no such record; the answer names what is near.",
    "405": "Only GET and HEAD; see `Allow`.",
    "410": "It was withdrawn.",
    "501": "No other format is given.",
    "503": "Not at the moment: the store is out of reach.",
}
FILES = (
    ("/llms.txt", "readLlmsTxt", "What is here, for language models", "text/plain"),
    ("/llms-full.txt", "readLlmsFull", "Every unit as Markdown", "text/plain"),
    ("/numbers.md", "readNumbers", "Numbers over time by groups, as Markdown", "text/markdown"),
    ("/robots.txt", "readRobots", "What crawlers may read", "text/plain"),
    ("/.well-known/security.txt", "readSecurity", "Whom to tell of a vulnerability (RFC 9116)", "text/plain"),
    ("/openapi.json", "readOpenapi", "This description", "application/json"),
)


def file_paths() -> dict[str, Any]:
    paths: dict[str, Any] = {path: _file(*rest) for path, *rest in FILES}
    for prefix in PREFIXES:
        paths[f"/{prefix}/{{slug}}.md"] = _twin(prefix)
    paths["/number/{slug}.md"] = _number()
    paths["/oembed"] = _oembed()
    paths["/api/mcp"] = _mcp()
    return paths


def file_components() -> dict[str, Any]:
    """The schemas of what they take and give."""
    text, pixels = {"type": "string"}, {"type": "integer"}
    members = {
        **dict.fromkeys(("version", "type", "title", "provider_name", "provider_url", "html"), text),
        **dict.fromkeys(("width", "height", "cache_age"), pixels),
    }
    anything = {"type": "object", "additionalProperties": True}
    return {
        "EmbeddedNumber": {
            "type": "object",
            "description": "A number as oEmbed tells it: `html` is the frame.",
            "properties": members,
            "required": list(members),
        },
        "JsonRpcMessage": {**anything, "description": "A JSON-RPC 2.0 message."},
        "JsonSchema": {**anything, "description": "A JSON Schema 2020-12."},
        "OpenApiDocument": {**anything, "description": "An OpenAPI 3.1 description."},
    }


def _schema(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _file(operation: str, summary: str, media_type: str) -> dict[str, Any]:
    schema = _schema("OpenApiDocument") if media_type == "application/json" else {"type": "string"}
    found = {"description": summary, "headers": ETAG, "content": {media_type: {"schema": schema}}}
    return _get(operation, summary, [], {"200": found, "304": NOT_MODIFIED, **_refusals("405", "503")})


def _get(operation: str, summary: str, parameters: list[Any], responses: dict[str, Any]) -> dict[str, Any]:
    described = {
        "operationId": operation,
        "tags": ["files"],
        "summary": summary,
        "parameters": [*parameters, IF_NONE_MATCH],
        "responses": responses,
    }
    return {"get": described}


def _refusals(*statuses: str, content: Mapping[str, Any] = MappingProxyType(PAGE)) -> dict[str, Any]:
    """What is refused: as a page, unless only programs ask."""
    return {status: {"description": REFUSALS[status], "content": dict(content)} for status in statuses}


def _twin(prefix: str) -> dict[str, Any]:
    markdown = {"text/markdown": {"schema": {"type": "string"}}}
    responses = {
        "200": {"description": "The page as Markdown", "headers": ETAG, "content": markdown},
        "304": NOT_MODIFIED,
        "308": {"description": "It was merged; `Location` is its survivor's."},
        **_refusals("404", "405", "410", "503"),
    }
    return _get(
        f"read{prefix.capitalize()}Markdown", f"A unit under /{prefix}/ as Markdown", [SLUG], responses
    )


def _number() -> dict[str, Any]:
    markdown = {"text/markdown": {"schema": {"type": "string"}}}
    responses = {
        "200": {"description": "The number as Markdown", "headers": ETAG, "content": markdown},
        "304": NOT_MODIFIED,
        **_refusals("404", "405", "410", "503"),
    }
    return _get("readNumberMarkdown", "A number over time as Markdown", [SLUG], responses)


def _oembed() -> dict[str, Any]:
    side = {"type": "integer", "minimum": 1, "maximum": 10**SIDE_MAX_DIGITS - 1}
    parameters = [
        _query(
            "url", "the address of a number's page, such as `/number/usd-krw` on this site", required=True
        ),
        _query("maxwidth", "how wide the frame may be, in pixels", side),
        _query("maxheight", "how high the frame may be, in pixels", side),
        _query("format", "nothing else is given", {"type": "string", "enum": ["json"], "default": "json"}),
    ]
    found = {
        "description": "https://oembed.com, type `rich`: `html` is the frame",
        "headers": ETAG,
        "content": {"application/json": {"schema": _schema("EmbeddedNumber")}},
    }
    responses = {
        "200": found,
        "304": NOT_MODIFIED,
        **_refusals("400", "404", "405", "501", "503", content=PROBLEM),
    }
    return _get("readOembed", "How to show a number on another site", parameters, responses)


def _query(
    name: str,
    text: str,
    schema: Mapping[str, Any] = MappingProxyType({"type": "string"}),
    *,
    required: bool = False,
) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": required, "description": text, "schema": dict(schema)}


def _mcp() -> dict[str, Any]:
    content = {"application/json": {"schema": _schema("JsonRpcMessage")}}
    responses: dict[str, Any] = {
        "200": {"description": "The JSON-RPC response", "content": content},
        "202": {"description": "A notification was taken"},
    }
    for status, text in {
        "400": "Not a JSON-RPC request this server understands",
        "403": "An Origin that is not allowed",
        "405": "Only POST",
        "406": "`Accept` refuses JSON",
        "413": "More than 256 KiB",
        "415": "Not `application/json`",
        "429": "The ask tool's limit of this address is used up; see `Retry-After`",
        "503": "Not at the moment; see `Retry-After`",
    }.items():
        responses[status] = {"description": text, "content": content}
    operation = {
        "operationId": "mcp",
        "tags": ["mcp"],
        "summary": "Model Context Protocol over Streamable HTTP: 12 tools",
        "requestBody": {"required": True, "content": content},
        "responses": responses,
    }
    return {"post": operation}
