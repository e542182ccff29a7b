"""Whether the records hold anything near a question that quoting refuses, so that a model is worth asking.

A model may find in several sentences, or in other words, what no sentence says by itself. It is asked neither for
advice and forecasts, nor for a current figure that is not stored, nor where nothing found speaks of what is asked.
"""

from collections.abc import Sequence

from ask.coverage import held, share
from ask.evidence import Evidence
from ask.questions import AskedQuestion, QuestionKind

TOP = 3  # passages, the best of those found
# Of the question's words, in one of these: a word alone is held by passages on anything.
WORDS_MIN = 2
SHARE_MIN = 1 / 3  # of what they tell


def is_near(question: AskedQuestion, evidence: Sequence[Evidence]) -> bool:
    """Whether a unit that the question names has something recorded, or a passage speaks of what is asked."""
    if question.kind in (QuestionKind.ADVICE, QuestionKind.NOW):
        return False
    recorded = [one for one in evidence if not one.is_figure]
    if any(one.hit.unit is not None and one.hit.unit.public_id in question.named for one in recorded):
        return True
    return any(_speaks_of(f"{one.hit.title}\n{one.hit.text}", question) for one in recorded[:TOP])


def _speaks_of(text: str, question: AskedQuestion) -> bool:
    found = held(question.words, text)
    return sum(map(bool, found)) >= WORDS_MIN and share(found, question.words) >= SHARE_MIN
