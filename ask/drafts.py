"""An answer before it is stored: its text, its numbered citations, and what it rests on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ask import extractive
from ask.citations import CitationRecord
from ask.evidence import Evidence
from ask.extractive import Quotation
from ask.language import Language
from ask.models import Mode
from knowledge.search.ranking import UnderstoodQuestion

# Which rules made a version; an answer made by other rules is made anew when its time has come.
PROMPT_VERSION = "extractive:2"

LEADS: dict[Language, str] = {
    "ko": "다음은 기록에서 그대로 옮긴 문장입니다.",
    "en": "Sentences quoted from the records:",
}
NOTHING_FOUND: dict[Language, str] = {
    "ko": "이 질문에 답할 수 있는 기록을 찾지 못했습니다.",
    "en": "No record that answers this question was found.",
}


@dataclass(frozen=True, slots=True)
class Draft:
    """What a version will say. ``cited_keys`` name what it quotes and the pages it is cited by."""

    mode: Mode
    body: str
    citations: tuple[CitationRecord, ...] = ()
    cited_keys: tuple[str, ...] = ()
    cost_micro_usd: int = 0
    model: str = ""
    prompt_version: str = PROMPT_VERSION


def _nothing_to_settle() -> None:
    """A quotation costs nothing."""


@dataclass(frozen=True, slots=True)
class Composed:
    """A draft with what its making cost still to be booked, once, by ``settle``."""

    draft: Draft
    settle: Callable[[], None] = _nothing_to_settle


def compose(question: UnderstoodQuestion, evidence: Sequence[Evidence], lang: Language) -> Draft:
    """The answer by quotation, or the honest sentence that there is none."""
    quotations = extractive.quote(question, evidence, lang)
    return quoted(quotations, lang) if quotations else Draft(Mode.NONE, NOTHING_FOUND[lang])


def quoted(quotations: Sequence[Quotation], lang: Language) -> Draft:
    """A lead that says what this is, then a paragraph a source, a line a sentence, each with its ``[n]``."""
    citations = list(dict.fromkeys(one.evidence.citation for one in quotations))
    paragraphs = [
        "\n".join(
            _line(sentence, one, citations.index(one.evidence.citation) + 1) for sentence in one.sentences
        )
        for one in quotations
    ]
    keys = dict.fromkeys(key for one in quotations for key in (one.evidence.key, one.evidence.page_key))
    return Draft(
        mode=Mode.EXTRACTIVE,
        body="\n\n".join([LEADS[lang], *paragraphs]),
        citations=tuple(citation.record() for citation in citations),
        cited_keys=tuple(keys),
    )


def _line(sentence: str, quotation: Quotation, number: int) -> str:
    # An AI persona's opinion says so on its own line, wherever that line is copied to.
    speaker = f"{quotation.evidence.citation.label}: " if quotation.evidence.is_opinion else ""
    return f"{speaker}{sentence} [{number}]"
