"""How well a sentence of the evidence answers a question, and whether the best one answers it at all.

Both are logistic models of a few figures. Their weights, in ``words/weights.json``, were fitted to labelled questions
(``manage.py fit_answers``): the first tells the sentences that hold a wanted fact from the others found for a question,
the second tells questions that the records answer from those that they do not.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import orjson

from ask.coverage import HALF_HELD, SharedSpelling, held, missing_of, share, together, told_of
from ask.evidence import Evidence
from ask.kind_evidence import (
    COUNTED,
    NEED_NUMBER,
    asks_ahead,
    asks_lately,
    asks_now,
    asks_past,
    fits,
    tells_ahead,
    tells_cause,
    tells_expected,
    tells_number_asked,
    tells_standing,
)
from ask.questions import AskedQuestion, QuestionKind, Word
from knowledge.linking.gazetteer import version_at_hand
from knowledge.linking.store import units_named
from knowledge.models import UnitType

# The second model's sum below which a question is refused: who is wrongly refused is served worse than who gets a
# record beside the point.
REFUSED_BELOW = -0.9
WORDS_MAX = 6  # words of a question that count for whether it is answered
TELLS_MAX = 10.0  # what a word may tell, and all those together that are missing
SOURCE_TELLS_MAX = 25.0  # what a whole source may tell of a question
SOURCE_WORDS_MAX = 5  # of a question that a source tells
_UNKNOWN_MAX = 3  # nouns that no passage has
# Asked of now, they want what is so until something else is recorded.
_STILL_SO = (QuestionKind.WHAT_HAPPENED, QuestionKind.WHO)
# How, why and what something came about stands in the record of the event.
_MAY_TELL_OF_EVENT = (QuestionKind.HOW_STEPS, QuestionKind.WHY, QuestionKind.WHAT_HAPPENED)

Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class SourceText:
    """Evidence as it is read: its sentences in order; the questions of readers that each of them answers, a line each,
    and those that it answers as a whole."""

    evidence: Evidence
    sentences: tuple[str, ...]
    asked: tuple[str, ...]
    asked_of_whole: str

    @property
    def public_id(self) -> str:
        """Of the unit that it is a text of; empty for a document and a post."""
        return self.evidence.hit.unit.public_id if self.evidence.hit.unit is not None else ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may be quoted. ``source``: its index; ``fits``: whether it says what the kind asks for;
    ``score``: what the first model gives it; ``figures``: what that is made of."""

    source: int
    position: int
    quote: str
    fits: bool
    score: float
    figures: Figures


def candidates(question: AskedQuestion, sources: Sequence[SourceText]) -> list[Candidate]:
    """All sentences of the sources, in their order."""
    spelling = SharedSpelling(question, [one for source in sources for one in source.sentences])
    best = max((source.evidence.hit.score for source in sources), default=0.0) or 1.0
    weights = fitted()["sentence"]
    found = []
    for place, source in enumerate(sources):
        for position, figures in enumerate(_figures(question, source, spelling, best)):
            score = sum(weights.get(name, 0.0) * value for name, value in figures.items())
            quote = source.sentences[position]
            found.append(Candidate(place, position, quote, bool(figures["fits"]), score, figures))
    return found


def _figures(
    question: AskedQuestion, source: SourceText, spelling: SharedSpelling, best: float
) -> Iterator[Figures]:
    """What the models know of each sentence of a source; all are 0 to 1."""
    words, nouns = question.words, [word.is_noun for word in question.words]
    entitled = held(words, source.evidence.names)
    asked_so = [held(words, lines) for lines in source.asked]
    said_so = [held(words, sentence) for sentence in source.sentences]
    own = [together(*both) for both in zip(said_so, asked_so, strict=True)]
    holds = [together(entitled, one) for one in own]
    mentions = [units_mentioned(sentence) for sentence in source.sentences]
    phrases = [share(held(question.phrases, sentence), question.phrases) for sentence in source.sentences]
    defining = _defining(question, source, phrases)
    whole = together(entitled, held(words, source.asked_of_whole), *holds)
    told, missing = told_of(whole, words), missing_of(whole, words)
    of_source = _of_source(question, source, best, mentions) | {
        "sourceHeld": told / (told + missing) if told else 0.0,
        "sourceTold": min(SOURCE_TELLS_MAX, told) / SOURCE_TELLS_MAX,
        "sourceWords": min(SOURCE_WORDS_MAX, sum(one >= HALF_HELD for one in whole)) / SOURCE_WORDS_MAX,
        "sourceNouns": share(whole, words, among=nouns, empty=1.0),
        "detailMissing": min(TELLS_MAX, _details_missing(whole, words)) / TELLS_MAX,
    }
    asked, named = [bool(word.concepts) for word in words], set(question.named)
    for position, sentence in enumerate(source.sentences):
        told_here = share(holds[position], words)
        of_kind = _of_kind(
            question,
            source,
            position,
            defines=position == defining,
            is_to_the_point=_is_to_the_point(own[position], phrases[position], mentions[position], named),
        )
        yield (
            of_source
            | of_kind
            | {
                "held": told_here,
                "connectedHeld": of_source["connected"] * told_here,
                "connectedFits": of_source["connected"] * of_kind["fits"],
                "missing": min(TELLS_MAX, missing_of(holds[position], words)) / TELLS_MAX,
                "lastHeld": own[position][-1] if words else 0.0,
                "nouns": share(holds[position], words, among=nouns, empty=1.0),
                "concepts": share(holds[position], words, among=asked, empty=1.0),
                "spelt": spelling.share(sentence),
                "said": share(together(entitled, said_so[position]), words),
                "asked": share(asked_so[position], words),
                "askedSpelt": spelling.share(source.asked[position]),
                "phrase": phrases[position],
                "mentions": _part(mentions[position], named),
                "agent": float(
                    question.kind is QuestionKind.WHO and _speaks_of_others(mentions[position], named)
                ),
                "year": float(any(year in sentence for year in question.years)),
            }
        )


