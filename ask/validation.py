"""Which questions may be asked at all, and what is known of one before anything is looked up."""

from dataclasses import dataclass

from ask.errors import InvalidQuestion, QuestionTooLong
from ask.hashing import clean, question_hash
from ask.language import Language, language_of
from ask.models import QUESTION_MAX_LENGTH


@dataclass(frozen=True, slots=True)
class ValidQuestion:
    """A valid question."""

    question: str
    question_hash: str
    lang: Language


def validated(question: object) -> ValidQuestion:
    """The cleaned question with its hash and language. Raises InvalidQuestion or QuestionTooLong."""
    if not isinstance(question, str):
        raise InvalidQuestion
    cleaned = clean(question)
    if len(cleaned) > QUESTION_MAX_LENGTH:
        raise QuestionTooLong(len(cleaned))
    if not any(map(str.isalnum, cleaned)):
        raise InvalidQuestion
    return ValidQuestion(cleaned, question_hash(cleaned), language_of(cleaned))
