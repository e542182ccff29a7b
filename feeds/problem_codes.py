"""Every ``code`` an error body can carry, for the docs page to which each body's ``type`` links."""

from collections.abc import Iterator
from dataclasses import dataclass

from knowledge.errors import Refusal

# What is said when nobody gave words of their own; ``config.errors`` writes them, a test holds the two together.
GENERIC = {
    "bad_request": (400, "읽을 수 없는 요청입니다.", "The request could not be read."),
    "forbidden": (403, "이 출처에서는 허용되지 않습니다.", "Not allowed from where it came."),
    "not_found": (404, "주소나 기록이 없습니다.", "No such address or record."),
    "method_not_allowed": (405, "지원하지 않는 메서드입니다. Allow 헤더를 보세요.", "See the Allow header."),
    "not_acceptable": (406, "application/json으로만 답합니다.", "application/json only."),
    "payload_too_large": (413, "본문이 너무 큽니다.", "The body is too large."),
    "uri_too_long": (414, "주소가 너무 깁니다.", "The address is too long."),
    "expectation_failed": (417, "Expect 헤더를 빼고 보내세요.", "Leave the Expect header out."),
    "headers_too_large": (431, "헤더가 너무 큽니다.", "Send fewer or shorter headers."),
    "not_implemented": (
        501,
        "지원하지 않는 전송 인코딩입니다.",
        "Send the body with a Content-Length, or chunked.",
    ),
    "unsupported_media_type": (415, "본문을 application/json으로 보내세요.", "Send application/json."),
    "rate_limited": (429, "한도를 넘었습니다. Retry-After를 기다리세요.", "Wait for Retry-After."),
    "internal_error": (500, "서버 오류입니다.", "A defect of the service."),
    "unavailable": (
        503,
        "저장소에 연결할 수 없습니다. 잠시 뒤에 다시 시도하세요.",
        "The store is out of reach; try again.",
    ),
}

# What a refusal that words itself anew each time says in general; in English its docstring says so.
IN_GENERAL = {
    "invalid_parameter": "쿼리 매개변수의 값을 쓸 수 없습니다.",
    "question_too_long": "질문이 허용된 글자 수보다 깁니다.",
    "no_such_bulk_file": "그날의 목록에 그런 파일이 없습니다.",
    "no_such_day": "날짜 형식은 맞지만 그날의 파일이나 버전이 없습니다.",
    "no_such_revision": "그날의 파일은 있지만 그 버전은 없습니다.",
    "no_such_series": "이 slug의 공개된 숫자가 없습니다.",
    "no_such_unit": "이 id의 공개된 항목이 없습니다.",
    "cursor_expired": "이 `since` 다음의 변경은 더 보관하지 않습니다. 벌크 파일부터 다시 시작하세요.",
    "range_not_satisfiable": "범위가 파일의 끝보다 뒤에서 시작합니다.",
    "rate_limited": "이 주소에서 한 구간에 만들 수 있는 답변을 모두 만들었습니다.",
    "day_unreadable": "목록에 있는 날이지만 봉인된 파일을 저장소에서 읽을 수 없습니다.",
}


@dataclass(frozen=True, slots=True)
class ProblemCode:
    """One code with its status and the fix in both languages."""

    code: str
    status: int
    korean: str
    english: str


def all_codes() -> list[ProblemCode]:
    """The generic codes and those of every refusal any app defines, by status and name."""
    codes = {code: ProblemCode(code, *rest) for code, rest in GENERIC.items()}
    for refusal in _refusals(Refusal):
        codes[refusal.default_code] = _own(refusal)
    return sorted(codes.values(), key=lambda each: (each.status, each.code))


def _own(refusal: type[Refusal]) -> ProblemCode:
    """A refusal that words itself anew each time is told by its docstring, which begins with its status."""
    code, status = refusal.default_code, refusal.status_code
    if refusal.english is not Refusal.english:
        return ProblemCode(code, status, refusal.korean, refusal.english)
    english = (refusal.__doc__ or "").partition(": ")[2].strip()
    return ProblemCode(code, status, IN_GENERAL[code], english[:1].upper() + english[1:])


def _refusals(kind: type[Refusal]) -> Iterator[type[Refusal]]:
    for child in kind.__subclasses__():
        yield child
        yield from _refusals(child)
