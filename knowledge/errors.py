"""Refusals that any surface can show. ``config.errors`` renders them as RFC 9457 problems."""

from typing import Any

from rest_framework import status
from rest_framework.exceptions import APIException


class Refusal(APIException):
    """A request that is not served, with the fix in English and Korean.

    ``default_code`` is the problem's ``code``; ``retry_after`` (seconds) becomes ``Retry-After`` and
    ``retryAfter``; ``errors`` lists the offending parameters. ``waits_for`` is a scope of
    ``knowledge.publications.hearing``: once it was told, the same request may be served.
    """

    status_code: int = status.HTTP_400_BAD_REQUEST
    default_code = "bad_request"
    english = "The request cannot be served as it is."
    korean = "이 요청은 그대로 처리할 수 없습니다."

    def __init__(
        self,
        english: str | None = None,
        korean: str | None = None,
        *,
        retry_after: int | None = None,
        errors: list[dict[str, Any]] | None = None,
    ) -> None:
        self.english = english or self.english
        self.korean = korean or self.korean
        self.retry_after = retry_after
        self.errors = errors or []
        self.waits_for: str | None = None
        super().__init__(detail=self.english, code=self.default_code)


class InvalidParameter(Refusal):
    """400: a query parameter has no acceptable value."""

    default_code = "invalid_parameter"

    def __init__(self, name: str, english: str, korean: str) -> None:
        super().__init__(english, korean, errors=[{"parameter": name, "detail": english}])


class Busy(Refusal):
    """503: more work at once than this process takes; the same request may succeed in a moment."""

    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_code = "busy"
    english = "The service is handling as many of these requests as it can. Try again in a moment."
    korean = "지금은 이런 요청을 더 받을 수 없습니다. 잠시 뒤에 다시 시도하세요."


class Gone(Refusal):
    """410: it was here and has been withdrawn for good."""

    status_code = status.HTTP_410_GONE
    default_code = "gone"
    english = "This record was withdrawn and will not come back."
    korean = "이 기록은 철회되었고 다시 공개되지 않습니다."
