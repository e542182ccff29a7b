"""How good quoting is: fifty questions over the starter canon and an invented world, ten of them unanswerable.

Nugget recall is the share of facts asked for that stand in the answers; citation precision the share of cited pages
that speak of what was asked; a refusal is right when an unanswerable question gets ``none``.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from ask import answering
from ask.answering import Reply
from ask.models import Mode
from tests.ask.quality_world import NOW, build_world, questions

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

Asked = list[tuple[dict[str, Any], Reply]]


@pytest.fixture
def asked() -> Asked:
    build_world()
    return [(case, answering.ask(case["question"], now=NOW)) for case in questions()]


def share(outcomes: Iterator[tuple[bool, str]]) -> tuple[float, list[str]]:
    """The share of right outcomes, and what each wrong one was about."""
    judged = list(outcomes)
    return sum(right for right, _ in judged) / len(judged), [what for right, what in judged if not right]


def nuggets(asked: Asked) -> Iterator[tuple[bool, str]]:
    for case, reply in asked:
        for nugget in case["nuggets"]:
            yield re.search(nugget, reply.version.body) is not None, case["question"]


def cited_pages(asked: Asked) -> Iterator[tuple[bool, str]]:
    for case, reply in asked:
        if case["nuggets"]:
            for citation in reply.version.citations:
                yield citation["url"] in case["pages"], f"{case['question']} {citation['url']}"


def refusals(asked: Asked) -> Iterator[tuple[bool, str]]:
    for case, reply in asked:
        if not case["nuggets"]:
            yield reply.version.mode == Mode.NONE, case["question"]


def test_quoting_finds_the_facts_cites_the_right_pages_and_refuses_what_it_cannot_answer(
    asked: Asked,
) -> None:
    assert len(asked) == 50
    recall, missed = share(nuggets(asked))
    precision, astray = share(cited_pages(asked))
    refused, answered = share(refusals(asked))
    print(f"nugget recall {recall:.2f}, citation precision {precision:.2f}, refusals {refused:.2f}")
    assert recall >= 0.7, missed
    assert precision >= 0.9, astray
    assert refused >= 0.9, answered
