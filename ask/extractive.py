"""Answering without a model: the sentences of the evidence that say most about the question, verbatim.

Sentences are ranked by BM25 over the question's lexemes with the corpus's own weights, then chosen by maximal
marginal relevance (Carbonell and Goldstein, 1998), so that two outlets with one headline are quoted once. What a
passage's title says counts half for each of its sentences: "2009년에 시작됐다" under the title 비트코인 is about it.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ask import marks
from ask.evidence import Evidence
from ask.language import Language
from knowledge.linking.store import units_named
from knowledge.search import morphemes
from knowledge.search.lexemes import ENTITY_MARK, entity_lexeme
from knowledge.search.ranking import UnderstoodQuestion
from knowledge.search.scoring import K1, B
from knowledge.search.sentences import split_sentences

SENTENCES_MAX = 4
CHARACTERS_MAX = 600  # of all quoted sentences together
RELEVANCE_MIN = 0.5  # of the best sentence's score
COVERAGE_MIN = 0.25  # of the question's information, in one sentence and its title
# Where a question names no unit, its words alone have to show that the records can speak of it: "who won the world
# cup" shares two common words with them, and no subject.
COVERAGE_MIN_UNNAMED = 0.6
DIVERSITY = 0.7  # MMR's λ: 1 looks at relevance alone
REDUNDANT = 0.8  # cosine from which a sentence says what another has said
CONTEXT_WEIGHT = 0.5  # of a lexeme that stands in the title and not in the sentence
RANK_WEIGHT = 0.4  # how much of a sentence's score hangs on how well its whole passage was found
# What a sentence keeps of its score when its page and title are about none of the units the question names, and
# when it is written in the other language: such are quoted where nothing better is there.
OTHER_SUBJECT = 0.4
OTHER_LANGUAGE = 0.6
# An outlet's sentence that begins as an AI persona's line does would be read as one.
_POSES = re.compile(r"[^\n]{0,80}?(?:AI|인공지능)\W{0,3}(?:persona|페르소나)\W{0,3}[:：]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QuestionWeights:
    """The question's lexemes and how much each tells (weight × idf), its language, the lexemes of units it names."""

    information: Mapping[str, float]
    lang: Language
    units: frozenset[str]

    @property
    def total(self) -> float:
        return sum(self.information.values())

    @property
    def coverage_min(self) -> float:
        return COVERAGE_MIN if self.units else COVERAGE_MIN_UNNAMED


@dataclass(frozen=True)
class Sentence:
    """A candidate: where it stands, its lexemes, and those of its title and page."""

    source: int  # index into the evidence
    position: int
    quote: str
    lang: str
    lexemes: Counter[str]
    context: frozenset[str]

    @cached_property
    def length(self) -> int:
        return self.lexemes.total()

    @cached_property
    def norm(self) -> float:
        return math.sqrt(sum(count * count for count in self.lexemes.values()))


@dataclass(frozen=True, slots=True)
class Quotation:
    """Sentences of one piece of evidence, in the order in which they stand there."""

    evidence: Evidence
    sentences: tuple[str, ...]


def quote(question: UnderstoodQuestion, evidence: Sequence[Evidence], lang: Language) -> list[Quotation]:
    """The sentences that answer, grouped by source, records before opinions; empty when none covers the question.

    The units that a text names count as its words, so that an English question finds what is said of 비트코인.
    """
    asked = _weighed(question, lang)
    candidates = [one for one in _sentences(evidence) if _coverage(one, asked) >= asked.coverage_min]
    scores = _scores(candidates, asked, evidence)
    return _grouped(_chosen(candidates, scores), evidence)


def _weighed(question: UnderstoodQuestion, lang: Language) -> QuestionWeights:
    units = frozenset(map(entity_lexeme, question.named))
    # Texts name survivors; what was merged into them would only stand beside them as not covered.
    information = {
        lexeme: value
        for lexeme, value in question.information.items()
        if lexeme in units or not lexeme.startswith(ENTITY_MARK)
    }
    return QuestionWeights(information, lang, units)


def _sentences(evidence: Sequence[Evidence]) -> Iterator[Sentence]:
    for source, one in enumerate(evidence):
        hit = one.hit
        context = frozenset(_context(one))
        for position, quotable in enumerate(_quotable(one)):
            if len(quotable) <= CHARACTERS_MAX:
                lexemes = Counter(_lexemes(quotable))
                yield Sentence(source, position, quotable, hit.lang, lexemes, context)


def _quotable(evidence: Evidence) -> Iterator[str]:
    """A document's title is what its outlet says; a unit's or a persona's is only its name."""
    hit = evidence.hit
    titles = [hit.title] if hit.document is not None else []
    for sentence in (*titles, *_split(hit.text, hit.lang)):
        said = marks.without_foreign(sentence).strip()
        if said and not (hit.post is None and _POSES.match(said)):
            yield said


