"""How asking can be refused. ``config.errors`` renders these as problems."""

from django.conf import settings
from rest_framework import status

from ask.models import QUESTION_MAX_LENGTH
from knowledge.errors import Gone, Refusal
from knowledge.publications.hearing import answer_scope

BODY_MAX_BYTES = 4096

_WINDOWS = {"second": "1초에", "minute": "1분에", "hour": "1시간에", "day": "하루에"}
# Whoever is told to wait is told what does not wait.
FREE_ENGLISH = (
    "Answers that are stored already and GET /api/search are free and have no limit. "
    f"For bulk use write to {settings.CONTACT_EMAIL}."
)
FREE_KOREAN = (
    "이미 저장된 답변과 GET /api/search 는 무료이고 한도가 없습니다. "
    f"대량 이용은 {settings.CONTACT_EMAIL} 로 문의하세요."
)


class InvalidBody(Refusal):
    """400: the body is not a JSON object with a question in it."""

    default_code = "invalid_body"
    english = 'Send one JSON object in UTF-8 such as {"question": "What is the kimchi premium?"}.'
    korean = 'UTF-8로 쓴 JSON 객체 하나를 보내세요. 예: {"question": "김치 프리미엄이 뭐야?"}'


class InvalidQuestion(Refusal):
    """400: there is nothing to ask in the question."""

    default_code = "invalid_question"
    english = "Put a question with at least one letter or digit into the string field `question`."
    korean = "`question` 필드에 글자나 숫자가 하나라도 있는 질문을 문자열로 넣으세요."

    def __init__(self) -> None:
        super().__init__(errors=[{"field": "question", "detail": self.english}])


class QuestionTooLong(Refusal):
    """400: more characters than a question may have."""

    default_code = "question_too_long"

    def __init__(self, length: int) -> None:
        super().__init__(
            f"The question has {length} characters; shorten it to {QUESTION_MAX_LENGTH}.",
            f"질문이 {length}자입니다. {QUESTION_MAX_LENGTH}자 안으로 줄이세요.",
            errors=[{"field": "question", "detail": f"at most {QUESTION_MAX_LENGTH} characters"}],
        )


class BodyTooLarge(Refusal):
    """413: more bytes than a question can need."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "payload_too_large"
    english = f"The body may have at most {BODY_MAX_BYTES} bytes."
    korean = f"본문은 {BODY_MAX_BYTES}바이트를 넘을 수 없습니다."


class AnswerHidden(Gone):
    """410: the answer was taken down and is not made again."""

    default_code = "answer_hidden"
    english = "The answer to this question was taken down and is not made again. Ask another question."
    korean = "이 질문의 답변은 내려졌고 다시 만들지 않습니다. 다른 질문을 해 주세요."


class RateLimited(Refusal):
    """429: this address has caused as many answers as it may within a window."""

    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_code = "rate_limited"

    def __init__(self, quota: int, window: str, *, retry_after: int) -> None:
        super().__init__(
            f"New questions are limited to {quota} a {window} for an address; the next one is possible in "
            f"{retry_after} s. {FREE_ENGLISH}",
            f"한 주소에서 새 질문은 {_WINDOWS[window]} {quota}개까지입니다. {retry_after}초 뒤에 다시 물을 수 "
            f"있습니다. {FREE_KOREAN}",
            retry_after=retry_after,
        )


class LimitsUnavailable(Refusal):
    """503: the counters cannot be reached, and what cannot be counted is not made."""

    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_code = "limits_unavailable"
    english = (
        f"New questions cannot be counted at the moment, so none is taken. Try again soon. {FREE_ENGLISH}"
    )
    korean = f"지금은 새 질문을 셀 수 없어 받지 않습니다. 잠시 뒤에 다시 시도하세요. {FREE_KOREAN}"

    def __init__(self) -> None:
        super().__init__(retry_after=5)


class AnswerInProgress(Refusal):
    """503: somebody asked the same a moment ago, and the answer is not there yet.

    With ``question_hash`` the front door asks again once that answer is there; without, as for a request that was
    counted already, only the asker does.
    """

    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_code = "answer_in_progress"
    english = f"This question is being answered right now. Ask again in a few seconds. {FREE_ENGLISH}"
    korean = f"이 질문의 답변을 지금 만들고 있습니다. 몇 초 뒤에 다시 물어 주세요. {FREE_KOREAN}"

    def __init__(self, question_hash: str | None = None) -> None:
        super().__init__(retry_after=3)
        self.waits_for = answer_scope(question_hash) if question_hash is not None else None
