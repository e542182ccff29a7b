"""What a caller got wrong, said so that the next call is right: argument, expected form, example, next step."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from jsonschema.exceptions import ValidationError

from mcpserver.protocol import echo
from mcpserver.tool import Tool


class Lesson(Exception):  # noqa: N818  not an error of ours: what the caller is told
    """Why a call cannot be answered. ``outcome`` is the word for the log: invalid, or unknown for an id."""

    def __init__(
        self, argument: str, problem: str, *, expected: str = "", step: str = "", outcome: str = "invalid"
    ):
        super().__init__(problem)
        self.argument, self.problem, self.expected, self.step = argument, problem, expected, step
        self.outcome = outcome

    def text(self, tool: Tool) -> str:
        """The whole lesson; examples come from the tool's own."""
        example = (
            {self.argument: tool.example[self.argument]} if self.argument in tool.example else tool.example
        )
        said = [
            f'Argument "{self.argument}": {self.problem}',
            f"Expected: {self.expected}" if self.expected else "",
            f"Example: {orjson.dumps(example).decode()}.",
            f"Next: {self.step or f'correct it and call {tool.name} again.'}",
        ]
        return " ".join(part for part in said if part)


def lesson_of(tool: Tool, arguments: Mapping[str, Any]) -> Lesson | None:
    """What is wrong with the arguments' shape; None when they fit the tool's schema."""
    # The first fault only: a long list may hold as many as it has values.
    fault = next(tool.validator.iter_errors(arguments), None)
    return _lesson(fault, tool, arguments) if fault is not None else None


def _lesson(fault: ValidationError, tool: Tool, arguments: Mapping[str, Any]) -> Lesson:
    properties: dict[str, Any] = tool.input_schema["properties"]
    if fault.validator == "additionalProperties":
        unknown = next(name for name in arguments if name not in properties)
        near = difflib.get_close_matches(unknown, properties, n=1)
        hint = f' Did you mean "{near[0]}"?' if near else ""
        return Lesson(
            echo(unknown),
            f"this tool has no such argument.{hint}",
            expected=f"one of {', '.join(properties)}.",
        )
    if fault.validator == "required":
        missing = next(name for name in tool.input_schema["required"] if name not in arguments)
        return Lesson(missing, "it is required and missing.", expected=form_of(properties[missing]))
    argument = str(fault.absolute_path[0])
    return Lesson(argument, f'"{echo(fault.instance)}" does not fit.', expected=form_of(properties[argument]))


def form_of(schema: Mapping[str, Any]) -> str:
    """A property's schema in words."""
    kind = schema.get("type")
    if "enum" in schema:
        return f"one of {_listed(schema['enum'])}."
    if kind == "array":
        return (
            f'a list of {_listed(schema["items"].get("enum", ()))}, such as ["{schema["items"]["enum"][0]}"].'
        )
    if kind in ("integer", "number"):
        whole = "a whole number" if kind == "integer" else "a number"
        return f"{whole} from {schema['minimum']} to {schema['maximum']}."
    return f"{schema['description']} As a string of 1 to {schema['maxLength']} characters."


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(f'"{value}"' for value in values)
