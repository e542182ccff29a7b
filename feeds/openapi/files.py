"""The public addresses that are no JSON views: feeds, files for crawlers, Markdown twins, MCP."""

from __future__ import annotations

from typing import Any

from knowledge.models import PREFIXES

SLUG = {
    "name": "slug",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]*$"},
}
FILES = (
    ("/rss.xml", "readFeed", "What is new, as RSS 2.0", "application/rss+xml"),
    ("/sitemap.xml", "readSitemap", "Every indexable page", "application/xml"),
    ("/llms.txt", "readLlmsTxt", "What is here, for language models", "text/plain"),
    ("/llms-full.txt", "readLlmsFull", "Every unit as Markdown", "text/plain"),
    ("/robots.txt", "readRobots", "What crawlers may read", "text/plain"),
    ("/.well-known/security.txt", "readSecurity", "Whom to tell of a vulnerability (RFC 9116)", "text/plain"),
    ("/openapi.json", "readOpenapi", "This description", "application/json"),
)


def file_paths() -> dict[str, Any]:
    paths: dict[str, Any] = {path: _file(*rest) for path, *rest in FILES}
    for prefix in PREFIXES:
        paths[f"/{prefix}/{{slug}}.md"] = _twin(prefix)
    paths["/api/mcp"] = _mcp()
    return paths


def _file(operation: str, summary: str, media_type: str) -> dict[str, Any]:
    schema = {"type": "object"} if media_type == "application/json" else {"type": "string"}
    responses = {"200": {"description": summary, "content": {media_type: {"schema": schema}}}}
    return {"get": {"operationId": operation, "tags": ["files"], "summary": summary, "responses": responses}}


def _twin(prefix: str) -> dict[str, Any]:
    markdown = {"text/markdown": {"schema": {"type": "string"}}}
    responses = {
        "200": {"description": "The page as Markdown", "content": markdown},
        "308": {"description": "It was merged; `Location` is its survivor's."},
        "404": {"description": "There is no such record."},
        "410": {"description": "It was withdrawn."},
    }
    operation = {
        "operationId": f"read{prefix.capitalize()}Markdown",
        "tags": ["files"],
        "summary": f"A unit under /{prefix}/ as Markdown",
        "parameters": [SLUG],
        "responses": responses,
    }
    return {"get": operation}


def _mcp() -> dict[str, Any]:
    message = {"type": "object", "description": "a JSON-RPC 2.0 message"}
    content = {"application/json": {"schema": message}}
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
