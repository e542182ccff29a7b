"""The answers to labelled questions: the service's own without a model, and those of a rival to compare them with."""

import re
from dataclasses import dataclass
from datetime import datetime

from ask import answering, drafts
from ask.citations import CitationRecord
from ask.evaluation.questions import NuggetQuestion
from ask.language import Language
from knowledge.models import Unit
from knowledge.queries import search
from knowledge.search.sentences import split_sentences

_MARK = re.compile(r"\s*\[\d{1,3}\]")


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer's text, the public ids that it cites, and its sentences without marks and without their lead."""

    text: str
    cited: tuple[str, ...]
    sentences: tuple[str, ...]

    @property
    def refused(self) -> bool:
        return not self.cited


def own_answer(question: NuggetQuestion, *, now: datetime) -> GivenAnswer:
    """As whoever has no key gets it; nothing is looked up among stored answers, nothing counted, nothing stored."""
    understood, evidence = answering.found(question.asked, now)
    draft = drafts.compose(understood, evidence)
    cited = tuple(dict.fromkeys(map(_cited, draft.citations)))
    return GivenAnswer(draft.body, cited, _sentences(draft.body, question.asked.lang))


def rival_answer(question: NuggetQuestion, *, now: datetime) -> GivenAnswer:
    """What asks for no thought: the whole summary of the unit nearest to the question; nothing where there is none."""
    hits = search.nearest(question.asked.question, now=now)
    unit = next((hit.unit for hit in hits if hit.unit is not None), None)
    if unit is None:
        return GivenAnswer("", (), ())
    summary = _summary(unit, question.asked.lang)
    return GivenAnswer(summary, (unit.public_id,), _split(summary, question.asked.lang))


def _summary(unit: Unit, lang: Language) -> str:
    texts = (unit.summary_en, unit.summary) if lang == "en" else (unit.summary, unit.summary_en)
    return next(filter(None, texts), "")


def _cited(citation: CitationRecord) -> str:
    """``asset:btc`` of ``/asset/btc`` and of ``/en/asset/btc``."""
    prefix, slug = citation["url"].partition("#")[0].split("/")[-2:]
    return f"{prefix}:{slug}"


def _sentences(body: str, lang: Language) -> tuple[str, ...]:
    """Of an answer with citations the lines that have one: what introduces them says nothing of its own."""
    lines = body.splitlines()
    marked = [line for line in lines if _MARK.search(line)]
    return tuple(one for line in marked or lines for one in _split(_MARK.sub("", line), lang))


def _split(text: str, lang: Language) -> tuple[str, ...]:
    return tuple(sentence.strip() for sentence in split_sentences(text, lang) if sentence.strip())
