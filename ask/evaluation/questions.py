"""Labelled questions from a JSON Lines file."""

from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from ask import validation
from ask.errors import InvalidQuestion, QuestionTooLong
from ask.language import Language
from ask.validation import ValidQuestion
from knowledge.evaluation.files import MalformedFileError, Record, json_lines


@dataclass(frozen=True, slots=True)
class NuggetQuestion:
    """A question and what a good answer to it says.

    Each of ``nuggets`` is a fact in its possible wordings. ``sources`` are the public ids of the units that may be
    cited for it. One that is not ``answerable`` has to be refused.
    """

    id: str
    asked: ValidQuestion
    lang: Language
    kind: str
    nuggets: tuple[tuple[str, ...], ...]
    sources: frozenset[str]
    answerable: bool


def read_questions(path: Path) -> list[NuggetQuestion]:
    """Lines of ``{"id", "question", "lang", "kind", "nuggets": [[wordings]], "sources": [public ids], "answerable"}``.

    Raises MalformedFileError, which names the line.
    """
    questions: dict[str, NuggetQuestion] = {}
    for line in json_lines(path):
        question = _question(line)
        if questions.setdefault(question.id, question) is not question:
            raise line.refusal(f"the id {question.id!r} stands twice")
    if not questions:
        raise MalformedFileError(f"{path}: there is no question in it")
    return list(questions.values())


def _question(line: Record) -> NuggetQuestion:
    answerable, nuggets = line.boolean("answerable"), _nuggets(line)
    if answerable and not nuggets:
        raise line.refusal("an answerable question needs a nugget")
    return NuggetQuestion(
        id=line.string("id"),
        asked=_asked(line),
        lang=_language(line),
        kind=line.string("kind"),
        nuggets=nuggets,
        sources=frozenset(line.strings("sources")),
        answerable=answerable,
    )


def _asked(line: Record) -> ValidQuestion:
    try:
        return validation.validated(line.string("question"))
    except (InvalidQuestion, QuestionTooLong) as refusal:
        raise line.refusal(f'"question": {refusal}') from refusal


def _language(line: Record) -> Language:
    written = line.string("lang")
    for lang in get_args(Language):
        if lang == written:
            return lang  # type: ignore[no-any-return]
    raise line.refusal(f'"lang" must be ko or en, not {written!r}')


def _nuggets(line: Record) -> tuple[tuple[str, ...], ...]:
    nuggets = tuple(map(tuple, line.lists_of_strings("nuggets")))
    if not all(nugget and all(wording.strip() for wording in nugget) for nugget in nuggets):
        raise line.refusal("a nugget needs at least one wording, and none may be empty")
    return nuggets
