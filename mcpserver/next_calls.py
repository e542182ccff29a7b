"""The call that a lesson names as the next: the caller's own put right, or one that has a result whatever is stored.

It stands at the end of the text in one form: ``Next: call <tool> with {arguments as JSON}``.
"""

import difflib
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

import orjson
from jsonschema.exceptions import ValidationError

from mcpserver.identity import ask_tool_name
from mcpserver.protocol import printable
from mcpserver.tool import Tool

# Arguments that are words to look for: they may be shortened, and any will do as an example.
WORDS = frozenset({"query", "question", "name"})
EXAMPLE_NAME = "비트코인"


class Call(NamedTuple):
    tool: str
    arguments: Mapping[str, Any]

    def __str__(self) -> str:
        return f"call {self.tool} with {orjson.dumps(dict(self.arguments)).decode()}"


def first_fault(tool: Tool, arguments: Mapping[str, Any]) -> ValidationError | None:
    """What the schema says first against the arguments: a long list may hold as many faults as it has values."""
    return next(tool.validator.iter_errors(arguments), None)


def same_call(tool: Tool, arguments: Mapping[str, Any], changes: Mapping[str, Any]) -> Call | None:
    """The caller's call with these arguments changed, or left out where they are None, and whatever else is wrong in it
    put right. Without ``cursor``, which goes with unchanged arguments. None where a required argument would be missing,
    or all of those of which one is needed.
    """
    properties: dict[str, Any] = tool.input_schema["properties"]
    wanted = {**arguments, **changes, "cursor": None}
    found = {
        name: _printable(value) for name, value in wanted.items() if name in properties and value is not None
    }
    while (fault := first_fault(tool, found)) is not None:
        if fault.validator == "required":
            return None
        name = str(fault.absolute_path[0])
        value = _put_right(name, found.pop(name), properties[name])
        if value is not None and not list(tool.validator.evolve(schema=properties[name]).iter_errors(value)):
            found[name] = value
    return None if tool.needs and tool.needs.isdisjoint(found) else Call(tool.name, found)


def sure_call(tool: Tool) -> Call:
    """A call near to what this tool is for, which has a result whatever is stored: for who has no id yet."""
    if tool.name == ask_tool_name():  # which may be refused by a limit
        return Call("search_answers", {"query": tool.example["question"]})
    if tool.name in _SURE:
        return _SURE[tool.name]
    required: Sequence[str] = tool.input_schema.get("required", ())
    return Call(tool.name, {name: tool.example[name] for name in required})


_SURE = {
    "search": Call("search", {"query": EXAMPLE_NAME}),
    "fetch": Call("search", {"query": EXAMPLE_NAME}),
    "get_entity": Call("resolve_entity", {"name": EXAMPLE_NAME}),
    "get_topic": Call("list_topics", {}),
    "get_event": Call("list_events", {}),
}


def search_for(written: str) -> Call:
    """A search for what was taken for an id or a name."""
    words = printable(written)[:60].strip()
    return Call("search", {"query": words if any(map(str.isalnum, words)) else EXAMPLE_NAME})


def _printable(value: Any) -> Any:
    if isinstance(value, list):
        return [_printable(one) for one in value[:100]]
    return printable(value) if isinstance(value, str) and not value.isprintable() else value


def _put_right(name: str, value: Any, schema: Mapping[str, Any]) -> Any:
    """What a value that does not fit was probably meant to be; None where that is not plain."""
    kind = schema["type"]
    if kind == "array":
        return _choices(value, schema["items"]["enum"])
    if "enum" in schema:
        return closest(value, schema["enum"])
    if kind in ("integer", "number"):
        return _number(value, schema)
    if name not in WORDS or isinstance(value, bool):
        return None
    words = str(value) if isinstance(value, int | float) else value
    return words[: schema["maxLength"]] if isinstance(words, str) else None


def _number(value: Any, schema: Mapping[str, Any]) -> int | float | None:
    try:
        number = float(value) if not isinstance(value, bool) else None
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None and isinstance(value, int) and not isinstance(value, bool):
        number = schema["maximum"] if value > 0 else schema["minimum"]  # of more digits than a float has
    if number is None or not isfinite(number):
        return None
    bounded: float = min(max(number, schema["minimum"]), schema["maximum"])
    return round(bounded) if schema["type"] == "integer" else bounded


def _choices(value: Any, known: Sequence[str]) -> list[str] | None:
    written = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    meant = (closest(one, known) for one in written[:100])
    return list(dict.fromkeys(one for one in meant if one is not None)) or None


def closest(value: Any, known: Sequence[str]) -> str | None:
    """The one of a few words that this is meant for."""
    if not isinstance(value, str):
        return None
    near = difflib.get_close_matches(value[:60].strip().lower(), known, n=1)
    return near[0] if near else None
