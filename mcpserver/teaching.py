"""What a caller got wrong, said by its cause, so that the next call is right: argument, problem, expected form, example
and the next call itself.
"""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from jsonschema.exceptions import ValidationError

from mcpserver.next_calls import Call, closest, first_fault, same_call, sure_call
from mcpserver.protocol import echo
from mcpserver.tool import Tool

_WANTED = {
    "integer": "a whole number",
    "number": "a number",
    "string": "a string",
    "array": "a list of strings",
    "boolean": "true or false",
}


class Lesson(Exception):  # noqa: N818  not an error of ours: what the caller is told
    """Why a call cannot be answered. ``outcome`` is the word for the log: invalid, or unknown for an id.

    The next call is the same with ``changes`` made to its arguments (None: left out), else ``call``; both where this
    tool may lack what changes. Without either it is the same without ``argument``. ``wait`` says instead what has to
    happen before any call helps.
    """

    def __init__(
        self,
        argument: str,
        problem: str,
        *,
        expected: str = "",
        changes: Mapping[str, Any] | None = None,
        call: Call | None = None,
        wait: str = "",
        outcome: str = "invalid",
    ):
        super().__init__(problem)
        self.argument, self.problem, self.expected, self.wait = argument, problem, expected, wait
        self.changes = {argument: None} if changes is None and call is None else changes
        self.call = call
        self.outcome = outcome

    def text(self, tool: Tool, arguments: Mapping[str, Any]) -> str:
        """The whole lesson for who called the tool with these arguments; examples come from the tool's own."""
        example = (
            {self.argument: tool.example[self.argument]} if self.argument in tool.example else tool.example
        )
        said = [
            f'Argument "{self.argument}": {self.problem}',
            f"Expected: {self.expected}" if self.expected else "",
            f"Example: {orjson.dumps(example).decode()}.",
            self.wait or f"Next: {self._next(tool, arguments)}",
        ]
        return " ".join(part for part in said if part)

    def _next(self, tool: Tool, arguments: Mapping[str, Any]) -> Call:
        has = tool.input_schema["properties"]
        changes, again = self.changes, None
        if changes is not None and all(name in has for name, value in changes.items() if value is not None):
            again = same_call(tool, arguments, changes)
        return again or self.call or sure_call(tool)


def lesson_of(tool: Tool, arguments: Mapping[str, Any]) -> Lesson | None:
    """What is wrong with the arguments' shape; None when they fit the tool's schema."""
    fault = first_fault(tool, arguments)
    return _lesson(fault, tool, arguments) if fault is not None else None


def _lesson(fault: ValidationError, tool: Tool, arguments: Mapping[str, Any]) -> Lesson:
    properties: dict[str, Any] = tool.input_schema["properties"]
    if fault.validator == "additionalProperties":
        return _no_such_argument(
            next(name for name in arguments if name not in properties), arguments, properties
        )
    if fault.validator == "required":
        missing = next(name for name in tool.input_schema["required"] if name not in arguments)
        return Lesson(missing, "it is required and missing.", expected=form_of(properties[missing]))
    argument, *places = map(str, fault.absolute_path)
    problem = f"value {int(places[0]) + 1} of the list: {_problem(fault)}" if places else _problem(fault)
    # No changes: what does not fit is put right where it is plain what was meant, and left out otherwise.
    return Lesson(argument, problem, expected=form_of(properties[argument]), changes={})


def _no_such_argument(unknown: str, arguments: Mapping[str, Any], properties: Mapping[str, Any]) -> Lesson:
    near = difflib.get_close_matches(unknown[:60], properties, n=1)
    hint = f' Did you mean "{near[0]}"?' if near else ""
    return Lesson(
        echo(unknown),
        f"this tool has no such argument.{hint}",
        expected=f"one of {', '.join(properties)}." if properties else "no argument.",
        changes={near[0]: arguments.get(near[0], arguments[unknown])} if near else {},
    )


def _problem(fault: ValidationError) -> str:
    """The fault by its cause: of another type, too large, too small, too long, too short, or not in the list."""
    value: Any = fault.instance
    bound: Any = fault.validator_value
    match fault.validator:
        case "type":
            return f"it is {_told(value)}; {_WANTED[bound]} is wanted."
        case "maximum":
            return f"{_told(value)} is too large: the largest is {bound}."
        case "minimum":
            return f"{_told(value)} is too small: the least is {bound}."
        case "maxLength":
            return f"it is too long: {len(value)} characters, and at most {bound} are taken."
        case "minLength":
            return (
                "it is empty." if not value else f"it is too short: at least {bound} characters are wanted."
            )
        case "maxItems":
            return f"the list is too long: {len(value)} values, and at most {bound} are taken."
        case "minItems":
            return "the list is empty."
        case "enum":
            near = closest(value, bound)
            return f'"{echo(value)}" is not in the list.' + (f' Did you mean "{near}"?' if near else "")
    return f'"{echo(value)}" does not fit.'


def _told(value: Any) -> str:
    """A value of JSON with its type, as the one that sent it would call it."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return f'the string "{echo(value)}"' if isinstance(value, str) else f"the number {echo(value)}"


def form_of(schema: Mapping[str, Any]) -> str:
    """A property's schema in words."""
    kind = schema.get("type")
    if "enum" in schema:
        return f"one of {_listed(schema['enum'])}."
    if kind == "array":
        values = schema["items"]["enum"]
        return f'a list of {_listed(values)}, such as ["{values[0]}"].'
    if kind in ("integer", "number"):
        return f"{_WANTED[kind]} from {schema['minimum']} to {schema['maximum']}."
    if kind == "boolean":
        return "true or false."
    return f"{schema['description']} As a string of 1 to {schema['maxLength']} characters."


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(f'"{value}"' for value in values)
