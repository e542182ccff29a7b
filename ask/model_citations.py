"""From the model's blocks to an answer whose every citation is one of ours.

The only thing believed is an index into the list that we sent, and it only when everything else said beside it
agrees: a model can be talked into citing what it was never given. Label, address and type come from our passage.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ask.citations import Citation
from ask.drafts import NOTHING_FOUND, Draft
from ask.evidence import Evidence
from ask.language import Language
from ask.model_calls import Paid
from ask.models import Mode
from ask.prompts import NO_ANSWER, PROMPT_VERSION, Prompt, Source

ANSWER_MAX_LENGTH = 4000  # characters, marks included
CITED_SHARE_MIN = 0.6  # of the characters, in blocks with an accepted citation
HANGUL_SHARE_MIN = 0.3  # of the letters of a Korean answer; an English one stays below

DECLINED: dict[Language, str] = {
    "ko": "언어 모델이 이 질문에는 답하지 않았습니다.",
    "en": "The language model declined to answer this question.",
}

_WHOLE = frozenset({"end_turn", "stop_sequence"})
_CUT_OFF = frozenset({"max_tokens", "model_context_window_exceeded"})
_MARKUP = re.compile(r"</?\s*(?:antml:)?(?:cite|citation)s?\b[^<>\x02\x03]*>", re.IGNORECASE)
# Only our own marks may look like marks, so until all others are gone ours are written in characters that a model's
# text is rid of at once. They are as long as what they stand for.
_OPEN, _CLOSE = "\x02\x02", "\x03"
_FALSE_MARKS = re.compile(r"\s?\[\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\s*\]")
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_PERSONA_NAMED = re.compile("AI persona|AI 페르소나|인공지능 페르소나", re.IGNORECASE)


class UnusableAnswerError(Exception):
    """The model answered, but nothing that may be shown; the message says which rule it broke."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A block of the answer: its text, and the evidence that it cites."""

    text: str
    cited: tuple[Evidence, ...]

    @property
    def weight(self) -> int:
        """Characters that are read."""
        return sum(not character.isspace() for character in self.text)


def draft(paid: Paid, prompt: Prompt) -> Draft:
    """The answer to store. Raises UnusableAnswerError when too little of it rests on what we sent."""
    received, lang = paid.received, prompt.lang
    if received.stop_reason == "refusal":
        return _none(DECLINED[lang], paid)
    passages = [_passage(block, prompt.sources) for block in received.content if block["type"] == "text"]
    if _says_nothing_found(passages):
        return _none(NOTHING_FOUND[lang], paid)
    passages = _ended(passages, received.stop_reason)
    _require_cited(passages)
    _require_language(passages, lang)
    return _written(passages, paid)


def accepted(citation: object, sources: Sequence[Source]) -> Evidence | None:
    """The evidence that a citation object names; None unless all it says is what we sent."""
    if not isinstance(citation, Mapping) or citation.get("type") != "search_result_location":
        return None
    source = _at(sources, citation.get("search_result_index"))
    if source is None or citation.get("source") != source.evidence.citation.url:
        return None
    start, end = citation.get("start_block_index"), citation.get("end_block_index")
    # A JSON true is an int to Python, and 1.0 equals 1.
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(source.sentences):
        return None
    same = citation.get("cited_text") == "".join(source.sentences[start:end])
    return source.evidence if same else None


def _at(sources: Sequence[Source], index: object) -> Source | None:
    return sources[index] if type(index) is int and 0 <= index < len(sources) else None


def _passage(block: Mapping[str, Any], sources: Sequence[Source]) -> Passage:
    said = _bare(_INVISIBLE.sub("", block["text"]))
    citations = block.get("citations")
    found = (accepted(one, sources) for one in (citations if isinstance(citations, list) else ()))
    by_passage = {one.hit.passage_id: one for one in found if one is not None}
    return Passage(said, tuple(by_passage.values()))


def _says_nothing_found(passages: Sequence[Passage]) -> bool:
    said = "".join(one.text for one in passages)
    return NO_ANSWER in said and not any(one.cited for one in passages)


