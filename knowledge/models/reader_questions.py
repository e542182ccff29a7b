"""The questions that the sentences of a summary answer, in words that readers use and the summary does not.

An editor writes one a line: ``세금 언제부터 걷어 → 2027년 1월 1일``. Behind the arrow stand words of the sentence that
answers; without an arrow the summary as a whole does.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db.models import CharField, Value
from django.utils.translation import gettext_lazy as _

from knowledge.invisible import one_line

READER_QUESTIONS_MAX = 200  # of a unit, in both languages
READER_QUESTION_MAX_LENGTH = 200  # characters of a line
ARROW = "→"
_HANGUL = re.compile("[가-힣]")


class ReaderQuestion(NamedTuple):
    """``asked``: what a reader asks; ``told_by``: words of the sentence that answers, empty where the whole does."""

    asked: str
    told_by: str = ""

    @property
    def is_korean(self) -> bool:
        return _HANGUL.search(self.asked) is not None

    def __str__(self) -> str:
        return f"{self.asked} {ARROW} {self.told_by}" if self.told_by else self.asked


def reader_questions_field(**options: Any) -> Any:
    """The column: a list of lines, empty where nobody has written one."""
    element = CharField(max_length=READER_QUESTION_MAX_LENGTH, blank=True)
    empty = Value([], output_field=ArrayField(CharField(max_length=READER_QUESTION_MAX_LENGTH)))
    return ArrayField(element, default=list, db_default=empty, blank=True, **options)


def read_question(line: str) -> ReaderQuestion:
    asked, _arrow, told_by = line.partition(ARROW)
    return ReaderQuestion(asked.strip(), told_by.strip())


def tidied_questions(lines: Iterable[str]) -> list[str]:
    """The lines as they are stored, each once, without those that ask nothing."""
    questions = map(read_question, map(one_line, lines))
    return list(dict.fromkeys(str(one) for one in questions if one.asked))


def unanswered(lines: Iterable[str], summary: str, summary_en: str) -> list[str]:
    """The lines whose answer does not stand in the summary of their language. They speak of the unit as a whole."""
    questions = map(read_question, lines)
    return [str(one) for one in questions if one.told_by not in (summary if one.is_korean else summary_en)]


def check_number(lines: Sequence[str]) -> None:
    """Raise ValidationError for more lines than a unit may have."""
    if len(lines) > READER_QUESTIONS_MAX:
        most = _("독자 질문은 %(most)d개까지입니다(지금 %(count)d개).")
        raise ValidationError(most % {"most": READER_QUESTIONS_MAX, "count": len(lines)})