def _details_missing(shares: Sequence[float], words: Sequence[Word]) -> float:
    """How much is missing of the details that a question asks for: a telephone number, a dividend."""
    missing = (one for one, told in zip(words, shares, strict=True) if told < HALF_HELD)
    return sum(one.tells for one in missing if one.is_detail and not one.is_aside)


def _of_source(
    question: AskedQuestion, source: SourceText, best: float, mentions: Sequence[frozenset[str]]
) -> Figures:
    """How a source was found, and what it is about."""
    named, unit = set(question.named), source.evidence.hit.unit
    return {
        "named": float(source.public_id in named),
        "namedFirst": float(bool(named) and source.public_id == question.named[0]),
        "namedShare": _part(frozenset((source.public_id,)).union(*mentions), named),
        "connected": float(_is_connected(source, named)),
        "found": 1 / (1 + source.evidence.rank),
        "retrieved": source.evidence.hit.score / best,
        "isUnit": float(unit is not None),
        "isEvent": float(_is_event(source)),
    }


def _is_event(source: SourceText) -> bool:
    unit = source.evidence.hit.unit
    return unit is not None and unit.type == UnitType.EVENT


def _is_connected(source: SourceText, named: set[str]) -> bool:
    """Whether a source is of no named unit, but of an event of one or of what one is related to."""
    return source.public_id not in named and not named.isdisjoint(source.evidence.connected)


def _defining(question: AskedQuestion, source: SourceText, phrases: Sequence[float]) -> int:
    """Which sentence of a source defines: the first, unless a later one has the very phrase that is asked about, or of
    a named unit the name as it is written, which then is a part of its subject, such as 역프 of the kimchi premium."""
    if 1.0 in phrases:
        return phrases.index(1.0)
    if source.public_id not in question.named:
        return 0
    unit = source.evidence.hit.unit
    symbol = unit.symbol.lower() if unit is not None else ""
    written = [one for one in question.surfaces if one != symbol]
    has = [any(name in sentence.lower() for name in written) for sentence in source.sentences]
    return has.index(True) if True in has else 0


def _is_to_the_point(
    own: Sequence[float], phrased: float, mentioned: frozenset[str], named: set[str]
) -> bool:
    """Whether a sentence itself speaks of what is asked about it; where nothing is, of all that is named."""
    return any(own) or phrased > 0 or (not own and named <= mentioned)


def _of_kind(
    question: AskedQuestion, source: SourceText, position: int, *, defines: bool, is_to_the_point: bool
) -> Figures:
    """Whether a sentence says what the kind asks for, and whether it says it of the words."""
    sentence, asked, lang = source.sentences[position], question.understood.lexical.text, question.lang
    says = fits(sentence, question.kind, lang, defines=defines)
    if question.kind is QuestionKind.YES_NO:
        # That something is not so settles only what is asked about.
        says = says and is_to_the_point
    if question.kind is QuestionKind.WHEN and asks_past(asked, lang):
        says = says and not tells_expected(sentence, lang)
    stands = question.kind in COUNTED and not asks_past(asked, lang)
    return {
        "fits": float(says),
        "namedFits": float(
            says and source.public_id in question.named and question.kind is not QuestionKind.DEFINITION
        ),
        "numberMissing": float(tells_number_asked(asked, sentence, lang) is False),
        "standing": float(stands and tells_standing(sentence, lang)),
        "causes": float(question.kind is QuestionKind.WHY and tells_cause(sentence, lang)),
        "eventPast": float(
            question.kind in _MAY_TELL_OF_EVENT and asks_past(asked, lang) and _is_event(source)
        ),
        # Outlets announce what is to come in the present tense.
        "aheadMissing": float(
            bool(source.public_id) and asks_ahead(asked, lang) and not tells_ahead(sentence, lang)
        ),
    }