def _context(evidence: Evidence) -> Iterator[str]:
    """What a sentence is about without saying so: its title, and the unit on whose page it stands."""
    hit = evidence.hit
    if evidence.is_opinion:
        # A persona's name and page say who speaks, not what about; the whole post does.
        yield from map(entity_lexeme, units_named(hit.text))
        return
    yield from _lexemes(hit.title)
    if hit.landing_unit is not None:
        yield entity_lexeme(hit.landing_unit.public_id)


def _lexemes(body: str) -> Iterator[str]:
    yield from _terms(body)
    yield from map(entity_lexeme, units_named(body))


# The same passages answer many questions, and the analyser is half of what quoting costs. Which units a text names
# changes with the canon, so that is looked up each time.
@lru_cache(maxsize=2048)
def _split(body: str, lang: str) -> tuple[str, ...]:
    return tuple(split_sentences(body, lang))


@lru_cache(maxsize=8192)
def _terms(body: str) -> tuple[str, ...]:
    return tuple(morphemes.terms(body))


def _coverage(sentence: Sentence, asked: QuestionWeights) -> float:
    """The share, 0 to 1, of the question's information that a sentence and its title hold."""
    held = sum(
        value
        for lexeme, value in asked.information.items()
        if lexeme in sentence.lexemes or lexeme in sentence.context
    )
    return held / asked.total if asked.total else 0.0


def _scores(
    candidates: Sequence[Sentence], asked: QuestionWeights, evidence: Sequence[Evidence]
) -> list[float]:
    """Relevance of each candidate as a share, 0 to 1, of the best one's."""
    average = sum(one.length for one in candidates) / max(len(candidates), 1) or 1.0
    top = max((one.hit.score for one in evidence), default=0.0) or 1.0
    values = []
    for one in candidates:
        rank = max(evidence[one.source].hit.score, 0.0) / top
        value = _bm25(one, asked, average) * (1 - RANK_WEIGHT + RANK_WEIGHT * rank)
        values.append(value * _fit(one, asked))
    best = max(values, default=0.0) or 1.0
    return [value / best for value in values]


def _fit(sentence: Sentence, asked: QuestionWeights) -> float:
    """What a sentence keeps of its score for its subject and its language."""
    subject = OTHER_SUBJECT if asked.units and not asked.units & sentence.context else 1.0
    return subject * (1.0 if sentence.lang.startswith(asked.lang) else OTHER_LANGUAGE)


def _bm25(sentence: Sentence, asked: QuestionWeights, average: float) -> float:
    norm = K1 * (1 - B + B * sentence.length / average)
    value = 0.0
    for lexeme, information in asked.information.items():
        if count := sentence.lexemes[lexeme]:
            value += information * count * (K1 + 1) / (count + norm)
        elif lexeme in sentence.context:
            value += information * CONTEXT_WEIGHT
    return value


def _chosen(candidates: Sequence[Sentence], scores: Sequence[float]) -> list[Sentence]:
    """At most four sentences of 600 characters, each the one that adds most to those before."""
    chosen: list[Sentence] = []
    left = [(one, score) for one, score in zip(candidates, scores, strict=True) if score >= RELEVANCE_MIN]
    room = CHARACTERS_MAX
    while left and len(chosen) < SENTENCES_MAX:
        # The earlier of two equals: evidence comes best first.
        best, _ = max(left, key=lambda pair: _marginal(pair[0], pair[1], chosen))
        if len(best.quote) > room:
            left = [(one, score) for one, score in left if one is not best]
            continue
        chosen.append(best)
        room -= len(best.quote)
        left = [(one, score) for one, score in left if _similarity(one, best) < REDUNDANT]
    return chosen


def _marginal(sentence: Sentence, score: float, chosen: Sequence[Sentence]) -> float:
    said = max((_similarity(sentence, one) for one in chosen), default=0.0)
    return DIVERSITY * score - (1 - DIVERSITY) * said


def _similarity(one: Sentence, other: Sentence) -> float:
    shared = sum(count * other.lexemes[lexeme] for lexeme, count in one.lexemes.items())
    return shared / (one.norm * other.norm) if shared else 0.0


def _grouped(chosen: Sequence[Sentence], evidence: Sequence[Evidence]) -> list[Quotation]:
    by_source: dict[int, list[Sentence]] = {}
    for one in chosen:
        by_source.setdefault(one.source, []).append(one)
    ordered = sorted(by_source, key=lambda source: evidence[source].is_opinion)
    return [
        Quotation(
            evidence[source],
            tuple(one.quote for one in sorted(by_source[source], key=lambda one: one.position)),
        )
        for source in ordered
    ]
