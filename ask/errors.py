"""How asking can be refused. ``config.errors`` renders these as problems."""

from __future__ import annotations

from rest_framework import status

from ask.models import QUESTION_MAX_LENGTH
from knowledge.errors import Gone, Refusal

BODY_MAX_BYTES = 4096


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
