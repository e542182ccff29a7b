"""What a query string asks for; each function raises InvalidParameter (400) rather than guess what was meant."""

import re

from django.http import QueryDict

from knowledge.errors import InvalidParameter
from knowledge.models import WINDOW_HOURS_MAX, PassageKind

QUERY_MAX_LENGTH = 200
LIMIT_DEFAULT, LIMIT_MAX = 10, 50
WINDOW_HOURS_DEFAULT = 72
WHOLE_NUMBER = re.compile(r"[0-9]{1,3}", re.ASCII)


def query_of(parameters: QueryDict) -> str:
    query = " ".join(parameters.get("q", "").replace("\x00", " ").split())
    if not any(map(str.isalnum, query)) or len(query) > QUERY_MAX_LENGTH:
        raise InvalidParameter(
            "q",
            f"q must hold a word to look for, at most {QUERY_MAX_LENGTH} characters, as in ?q=김치 프리미엄.",
            f"q에는 찾을 말이 있어야 하고 {QUERY_MAX_LENGTH}자를 넘을 수 없습니다. 예: ?q=김치 프리미엄",
        )
    return query


def kinds_of(parameters: QueryDict) -> list[str] | None:
    """The kinds asked for, from ``kind=`` once or several times or with commas; None for all."""
    wanted = [kind for value in parameters.getlist("kind") for kind in value.split(",") if kind]
    known = ", ".join(PassageKind.values)
    if any(kind not in PassageKind.values for kind in wanted):
        raise InvalidParameter(
            "kind", f"kind must be one of {known}.", f"kind는 다음 가운데 하나여야 합니다: {known}."
        )
    return wanted or None


def limit_of(parameters: QueryDict) -> int:
    limit = _whole_number(parameters, "limit", LIMIT_DEFAULT, LIMIT_MAX)
    if limit is None:
        raise InvalidParameter(
            "limit",
            f"limit must be a whole number, 1 to {LIMIT_MAX}.",
            f"limit는 1부터 {LIMIT_MAX}까지의 정수여야 합니다.",
        )
    return limit


def window_hours(parameters: QueryDict) -> int:
    hours = _whole_number(parameters, "hours", WINDOW_HOURS_DEFAULT, WINDOW_HOURS_MAX)
    if hours is None:
        raise InvalidParameter(
            "hours",
            f"hours must be one whole number, 1 to {WINDOW_HOURS_MAX}, as in ?hours={WINDOW_HOURS_DEFAULT}.",
            f"hours는 1부터 {WINDOW_HOURS_MAX}까지의 정수 하나여야 합니다. 예: ?hours={WINDOW_HOURS_DEFAULT}",
        )
    return hours


def _whole_number(parameters: QueryDict, name: str, default: int, most: int) -> int | None:
    """A number from 1 to ``most``, the default where none is given; None for anything else."""
    values = parameters.getlist(name, [str(default)])
    if len(values) != 1 or not WHOLE_NUMBER.fullmatch(values[0]):
        return None
    return int(values[0]) if 1 <= int(values[0]) <= most else None
