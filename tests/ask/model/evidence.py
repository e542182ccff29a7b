"""Evidence made by hand, for prompts and citations."""

from collections.abc import Mapping
from typing import Any

import pytest

from ask import model_answers
from ask.anthropic_client import Received, Usage
from ask.citations import Citation
from ask.drafts import Draft
from ask.evidence import Evidence
from ask.model_calls import Paid
from ask.model_citations import UnusableAnswerError, draft
from ask.prompts import Prompt, SearchResultBlock
from ask.questions import QuestionKind
from knowledge.linking.automaton import AliasSpec
from knowledge.linking.linker import Linker
from knowledge.linking.store import Said
from knowledge.models import Document, PersonaPost, Source
from knowledge.models.search import SearchPassage


def evidence(number: int, text: str, *, title: str = "", url: str = "", **fields: Any) -> Evidence:
    """A passage of its own page; ``document`` or ``post`` make it one of those."""
    defaults: dict[str, Any] = {
        "pk": number,
        "kind": "entity",
        "title": title or f"단위 {number}",
        "text": text,
        "lang": "ko",
        "published_at": None,
        "unit": None,
        "document": None,
        "post": None,
    }
    hit = SearchPassage(**(defaults | fields))
    hit.score = 10.0 - number
    label = "◆ 장부지기 · AI persona" if hit.post is not None else hit.title
    kind = "creator" if hit.post is not None else "asset"
    citation = Citation(label, url or f"/{kind}/unit-{number}", kind)
    return Evidence(hit, citation, key=f"unit:{number}", page_key=f"unit:{100 + number}")


def opinion(number: int, text: str) -> Evidence:
    return evidence(number, text, post=PersonaPost())


def article(number: int, title: str, text: str) -> Evidence:
    return evidence(number, text, title=title, document=Document(source=Source(name="새벽경제")))


FIRST = ("마루코인은 결제용 가상자산이다.", "발행 상한은 3억 6천만 개이다.")
SECOND = ("새벽경제는 마루코인이 11월에 상장됐다고 전했다.",)
THIRD = ("나는 마루코인이 비싸다고 본다.",)
FOURTH = (
    "미국(U.S.) 회사가 Node.js로 만든 0.21.1판은 2024년 기준으로 1개를 10¹⁸ 단위로 나누고 시설은 300㎡이다.",
    "수수료는 0.4%, 값은 1,234.5달러이며 3 < 5 이고 7 > 2 이다.",
)


def prompt(lang: str = "ko") -> Prompt:
    """Four sources: a unit of two sentences, a unit of one, an opinion, a unit with many figures."""
    sources = (
        SearchResultBlock(evidence(0, " ".join(FIRST)), FIRST),
        SearchResultBlock(evidence(1, SECOND[0]), SECOND),
        SearchResultBlock(opinion(2, THIRD[0]), THIRD),
        SearchResultBlock(evidence(3, " ".join(FOURTH)), FOURTH),
    )
    return Prompt("마루코인 발행 상한은?", lang, QuestionKind.HOW_MUCH, sources)  # type: ignore[arg-type]


def citation(index: int = 0, start: int = 0, end: int = 1, **fields: Any) -> dict[str, Any]:
    """A citation of ``prompt()`` as the API gives it; keywords forge it."""
    source = prompt().sources[index]
    true = {
        "type": "search_result_location",
        "cited_text": "".join(source.sentences[start:end]),
        "source": source.evidence.citation.url,
        "title": source.evidence.citation.label,
        "search_result_index": index,
        "start_block_index": start,
        "end_block_index": end,
    }
    return true | fields


def cited_from(source: SearchResultBlock, index: int = 0) -> dict[str, Any]:
    """A true citation of all that a source says."""
    return {
        "type": "search_result_location",
        "cited_text": "".join(source.sentences),
        "source": source.evidence.citation.url,
        "title": source.evidence.citation.label,
        "search_result_index": index,
        "start_block_index": 0,
        "end_block_index": len(source.sentences),
    }


def paid(*blocks: Mapping[str, Any], stop_reason: str = "end_turn") -> Paid:
    """What the model said, and 42 micro-USD for it."""
    usage = Usage(10, 10, 0, {"input_tokens": 10, "output_tokens": 10})
    return Paid(Received("msg_1", "claude-haiku-5-5", stop_reason, blocks, usage), "claude-haiku-5-5", 42)


UNITS = Linker(
    [
        AliasSpec("asset:maru", "마루코인"),
        AliasSpec("asset:maru", "Marucoin"),
        AliasSpec("asset:haneul", "하늘코인"),
        AliasSpec("asset:haneul", "Haneulcoin"),
        AliasSpec("entity:daon", "다온거래소"),
        AliasSpec("entity:daon", "Daon Exchange"),
        AliasSpec("entity:sora-kim", "김소라"),
        AliasSpec("entity:sora-kim", "Sora Kim"),
        AliasSpec("topic:halving", "반감기"),
    ]
)


def named(text: str) -> list[Said]:
    """The units that a text names, of an invented canon."""
    found = UNITS.find(text, crypto_channel=True)
    return [Said(one.start, one.end, (str(one.unit),), False) for one in found]


def made(*blocks: Mapping[str, Any], lang: str = "ko", stop_reason: str = "end_turn") -> Draft:
    """The answer that comes of what the model said to ``prompt()``."""
    return draft(paid(*blocks, stop_reason=stop_reason), prompt(lang), named)


def unusable(*blocks: Mapping[str, Any], lang: str = "ko", stop_reason: str = "end_turn") -> str:
    """The rule that what the model said breaks."""
    with pytest.raises(UnusableAnswerError) as error:
        made(*blocks, lang=lang, stop_reason=stop_reason)
    return str(error.value)


def without(fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if key != name}


def compose(*args: Any, **kwargs: Any) -> Draft:
    """The model's draft for a question, its cost booked."""
    with model_answers.composing(*args, **kwargs) as composed:
        return composed.draft
