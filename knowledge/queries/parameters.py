"""What a query string asks for; each function raises InvalidParameter (400) rather than guess what was meant."""

import re
from collections.abc import Collection

from django.http import QueryDict

from knowledge.errors import InvalidParameter
from knowledge.models import SEARCH_KINDS, WINDOW_HOURS_MAX, UnitType
from knowledge.search.exact_names import NAME_MAX_LENGTH

QUERY_MAX_LENGTH = 200
LIMIT_DEFAULT, LIMIT_MAX = 10, 50
WINDOW_HOURS_DEFAULT = 72
CHANGES_DEFAULT, CHANGES_MAX = 100, 1_000
CANDIDATES_DEFAULT, CANDIDATES_MAX = 5, 20
SEQ_MAX = 2**63 - 1
SWITCHED = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}
WHOLE_NUMBER = re.compile(r"[0-9]{1,19}", re.ASCII)
_HOURS_REFUSED = (
    "hours",
    f"hours must be one whole number, 1 to {WINDOW_HOURS_MAX}, as in ?hours={WINDOW_HOURS_DEFAULT}.",
    f"hours는 1부터 {WINDOW_HOURS_MAX}까지의 정수 하나여야 합니다. 예: ?hours={WINDOW_HOURS_DEFAULT}",
)
_SINCE_REFUSED = (
    "since",
    "since must be one whole number: the seq of the last change that you have, or 0 for all that are kept.",
    "since는 정수 하나여야 합니다. 마지막으로 받은 변경의 seq이며, 0이면 보관된 변경을 모두 읽습니다.",
)


def switch_of(parameters: QueryDict, name: str) -> bool:
    """Whether something is asked for that is off unless told: one of SWITCHED, in any case."""
    values = parameters.getlist(name, ["off"])
    if len(values) != 1 or values[0].lower() not in SWITCHED:
        listed = ", ".join(SWITCHED)
        raise InvalidParameter(
            name, f"{name} must be one of {listed}.", f"{name} 값은 다음 가운데 하나여야 합니다: {listed}."
        )
    return SWITCHED[values[0].lower()]


def query_of(parameters: QueryDict) -> str:
    query = " ".join(parameters.get("q", "").replace("\x00", " ").split())
    if not any(map(str.isalnum, query)) or len(query) > QUERY_MAX_LENGTH:
        raise InvalidParameter(
            "q",
            f"q must hold a word to look for, at most {QUERY_MAX_LENGTH} characters, as in ?q=김치 프리미엄.",
            f"q에는 찾을 말이 있어야 하고 {QUERY_MAX_LENGTH}자를 넘을 수 없습니다. 예: ?q=김치 프리미엄",
        )
    return query


def name_of(parameters: QueryDict) -> str:
    """A name, ticker, alias, id or page address."""
    values = parameters.getlist("q")
    name = values[0].replace("\x00", " ").strip() if len(values) == 1 else ""
    if not any(map(str.isalnum, name)) or len(name) > NAME_MAX_LENGTH:
        raise InvalidParameter(
            "q",
            f"q must be one name, ticker, alias or id, at most {NAME_MAX_LENGTH} characters, as in ?q=비트코인.",
            f"q는 이름, 티커, 별칭, id 가운데 하나여야 하고 {NAME_MAX_LENGTH}자를 넘을 수 없습니다. 예: ?q=비트코인",
        )
    return name


def kinds_of(parameters: QueryDict) -> list[str] | None:
    """The SEARCH_KINDS asked for; None for all."""
    return _chosen(parameters, "kind", SEARCH_KINDS)


def types_of(parameters: QueryDict) -> list[str] | None:
    """The UnitType values asked for; None for all."""
    return _chosen(parameters, "type", UnitType.values)


def _chosen(parameters: QueryDict, name: str, known: Collection[str]) -> list[str] | None:
    """The values of a parameter, written once or several times or with commas; None without any."""
    wanted = [value for values in parameters.getlist(name) for value in values.split(",") if value]
    if any(value not in known for value in wanted):
        listed = ", ".join(known)
        raise InvalidParameter(
            name, f"{name} must be one of {listed}.", f"{name} 값은 다음 가운데 하나여야 합니다: {listed}."
        )
    return wanted or None


def limit_of(parameters: QueryDict) -> int:
    return _whole_number(parameters, LIMIT_DEFAULT, LIMIT_MAX, _limit_refused(LIMIT_MAX))


def candidates_limit(parameters: QueryDict) -> int:
    return _whole_number(parameters, CANDIDATES_DEFAULT, CANDIDATES_MAX, _limit_refused(CANDIDATES_MAX))


def changes_limit(parameters: QueryDict) -> int:
    return _whole_number(parameters, CHANGES_DEFAULT, CHANGES_MAX, _limit_refused(CHANGES_MAX))


def since_of(parameters: QueryDict) -> int:
    """The number of the last change that a reader has; 0, from the first, unless told."""
    return _whole_number(parameters, 0, SEQ_MAX, _SINCE_REFUSED, least=0)


def window_hours(parameters: QueryDict) -> int:
    return _whole_number(parameters, WINDOW_HOURS_DEFAULT, WINDOW_HOURS_MAX, _HOURS_REFUSED)


def _limit_refused(most: int) -> tuple[str, str, str]:
    return (
        "limit",
        f"limit must be a whole number, 1 to {most}.",
        f"limit는 1부터 {most}까지의 정수여야 합니다.",
    )


def _whole_number(
    parameters: QueryDict, default: int, most: int, refusal: tuple[str, str, str], *, least: int = 1
) -> int:
    """A number up to ``most``, once; ``refusal`` is the parameter's name and what is said of another value."""
    values = parameters.getlist(refusal[0], [str(default)])
    if len(values) != 1 or not WHOLE_NUMBER.fullmatch(values[0]) or not least <= int(values[0]) <= most:
        raise InvalidParameter(*refusal)
    return int(values[0])