def units_mentioned(text: str) -> frozenset[str]:
    """The public ids of the units that a text of the records mentions."""
    return _mentioned_by(text, version_at_hand())


# The same sentences answer many questions, and name what they name until names change.
@lru_cache(maxsize=8192)
def _mentioned_by(text: str, _names: str) -> frozenset[str]:
    return frozenset(units_named(text, crypto_channel=True))


def _speaks_of_others(mentioned: frozenset[str], named: set[str]) -> bool:
    """Whether somebody is mentioned, a person or an organisation, beside those that the question names."""
    return any(one.startswith("entity:") for one in mentioned - named)


def _part(found: frozenset[str], named: set[str]) -> float:
    return len(found & named) / len(named) if named else 0.0


def answered(question: AskedQuestion, found: Sequence[Candidate], best: Candidate) -> bool:
    """Whether the best sentence answers the question."""
    weights = fitted()["answered"]
    figures = answer_figures(question, found, best)
    return sum(weights[name] * value for name, value in figures.items()) > REFUSED_BELOW


def answer_figures(question: AskedQuestion, found: Sequence[Candidate], best: Candidate) -> Figures:
    """What the second model knows of a question and the best sentence that was found for it."""
    words = question.words
    told = sum(word.tells for word in words)
    asking = [word for word in words if not word.is_aside]
    is_counted = question.kind in NEED_NUMBER
    last_missing = 1.0 - best.figures["lastHeld"] if words else 0.0
    of_named = [
        one.figures["concepts"]
        for one in found
        if not question.named or one.figures["named"] or one.figures["mentions"]
    ]
    return {
        "bias": 1.0,
        "score": best.score,
        "lead": _lead(found),
        "mentions": best.figures["mentions"],
        "sourceHeld": best.figures["sourceHeld"],
        "mostHeld": max(one.figures["sourceHeld"] for one in found),
        "conceptsOfNamed": max(of_named, default=0.0),
        "found": best.figures["found"],
        "words": min(WORDS_MAX, len(asking)) / WORDS_MAX,
        "noWords": float(not words),
        "aside": 1.0 - sum(word.tells for word in asking) / told if told else 0.0,
        "unknown": min(_UNKNOWN_MAX, sum(word.is_unknown for word in asking)) / _UNKNOWN_MAX,
        "namedShare": best.figures["namedShare"],
        # A record is no report of these days.
        "lately": float(bool(best.figures["isUnit"]) and _is_of_these_days(question)),
        "tells": told / len(words) / TELLS_MAX if words else 0.0,
        "missing": best.figures["missing"],
        # What is asked for stands last: 변호사, "… dividend".
        "lastMissing": last_missing,
        "namedLastMissing": last_missing if question.named else 0.0,
        "detailMissing": best.figures["detailMissing"],
        "named": float(bool(question.named)),
        "severalNamed": float(len(question.named) > 1),
        # What is described instead of named is known by how much of the description is told.
        "described": 0.0 if question.named else best.figures["sourceTold"],
        "sourceWords": best.figures["sourceWords"],
        "counted": float(is_counted),
        "countedMissing": float(is_counted and not best.fits),
        "definition": float(question.kind is QuestionKind.DEFINITION),
        "yesNo": float(question.kind is QuestionKind.YES_NO),
        "who": float(question.kind is QuestionKind.WHO),
        "steps": float(question.kind is QuestionKind.HOW_STEPS),
        "list": float(question.kind is QuestionKind.LIST),
        "listMissing": float(question.kind is QuestionKind.LIST and not best.fits),
        "aheadMissing": best.figures["aheadMissing"],
        "numberMissing": best.figures["numberMissing"],
    }


def _lead(found: Sequence[Candidate]) -> float:
    """How far the unit that was found first stands out from the second: 0 where both fit alike, 1 where it is alone."""
    fits = {one.source: one.figures["retrieved"] for one in found if one.figures["isUnit"]}
    return 1.0 - sorted(fits.values(), reverse=True)[1] if len(fits) > 1 else 1.0


def _is_of_these_days(question: AskedQuestion) -> bool:
    asked, lang = question.understood.lexical.text, question.lang
    return asks_lately(asked, lang) or (question.kind not in _STILL_SO and asks_now(asked, lang))


@cache
def fitted() -> Mapping[str, Mapping[str, float]]:
    """The weights of both models by the names of their figures."""
    read: Mapping[str, Mapping[str, float]] = orjson.loads(
        (Path(__file__).parent / "words" / "weights.json").read_bytes()
    )
    return read
