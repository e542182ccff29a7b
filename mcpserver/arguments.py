"""Arguments that a schema cannot judge: days, cursors, and ids that must lead somewhere."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from http import HTTPStatus
from typing import Any, TypeVar

from django.utils import timezone

from knowledge.models import Unit
from knowledge.queries.cursors import CursorError, Page
from knowledge.queries.names import Located, locate, nearest_units
from mcpserver.next_calls import Call, search_for
from mcpserver.protocol import echo
from mcpserver.teaching import Lesson

Read = TypeVar("Read", bound=Page[Any])

DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
NEARLY_A_DAY = re.compile(r"([0-9]{4})[-./ ]?([0-9]{1,2})(?:[-./ ]?([0-9]{1,2}))?\.?", re.ASCII)
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
        raise no_day(name, written, expected=TIME_FORM) from None
    if moment.tzinfo is None:
        in_seoul = {name: moment.replace(tzinfo=timezone.get_default_timezone()).isoformat()}
        raise Lesson(
            name,
            f'"{echo(written)}" has no offset, such as +09:00.',
            expected=TIME_FORM,
            changes=in_seoul if moment.year in YEARS else None,
        )
    if moment.year not in YEARS:
        raise Lesson(
            name,
            f'"{echo(written)}" is out of range: years are {YEARS.start} to {YEARS.stop - 1}.',
            expected=TIME_FORM,
        )
    return moment


def no_day(name: str, written: str, *, expected: str) -> Lesson:
    """``written`` is no day of the calendar; where it nearly is one, the next call has that."""
    return Lesson(
        name,
        f'"{echo(written)}" is no day of the calendar.',
        expected=expected,
        changes={name: nearest_day(written)},
    )


def nearest_day(written: str) -> str | None:
    """The day that was meant by 2026/1/2, 20260102, 2026-01 or 2026-02-30; None for what is none of these."""
    found = NEARLY_A_DAY.fullmatch(written.strip())
    if found is None:
        return None
    year, month, day = (int(part or 1) for part in found.groups())
    if year not in YEARS or not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    return date(year, month, min(day, monthrange(year, month)[1])).isoformat()


def span_of(arguments: Mapping[str, Any]) -> tuple[datetime | None, datetime | None]:
    """What ``since`` and ``until`` bound. Raises Lesson where nothing can lie between them."""
    since, until = moment_of(arguments, "since"), moment_of(arguments, "until")
    if since is not None and until is not None and since >= until:
        raise contradiction("since", "until", arguments)
    return since, until


def contradiction(first: str, last: str, arguments: Mapping[str, Any]) -> Lesson:
    """Nothing lies between two bounds; the next call has them the other way round."""
    begins, ends = arguments[first], arguments[last]
    return Lesson(
        first,
        f'"{echo(begins)}" is not before {last} "{echo(ends)}": nothing lies between them.',
        expected=f"a time before {last}.",
        changes={first: None, last: None} if begins == ends else {first: ends, last: begins},
    )


def paged(read: Callable[[], Read]) -> Read:
    """What ``read`` gives; a cursor that is not this list's is taught."""
    try:
        return read()
    except CursorError:
        raise Lesson(
            "cursor",
            "it is not the next_cursor of this list with these arguments.",
            expected="the next_cursor of the page before with the same arguments; leave cursor out to begin anew.",
        ) from None


def unit_of(arguments: Mapping[str, Any], name: str, kind: str = "") -> Located:
    """The public unit that an argument names, of ``kind`` (or prefix) where that is given. Raises Lesson."""
    written = str(arguments[name])
    located = locate(written)
    if located.status is HTTPStatus.GONE:
        raise _withdrawn(name, written)
    if located.several:
        raise _several(name, written, kind, located.several)
    if located.unit is None:
        raise unknown(name, written, kind)
    if not _is_of(located.unit, kind):
        raise _other_kind(name, located.unit, kind)
    return located


def optional_unit(arguments: Mapping[str, Any], name: str, kind: str = "") -> Unit | None:
    return unit_of(arguments, name, kind).unit if name in arguments else None


def _is_of(unit: Unit, kind: str) -> bool:
    return kind in ("", unit.kind, unit.url_prefix)


def _withdrawn(name: str, written: str) -> Lesson:
    return Lesson(
        name,
        f'"{echo(written)}" was withdrawn and will not come back.',
        expected="the id of a record that is public.",
        call=search_for(written.partition(":")[2].replace("-", " ") or written),
        outcome="gone",
    )


def _several(name: str, written: str, kind: str, units: Sequence[Unit]) -> Lesson:
    fitting = [unit for unit in units if _is_of(unit, kind)] or units
    return Lesson(
        name,
        f'"{echo(written)}" is the name of several records.',
        expected=f"one of {_ids(fitting)}.",
        **_leading_to(fitting[0], name, kind),
        outcome="ambiguous",
    )


def unknown(name: str, written: str, kind: str = "") -> Lesson:
    """Nothing has this id or name; what comes closest is named, of the right kind before others."""
    near = sorted(nearest_units(written), key=lambda unit: not _is_of(unit, kind))
    close = f" Closest: {_ids(near)}." if near else ""
    return Lesson(
        name,
        f'there is no public record "{echo(written)}".{close}',
        expected="an id such as asset:btc, the URL of a page here, or an exact name.",
        **(_leading_to(near[0], name, kind) if near else {"call": search_for(written)}),
        outcome="unknown",
    )


def _other_kind(name: str, unit: Unit, kind: str) -> Lesson:
    return Lesson(
        name,
        f"{unit.public_id} ({echo(unit.label)}) is {_told_kind(unit.type)}, not {_told_kind(kind)}.",
        expected=f"the id, page URL or exact name of {_told_kind(kind)}.",
        **_leading_to(unit, name, kind),
        outcome="unknown",
    )


def _leading_to(unit: Unit, name: str, kind: str) -> dict[str, Any]:
    """How the next call gets to a unit: by this argument, by the one for units of its kind, or by the tool that shows
    it."""
    if _is_of(unit, kind):
        return {"changes": {name: unit.public_id}}
    shown = Call(TOOL_OF_KIND[unit.kind], {"id": unit.public_id})
    return {"changes": {name: None, f"{unit.kind}_id": unit.public_id}, "call": shown}


def _told_kind(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _ids(units: Iterable[Unit]) -> str:
    return ", ".join(f"{unit.public_id} ({echo(unit.label)})" for unit in list(units)[:5])
