"""Arguments that a schema cannot judge: days, cursors, and ids that must lead somewhere."""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from http import HTTPStatus
from typing import Any, TypeVar

from django.utils import timezone

from knowledge.models import Unit
from knowledge.queries.cursors import CursorError, Page
from knowledge.queries.names import Located, candidates, locate
from mcpserver.protocol import echo
from mcpserver.teaching import Lesson

Read = TypeVar("Read", bound=Page[Any])

DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
# So far ahead or back nothing is recorded, and counting days from there would leave the calendar.
YEARS = range(1900, 2200)
TIME_FORM = "a day YYYY-MM-DD or an RFC 3339 time with its offset."
# Which tool shows what a unit of each kind has to say.
TOOL_OF_KIND = {"entity": "get_entity", "topic": "get_topic", "event": "get_event"}


def moment_of(arguments: Mapping[str, Any], name: str) -> datetime | None:
    """The beginning of what ``since`` or ``until`` names; for ``until`` a day is over at its end."""
    written = arguments.get(name)
    if written is None:
        return None
    try:
        if DAY.fullmatch(written):
            day = date.fromisoformat(written) + timedelta(days=name == "until")
            moment = datetime.combine(day, time.min, timezone.get_default_timezone())
        else:
            moment = datetime.fromisoformat(written)
    except (ValueError, OverflowError):
        raise Lesson(name, f'"{echo(written)}" is no day of the calendar.', expected=TIME_FORM) from None
    if moment.tzinfo is None or moment.year not in YEARS:
        raise Lesson(name, f'"{echo(written)}" has no offset or is out of range.', expected=TIME_FORM)
    return moment


def paged(read: Callable[[], Read]) -> Read:
    """What ``read`` gives; a cursor that is not this list's is taught."""
    try:
        return read()
    except CursorError:
        raise Lesson(
            "cursor",
            "it is not the next_cursor of this list with these arguments.",
            expected="the next_cursor of the page before, with all other arguments unchanged.",
            step="leave cursor out to begin at the first page.",
        ) from None


def unit_of(arguments: Mapping[str, Any], name: str, kind: str = "") -> Located:
    """The public unit that an argument names, of ``kind`` where that is given. Raises Lesson."""
    written = str(arguments[name])
    located = locate(written)
    if located.status is HTTPStatus.GONE:
        raise Lesson(
            name,
            f'"{echo(written)}" was withdrawn and will not come back.',
            step="use another id; resolve_entity or search finds current ones.",
            outcome="gone",
        )
    if located.several:
        raise Lesson(
            name,
            f'"{echo(written)}" is the name of several records.',
            expected=f"one of {_ids(located.several)}.",
            step="repeat the call with one of these ids.",
            outcome="ambiguous",
        )
    if located.unit is None:
        raise unknown(name, written)
    if kind and located.unit.kind != kind:
        raise _other_kind(name, located.unit, kind)
    return located


def optional_unit(arguments: Mapping[str, Any], name: str, kind: str = "") -> Unit | None:
    return unit_of(arguments, name, kind).unit if name in arguments else None


def unknown(name: str, written: str) -> Lesson:
    """Nothing has this id or name; what comes closest is named."""
    near = [one.unit for one in candidates(written.partition(":")[2] or written, limit=3)]
    close = f" Closest: {_ids(near)}." if near else ""
    return Lesson(
        name,
        f'there is no public record "{echo(written)}".{close}',
        expected="an id such as asset:btc, the URL of a page here, or an exact name.",
        step="find the id with resolve_entity (names) or search (words).",
        outcome="unknown",
    )


def _other_kind(name: str, unit: Unit, kind: str) -> Lesson:
    found = unit.kind
    return Lesson(
        name,
        f"{unit.public_id} is of kind {found}, not {kind}.",
        expected=f"the id of a record of kind {kind}.",
        step=f'for this record call {TOOL_OF_KIND[found]} with {{"id": "{unit.public_id}"}}.',
        outcome="unknown",
    )


def _ids(units: Any) -> str:
    return ", ".join(f"{unit.public_id} ({echo(unit.label)})" for unit in list(units)[:5])