def _ended(passages: list[Passage], stop_reason: str) -> list[Passage]:
    """The passages that count: all of a whole answer, those up to the last citation of one that was cut off."""
    if stop_reason in _CUT_OFF or sum(len(one.text) for one in passages) > ANSWER_MAX_LENGTH:
        return _to_last_cited(_within(passages, ANSWER_MAX_LENGTH))
    if stop_reason not in _WHOLE:
        raise UnusableAnswerError("stop_reason")
    return passages


def _to_last_cited(passages: list[Passage]) -> list[Passage]:
    last = max((place for place, one in enumerate(passages) if one.cited), default=-1)
    return passages[: last + 1]


def _within(passages: Sequence[Passage], room: int) -> list[Passage]:
    kept = []
    for one in passages:
        room -= len(one.text)
        if room < 0:
            break
        kept.append(one)
    return kept


def _require_cited(passages: Sequence[Passage]) -> None:
    total = sum(one.weight for one in passages)
    cited = sum(one.weight for one in passages if one.cited)
    if not cited:
        raise UnusableAnswerError("no citation")
    if cited < CITED_SHARE_MIN * total:
        raise UnusableAnswerError("too little is cited")


def _require_language(passages: Sequence[Passage], lang: Language) -> None:
    letters = [character for one in passages for character in one.text if character.isalpha()]
    korean = sum("가" <= one <= "힣" for one in letters) >= HANGUL_SHARE_MIN * len(letters)
    if korean != (lang == "ko"):
        raise UnusableAnswerError("language")


def _written(passages: Sequence[Passage], paid: Paid) -> Draft:
    """Body with ``[n]`` after each cited passage, numbered as they first appear: a shorter one keeps its numbers."""
    citations = list(dict.fromkeys(one.citation for passage in passages for one in passage.cited))
    pieces = [_marked(passage, citations) for passage in passages]
    while sum(map(len, pieces)) > ANSWER_MAX_LENGTH:
        # Marks made it too long: what is kept still ends with a cited passage.
        passages = _to_last_cited(list(passages[: len(pieces) - 1]))
        pieces = pieces[: len(passages)]
    cited = [one for passage in passages for one in passage.cited]
    if not cited:
        raise UnusableAnswerError("too long")
    shown = list(dict.fromkeys(one.citation for one in cited))
    return Draft(
        mode=Mode.LLM,
        body=_tidied("".join(pieces)),
        citations=tuple(citation.record() for citation in shown),
        cited_keys=tuple(dict.fromkeys(key for one in cited for key in (one.key, one.page_key))),
        cost_micro_usd=paid.cost_micro_usd,
        model=paid.model,
        prompt_version=PROMPT_VERSION,
    )


def _marked(passage: Passage, citations: Sequence[Citation]) -> str:
    if not passage.cited:
        return passage.text
    said = passage.text.rstrip()
    numbers = dict.fromkeys(citations.index(one.citation) + 1 for one in passage.cited)
    marks = "".join(f"{_OPEN}{number}{_CLOSE}" for number in numbers)
    return f"{said}{_disclosure(passage)}{marks}{passage.text[len(said) :]}"


def _disclosure(passage: Passage) -> str:
    """An AI persona's opinion says so where it stands, also when the model forgot to."""
    bylines = dict.fromkeys(one.citation.label for one in passage.cited if one.is_opinion)
    if not bylines or _PERSONA_NAMED.search(passage.text):
        return ""
    return f" ({', '.join(bylines)})"


def _bare(said: str) -> str:
    """Rid of all that looks like a mark or a citation, also of what comes to look like one by that."""
    while (bare := _FALSE_MARKS.sub("", _MARKUP.sub("", said))) != said:
        said = bare
    return said


def _tidied(body: str) -> str:
    # Two blocks may make a mark together.
    ours = _bare(body).replace(_OPEN, " [").replace(_CLOSE, "]")
    lines = (" ".join(line.split()) for line in ours.strip().splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def _none(sentence: str, paid: Paid) -> Draft:
    return Draft(
        Mode.NONE,
        sentence,
        cost_micro_usd=paid.cost_micro_usd,
        model=paid.model,
        prompt_version=PROMPT_VERSION,
    )
