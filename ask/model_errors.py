"""How the model half of asking is refused. ``config.errors`` renders these as problems."""

from rest_framework import status

from ask.errors import FREE_ENGLISH, FREE_KOREAN
from knowledge.errors import Refusal


class ModelUnavailable(Refusal):
    """503: the language model gave no answer that can be used."""

    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_code = "model_unavailable"
    english = f"The language model gave no usable answer. Try again in a moment. {FREE_ENGLISH}"
    korean = f"언어 모델에서 쓸 수 있는 답을 받지 못했습니다. 잠시 뒤에 다시 시도하세요. {FREE_KOREAN}"

    def __init__(self, *, retry_after: int = 30) -> None:
        super().__init__(retry_after=retry_after)


class DailyBudgetExhausted(ModelUnavailable):
    """503: what may be spent today is spent or promised; it resets at midnight in Seoul."""

    default_code = "daily_budget_exhausted"
    english = (
        f"Today's budget for the language model is used up; it resets at 00:00 Asia/Seoul. {FREE_ENGLISH}"
    )
    korean = f"오늘 언어 모델에 쓸 수 있는 금액을 다 썼습니다. 한국 시간 0시에 다시 시작합니다. {FREE_KOREAN}"
