"""``server.json`` is in the form of the MCP Registry, and is refused for what no registry would list."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from jsonschema import Draft202012Validator
from pytest_django.fixtures import Settings

from mcpserver.identity import VERSION

# The parts of the registry's schema and of its further rules that a remote server without packages meets, in our words.
HTTPS = {"type": "string", "pattern": r"^https://[^\s{}]+$"}
FORM = {
    "type": "object",
    "required": ["$schema", "name", "description", "version", "remotes"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"pattern": r"^https://static\.modelcontextprotocol\.io/schemas/\d{4}-\d{2}-\d{2}/server\.schema\.json$"},
        "name": {
            "type": "string",
            "minLength": 3,
            "maxLength": 200,
            "pattern": r"^[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$",
        },
        "title": {"type": "string", "minLength": 1, "maxLength": 100, "pattern": r"\S"},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        # One version, neither `latest` nor a range.
        "version": {"type": "string", "maxLength": 255, "pattern": r"^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$"},
        "websiteUrl": HTTPS,
        "remotes": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["type", "url"],
                "additionalProperties": False,
                "properties": {"type": {"enum": ["streamable-http", "sse"]}, "url": HTTPS},
            },
        },
    },
}  # fmt: skip


@pytest.fixture(autouse=True)
def public(settings: Settings) -> None:
    settings.BASE_URL = "https://crypto.madang.example"
    settings.SERVICE_NAME, settings.SERVICE_SLUG = "마당 Madang", "madang"


def made(*arguments: str) -> str:
    out = StringIO()
    call_command("mcp_registry_file", *arguments, stdout=out)
    return out.getvalue()


def test_the_file_is_in_the_form_of_the_registry() -> None:
    file = json.loads(made())
    Draft202012Validator.check_schema(FORM)
    Draft202012Validator(FORM).validate(file)
    assert file["name"] == "example.madang.crypto/madang"
    assert file["title"] == "마당 Madang"
    assert file["version"] == VERSION
    assert file["websiteUrl"] == "https://crypto.madang.example"
    assert file["remotes"] == [{"type": "streamable-http", "url": "https://crypto.madang.example/api/mcp"}]


def test_it_is_written_where_the_operator_wants_it(tmp_path: Path) -> None:
    file = tmp_path / "server.json"
    assert made("--output", str(file)) == f"{file}: example.madang.crypto/madang {VERSION}\n"
    assert file.read_text(encoding="utf-8") == made()
    with pytest.raises(CommandError, match="cannot be written") as failure:
        made("--output", str(tmp_path / "nowhere" / "server.json"))
    assert failure.value.returncode == 1


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("BASE_URL", "http://madang.example", "https addresses only"),
        ("BASE_URL", "http://localhost:8000", "https addresses only"),
        ("BASE_URL", "https://localhost:8000", "set it to the address that clients reach"),
        ("BASE_URL", "https://madang.localhost", "set it to the address that clients reach"),
        ("BASE_URL", "https://madang", "set it to the address that clients reach"),
        ("BASE_URL", "https://192.0.2.7", "set it to the address that clients reach"),
        ("BASE_URL", "https://[2001:db8::7]", "set it to the address that clients reach"),
        ("BASE_URL", "https://my_host.example", "set it to the address that clients reach"),
        ("BASE_URL", "https://db.internal", "set it to the address that clients reach"),
        ("SERVICE_SLUG", "m", "SERVICE_SLUG is 'm'"),
        ("SERVICE_SLUG", "마당", "SERVICE_SLUG is '마당'"),
        ("SERVICE_NAME", "M" * 101, "SERVICE_NAME is longer than 100"),
        ("REHEARSAL", True, "invented"),
    ],
)
def test_what_no_registry_would_list_is_refused_with_the_setting_to_change(
    settings: Settings, tmp_path: Path, name: str, value: Any, told: str
) -> None:
    setattr(settings, name, value)
    file = tmp_path / "server.json"
    with pytest.raises(CommandError, match=told) as failure:
        made("--output", str(file))
    assert failure.value.returncode == 2
    assert not file.exists()


@pytest.mark.parametrize("host", ["madang.example:8443", "xn--989a.kr", "a.b.c.example"])
def test_other_public_addresses_are_taken(settings: Settings, host: str) -> None:
    settings.BASE_URL = f"https://{host}"
    file = json.loads(made())
    Draft202012Validator(FORM).validate(file)
    assert file["remotes"][0]["url"] == f"https://{host}/api/mcp"
