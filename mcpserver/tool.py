"""How a tool is declared."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from django.http import HttpRequest
from jsonschema import Draft202012Validator

from knowledge.errors import Refusal
from mcpserver.schemas import listed_input, listed_output


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, and when; ``refusals`` are what the call met, whatever its result made of them."""

    request: HttpRequest = field(repr=False)
    now: datetime
    refusals: list[Refusal] = field(default_factory=list, repr=False)


Arguments = Mapping[str, Any]
Record = dict[str, Any]
Run = Callable[[Arguments, Caller], Record]


@dataclass(frozen=True)
class Tool:
    """A tool as it is listed and called.

    ``run`` gets canonical arguments that fit ``input_schema`` and gives a record that fits ``output_schema``.
    ``example`` is a complete set of arguments; errors quote from it. ``refuses`` says that a call may be refused with
    429 or 503 as a JSON-RPC error; every other tool answers with ``isError``. ``keeps``: results may be seconds old.
    ``needs`` are arguments of which a call has one at least, where there are any such.
    """

    name: str
    title: str
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    run: Run
    example: dict[str, Any]
    open_world: bool = False
    idempotent: bool = True
    refuses: bool = False
    keeps: bool = False
    needs: frozenset[str] = frozenset()

    def listing(self) -> Record:
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": listed_input(self.input_schema),
            "outputSchema": listed_output(self.output_schema),
            "annotations": {
                "readOnlyHint": True,
                "destructiveHint": False,
                "idempotentHint": self.idempotent,
                "openWorldHint": self.open_world,
            },
        }

    def canonical(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments that fit the schema in their one form: defaults filled in, 10.0 as the integer 10."""
        properties: dict[str, Any] = self.input_schema["properties"]
        defaults = {name: one["default"] for name, one in properties.items() if "default" in one}
        return {
            name: int(value) if properties[name]["type"] == "integer" else value
            for name, value in {**defaults, **arguments}.items()
        }

    @cached_property
    def validator(self) -> Draft202012Validator:
        return Draft202012Validator(self.input_schema)
