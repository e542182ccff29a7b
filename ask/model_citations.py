"""From the model's blocks to an answer whose every citation is one of ours.

The only thing believed is an index into the list that we sent, and it only when everything else said beside it
agrees: a model can be talked into citing what it was never given. Label, address and type come from our passage.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ask import model_support, prose
from ask.citations import Citation, sources_of
from ask.drafts import NOTHING_FOUND, Draft, due_first
from ask.language import Language
from ask.model_calls import Paid
from ask.models import Mode
from ask.passages import CITED_SHARE_MIN, Passage, text_of, without
from ask.prompts import PROMPT_VERSION, Prompt, SearchResultBlock
from ask.support import Finding, Rest
from knowledge.models.personas import name_in
from knowledge.models.search import SearchPassage

ANSWER_MAX_LENGTH = 4000  # characters, marks included
HANGUL_SHARE_MIN = 0.3  # of the letters of a Korean answer; an English one stays below
SAID_MAX_LENGTH = 4 * ANSWER_MAX_LENGTH  # of all blocks, with what nobody sees; longer ones are not even read

DECLINED: dict[Language, str] = {
    "ko": "언어 모델이 이 질문에는 답하지 않았습니다.",
    "en": "The language model declined to answer this question.",
}

_WHOLE = frozenset({"end_turn", "stop_sequence"})
_CUT_OFF = frozenset({"max_tokens", "model_context_window_exceeded"})
_PERSONA_NAMED = "(?:AI persona|AI 페르소나|인공지능 페르소나)"
_DENIED = re.compile(r"아니|아닌|않|없|무관|\bno[nt]?\b|n't\b|never", re.IGNORECASE)


class UnusableAnswerError(Exception):
    """The model answered, but nothing that may be shown; the message says which rule it broke."""


def draft(paid: Paid, prompt: Prompt, find: Finding) -> Draft:
    """The answer to store: the sentences that say what they cite. Raises UnusableAnswerError when that is too little of
    what the model wrote."""
    received, lang = paid.received, prompt.lang
    if received.stop_reason == "refusal":
        return _none(DECLINED[lang], paid)
    if len(received.text) > SAID_MAX_LENGTH:
        raise UnusableAnswerError("too long")
    said = [_passage(block, prompt.sources) for block in received.content if block["type"] == "text"]
    passages = _permitted(said, prompt)
    if _says_nothing_found(said, passages):
        return _none(NOTHING_FOUND[lang], paid)
    passages = _ended(passages, received.stop_reason, lang)
    wrote = sum(prose.weight(one.text) for one in passages)
    _require_cited(passages, wrote)
    _require_language(passages, lang)
    passages = model_support.supported(passages, prompt, find)
    _require_cited(passages, wrote)
    return _written(passages, paid, prompt)


def accepted(citation: object, sources: Sequence[SearchResultBlock]) -> Rest | None:
    """The sentences that a citation object names; None unless all it says is what we sent."""
    if not isinstance(citation, Mapping) or citation.get("type") != "search_result_location":
        return None
    source = _at(sources, citation.get("search_result_index"))
    if source is None or citation.get("source") != source.evidence.citation.url:
        return None
    start, end = citation.get("start_block_index"), citation.get("end_block_index")
    # A JSON true is an int to Python, and 1.0 equals 1.
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(source.sentences):
        return None
    sentences = source.sentences[start:end]
    return Rest(source.evidence, sentences) if citation.get("cited_text") == "".join(sentences) else None


def _at(sources: Sequence[SearchResultBlock], index: object) -> SearchResultBlock | None:
    return sources[index] if type(index) is int and 0 <= index < len(sources) else None


def _passage(block: Mapping[str, Any], sources: Sequence[SearchResultBlock]) -> Passage:
    citations = block.get("citations")
    found = (accepted(one, sources) for one in (citations if isinstance(citations, list) else ()))
    rests = dict.fromkeys(one for one in found if one is not None)
    return Passage("", tuple(rests)).saying(prose.readable(block["text"]))


def _permitted(passages: Sequence[Passage], prompt: Prompt) -> list[Passage]:
    known = prose.known_hosts(prompt.sources)
    return without(passages, prose.forbidden(text_of(passages), prompt.lang, known))


def _says_nothing_found(said: Sequence[Passage], permitted: Sequence[Passage]) -> bool:
    """Whether the model said so, and cited nothing beside it."""
    return prose.says_no_answer(text_of(said)) and not any(one.cited for one in permitted)


def _ended(passages: list[Passage], stop_reason: str, lang: Language) -> list[Passage]:
    """The passages that count: all of a whole answer, whole sentences up to the last citation of one cut off."""
    if stop_reason in _CUT_OFF or len(text_of(passages)) > ANSWER_MAX_LENGTH:
        return _to_last_cited(_whole(_within(passages, ANSWER_MAX_LENGTH), lang))
    if stop_reason not in _WHOLE:
        raise UnusableAnswerError("stop_reason")
    return passages


def _whole(passages: Sequence[Passage], lang: Language) -> list[Passage]:
    said = text_of(passages)
    return without(passages, [(len(prose.whole(said, lang)), len(said))])


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


def _require_cited(passages: Sequence[Passage], wrote: int) -> None:
    """``wrote``: how many letters and digits the model wrote, those included that were left out."""
    cited = sum(prose.weight(one.text) for one in passages if one.cited)
    if not cited:
        raise UnusableAnswerError("no citation")
    if cited < CITED_SHARE_MIN * wrote:
        raise UnusableAnswerError("too little is cited")


def _require_language(passages: Sequence[Passage], lang: Language) -> None:
    letters = [character for character in text_of(passages) if character.isalpha()]
    korean = sum("가" <= one <= "힣" for one in letters) >= HANGUL_SHARE_MIN * len(letters)
    if not letters or korean != (lang == "ko"):
        raise UnusableAnswerError("language")


def _written(passages: Sequence[Passage], paid: Paid, prompt: Prompt) -> Draft:
    """Body with ``[n]`` after each cited passage, numbered as they first appear: a shorter one keeps its numbers."""
    passages = _joined(passages)
    while len(body := _body(passages)) > ANSWER_MAX_LENGTH:
        # Marks made it too long: what is kept still ends with a whole sentence and a cited passage.
        passages = _to_last_cited(_whole(passages[:-1], prompt.lang))
    cited = [one for passage in passages for one in passage.cited]
    if not cited:
        raise UnusableAnswerError("too long")
    if prose.forbidden(text_of(passages), prompt.lang, prose.known_hosts(prompt.sources)):
        # Put together by what was taken out.
        raise UnusableAnswerError("address")
    return Draft(
        mode=Mode.LLM,
        body=body,
        citations=tuple(citation.record() for citation in _numbered(passages)),
        sources=tuple(sources_of(_quoted(passages), prompt.lang)),
        cited_keys=tuple(dict.fromkeys(key for one in cited for key in (one.key, one.page_key))),
        due_at=due_first(cited),
        cost_micro_usd=paid.cost_micro_usd,
        model=paid.model,
        prompt_version=PROMPT_VERSION,
    )


def _joined(passages: Sequence[Passage]) -> list[Passage]:
    """Passages with what stands uncited before them, free of what several blocks make together."""
    joined: list[Passage] = []
    before = ""
    for one in passages:
        said = prose.readable(before + one.text)
        if one.cited and prose.weight(said) > prose.weight(before):
            joined.append(replace(one, text=said))
            before = ""
        else:
            before = said
    return [*joined, Passage(before)]


def _numbered(passages: Sequence[Passage]) -> list[Citation]:
    return list(dict.fromkeys(one.citation for passage in passages for one in passage.cited))


def _quoted(passages: Sequence[Passage]) -> Iterator[tuple[Citation, SearchPassage, tuple[str, ...]]]:
    """What the answer rests on, in the order of its marks."""
    for rest in (rest for passage in passages for rest in passage.rests):
        yield rest.evidence.citation, rest.evidence.hit, rest.sentences


def _body(passages: Sequence[Passage]) -> str:
    citations = _numbered(passages)
    body = "".join(_marked(one, citations) for one in passages)
    # A parenthesis behind a mark would make it a Markdown link.
    body = re.sub(r"(\[\d+\])(?=[(\[:])", r"\1 ", body)
    lines = (" ".join(line.split()) for line in body.strip().splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def _marked(passage: Passage, citations: Sequence[Citation]) -> str:
    if not passage.cited:
        return passage.text
    said = passage.text.rstrip()
    numbers = dict.fromkeys(citations.index(one.citation) + 1 for one in passage.cited)
    marks = "".join(f" [{number}]" for number in numbers)
    return f"{said}{_disclosure(passage)}{marks}{passage.text[len(said) :]}"


def _disclosure(passage: Passage) -> str:
    """An AI persona's opinion says so where it stands, also when the model forgot to."""
    bylines = dict.fromkeys(one.citation.label for one in passage.cited if one.is_opinion)
    missing = [one for one in bylines if not _is_named(one, passage.text)]
    return f" ({', '.join(missing)})" if missing else ""


def _is_named(byline: str, said: str) -> bool:
    """Whether a text names the persona as an AI persona, and denies nothing beside it."""
    name = re.escape(name_in(byline))
    named = rf"{_PERSONA_NAMED}\W{{0,3}}(?:인\s)?{name}|{name}\W{{0,3}}{_PERSONA_NAMED}"
    return bool(re.search(named, said, re.IGNORECASE)) and not _DENIED.search(said)


def _none(sentence: str, paid: Paid) -> Draft:
    return Draft(
        Mode.NONE,
        sentence,
        cost_micro_usd=paid.cost_micro_usd,
        model=paid.model,
        prompt_version=PROMPT_VERSION,
    )
