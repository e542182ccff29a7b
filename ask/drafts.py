"""An answer before it is stored: its text, its numbered citations, and what it rests on."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ask import choosing
from ask.choosing import Quotation
from ask.citations import CitationRecord, SourceRecord, sources_of
from ask.evidence import Evidence
from ask.language import Language
from ask.models import Mode
from ask.questions import AskedQuestion, QuestionKind
from knowledge.particles import direction_particle, topic_particle

# Which rules made a version, raised with every change of them: what others made is made anew.
PROMPT_VERSION = "extractive:19"

LEADS: dict[Language, str] = {
    "ko": "다음은 기록에서 그대로 옮긴 문장입니다.",
    "en": "Sentences quoted from the records:",
}
FIGURE_LEADS: dict[Language, str] = {
    "ko": "기록의 수치로 답합니다.",
    "en": "From the recorded figures:",
}
NO_ADVICE: dict[Language, str] = {
    "ko": "기록에는 투자 조언이나 앞날의 예측이 없어 이 질문에는 답하지 않습니다.",
    "en": "The records hold no investment advice and no forecasts, so this question is not answered.",
}
NO_FIGURE: dict[Language, str] = {
    "ko": "이 질문이 묻는 지금의 수치는 기록에 없습니다.",
    "en": "The records do not hold the current figure that this question asks for.",
}
NOTHING_FOUND: dict[Language, str] = {
    "ko": "이 질문에 답할 수 있는 기록을 찾지 못했습니다.",
    "en": "No record that answers this question was found.",
}


@dataclass(frozen=True, slots=True)
class Draft:
    """What a version will say. ``cited_keys`` name what it quotes and the pages it is cited by; ``due_at`` is when the
    first figure among that is due anew, None where it quotes none; ``nearest``, where it does not answer, are the keys
    of the pages that come nearest, each with its sentence."""

    mode: Mode
    body: str
    citations: tuple[CitationRecord, ...] = ()
    sources: tuple[SourceRecord, ...] = ()  # of each citation
    cited_keys: tuple[str, ...] = ()
    due_at: datetime | None = None
    nearest: tuple[tuple[str, str], ...] = ()
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


def compose(question: AskedQuestion, evidence: Sequence[Evidence]) -> Draft:
    """The answer from figures or by quotation, or one honest sentence that says why there is none."""
    if listed := choosing.listed(question, evidence):
        draft = quoted(listed, LEADS[question.lang], question.lang)
        return told_as_read(_told_how_many(draft, listed, question.lang), question)
    if figures := choosing.figures(question, evidence):
        return told_as_read(quoted(figures, FIGURE_LEADS[question.lang], question.lang), question)
    if quotations := choosing.quote(question, evidence):
        return told_as_read(quoted(quotations, LEADS[question.lang], question.lang), question)
    return Draft(
        mode=Mode.NONE,
        body=_REASONS.get(question.kind, NOTHING_FOUND)[question.lang],
        nearest=tuple(choosing.nearest(question, evidence)),
    )


# Why a question of a kind has no answer; of any other, that no record was found.
_REASONS = {QuestionKind.ADVICE: NO_ADVICE, QuestionKind.NOW: NO_FIGURE}


def quoted(quotations: Sequence[Quotation], lead: str, lang: Language) -> Draft:
    """A lead that says what this is, then a paragraph a source, a line a sentence, each with its ``[n]``."""
    citations = list(dict.fromkeys(one.evidence.citation for one in quotations))
    paragraphs = [
        "\n".join(
            _line(sentence, one, citations.index(one.evidence.citation) + 1) for sentence in one.sentences
        )
        for one in quotations
    ]
    said = ((one.evidence.citation, one.evidence.hit, one.sentences) for one in quotations)
    keys = dict.fromkeys(key for one in quotations for key in (one.evidence.key, one.evidence.page_key))
    return Draft(
        mode=Mode.EXTRACTIVE,
        body="\n\n".join([lead, *paragraphs]),
        citations=tuple(citation.record() for citation in citations),
        sources=tuple(sources_of(said, lang)),
        cited_keys=tuple(keys),
        due_at=due_first(one.evidence for one in quotations),
    )


def _told_how_many(draft: Draft, listed: Sequence[Quotation], lang: Language) -> Draft:
    """The answer under a line that says how many of a list's units it tells, where that is not all of them."""
    shown, total = len(listed), listed[0].evidence.listed_among
    if shown >= total:
        return draft
    said = f"{shown} of {total} are listed." if lang == "en" else f"모두 {total}개 가운데 {shown}개입니다."
    return replace(draft, body=f"{said}\n\n{draft.body}")


def told_as_read(draft: Draft, question: AskedQuestion) -> Draft:
    """The answer under a line that says which names the mistyped ones of the question were taken for. It stands before
    the lead, for it is no quotation."""
    if draft.mode == Mode.NONE or not question.understood.mended:
        return draft
    return replace(draft, body=f"{_as_read(question)}\n\n{draft.body}")


def _as_read(question: AskedQuestion) -> str:
    mends = question.understood.mended
    if question.lang == "en":
        return f"Read {', '.join(f'{one.written!r} as {one.taken}' for one in mends)}."
    taken = (
        f"'{one.written}'{topic_particle(one.written)} {one.taken}{direction_particle(one.taken)}"
        for one in mends
    )
    return f"{', '.join(taken)} 읽었습니다."


def due_first(evidence: Iterable[Evidence]) -> datetime | None:
    """When the first of the figures among this evidence is due anew; None where there is none."""
    return min((one.hit.due_at for one in evidence if one.hit.due_at is not None), default=None)


def _line(sentence: str, quotation: Quotation, number: int) -> str:
    # An AI persona's opinion says so on its own line, wherever that line is copied to.
    speaker = f"{quotation.evidence.citation.label}: " if quotation.evidence.is_opinion else ""
    return f"{speaker}{sentence} [{number}]"
