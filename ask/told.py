"""A stored answer in the parts that programs get: what the records say, and apart from it what AI personas say.

Who copies the first takes no opinion along, and each of its marks leads to a citation that is given beside it.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ask import prose
from ask.language import Language, language_of
from ask.models import AnswerVersion, Mode
from ask.rendering import parted
from knowledge.models.personas import is_byline

ONLY_OPINIONS: dict[Language, str] = {
    "ko": "기록에는 답이 없고, AI 페르소나의 의견만 있습니다.",
    "en": "The records hold no answer, only opinions of AI personas.",
}
_MARK = re.compile(r" \[([1-9][0-9]?)\]")
_CLOSING = re.compile(rf"{_MARK.pattern}$", re.MULTILINE)
_MARKS = re.compile(rf"((?:{_MARK.pattern.replace('(', '(?:')})+)")


@dataclass(frozen=True, slots=True)
class ToldOpinion:
    """What a persona says; ``number`` is the place of its citation, from 1."""

    text: str
    number: int


@dataclass(frozen=True, slots=True)
class ToldAnswer:
    """``text`` has marks for ``numbers`` alone, the places of the citations given with it, from 1."""

    text: str
    numbers: tuple[int, ...]
    opinions: tuple[ToldOpinion, ...]


def told(version: AnswerVersion, most: int) -> ToldAnswer:
    """A version in its parts, with at most so many citations, the first ones."""
    if version.mode == Mode.NONE:
        return ToldAnswer(version.body, (), ())
    personas = frozenset(number for number, one in enumerate(version.citations, 1) if is_byline(one["label"]))
    if version.mode == Mode.LLM:
        records, opinions = _of_prose(version.body, personas)
        mark = _MARK
    else:
        records, said = parted(version.body, version.citations)
        opinions = tuple(_of_line(line) for line in said.split("\n") if line)
        mark = _CLOSING
    if opinions and not records:
        records = ONLY_OPINIONS[language_of(version.body)]
    marked = dict.fromkeys(int(found[1]) for found in mark.finditer(records))
    numbers = tuple(sorted(marked))[:most]
    text = mark.sub(lambda found: found[0] if int(found[1]) in numbers else "", records)
    return ToldAnswer(text, numbers, opinions)


def _of_line(line: str) -> ToldOpinion:
    """A quoted line of a persona, ``byline: words [n]``."""
    _byline, _colon, said = line.partition(": ")
    found = _CLOSING.search(line)
    assert found is not None
    return ToldOpinion(_CLOSING.sub("", said), int(found[1]))


def _of_prose(body: str, personas: Collection[int]) -> tuple[str, tuple[ToldOpinion, ...]]:
    """A model's text in two: a sentence that cites a persona is an opinion, whatever else it cites."""
    kept, opinions = [], []
    for text, numbers in _sentences(body):
        by = [number for number in numbers if number in personas]
        if by:
            opinions.append(ToldOpinion(_MARK.sub("", text).strip(), by[0]))
        else:
            kept.append(text)
    return re.sub(r"\n{3,}", "\n\n", "".join(kept).strip()), tuple(opinions)


def _sentences(body: str) -> Iterator[tuple[str, list[int]]]:
    """The text in pieces that end with a sentence and its marks; with the numbers of these."""
    # Text, marks, text, marks … and what stands behind the last mark.
    pieces = _MARKS.split(body)
    text, numbers = "", list[int]()
    for at in range(0, len(pieces), 2):
        marks = pieces[at + 1] if at + 1 < len(pieces) else ""
        ends = prose.ends_sentence(pieces[at])
        text += pieces[at] + marks
        numbers += map(int, _MARK.findall(marks))
        if ends:
            yield text, numbers
            text, numbers = "", []
    if text:
        yield text, numbers
