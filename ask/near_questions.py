"""Which other questions a reader of an answer may be led to: starter questions near it.

What visitors asked is suggested to nobody: no editor has read it.
"""

from collections.abc import Collection

from ask import seed_search
from ask.evidence import units_of
from ask.models import Answer, AnswerVersion
from ask.related import SHOWN, RelatedRecord, starting


def questions_near(version: AnswerVersion, besides: Collection[RelatedRecord]) -> list[Answer]:
    """At most three answered starter questions in the language of the answer, which ``besides`` does not lead to: those
    that share most of its units, then those whose words are nearest. One query."""
    led_to = {one["url"] for one in besides}
    same = Answer.objects.filter(lang=version.answer.lang).exclude(pk=version.answer_id)
    rows = starting(same).select_related("current").order_by("pk")
    others = [answer for answer in rows if answer.get_absolute_url() not in led_to]
    words = seed_search.scores(version.answer.question, others)
    cited, near = set(units_of(version.cited_keys)), set(units_of(version.related_keys))

    def nearness(answer: Answer) -> tuple[int, float, int]:
        theirs = set(units_of(answer.current.cited_keys)) if answer.current else set()
        return len(theirs & cited), words.get(answer.pk, 0.0), len(theirs & near)

    return sorted(others, key=nearness, reverse=True)[:SHOWN]
