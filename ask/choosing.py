"""Which sentences of the evidence answer a question without a model, verbatim; or that none does.

The first units that retrieval finds are read whole, in the language of the question. A sentence is worth more the
earlier its unit was found, when the question names that unit, by the share of the question's words that it holds, and
when it says what this kind of question asks for. A unit's name alone is no evidence: some other word of the question
has to be answered by a sentence, its neighbours or the kind.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import orjson

from ask import marks
from ask.evidence import Evidence
from ask.language import Language
from ask.questions import AskedQuestion, Kind, synonyms
from knowledge.linking.store import units_named
from knowledge.search import words
from knowledge.search.sentences import split_sentences

SENTENCES_MAX = 6
CHARACTERS_MAX = 900  # of all quoted sentences together
SOURCES_MAX = 3  # units that are read, and documents or posts
RANK_WEIGHT = 0.25  # of the first unit; of the next a half, then a third
NAMED_BONUS = 0.35  # of a unit that the question names
MENTIONED_BONUS = 0.15  # of one that speaks of a named unit
ALSO_CHOSEN = 0.6  # of the best sentence's score
COVERAGE_MIN = 0.2  # of the question's words that state a fact, held by a sentence with its neighbours
# Where a question names no unit, its words alone have to show that the records can speak of it.
COVERAGE_MIN_UNNAMED = 0.5
FIGURE_COVERAGE_MIN = 0.5  # of the words, held by a figure and the names of its series
FIGURES_MAX = 2
NEIGHBOUR_WEIGHT = 0.5  # of a word that a neighbour holds
OPINIONS_MAX = 1  # sentence of an AI persona, behind the records
COMPARED_MAX = 3  # sentences of each unit that is compared
# How many sentences an answer of a kind has at most; what happened is told whole.
LONGEST: Mapping[Kind, int] = {Kind.WHAT_HAPPENED: 6, Kind.LIST: 6, Kind.WHY: 4, Kind.HOW_STEPS: 4}
LONGEST_OTHERWISE = 3
_STEM_SYLLABLES, _STEM_LETTERS = 2, 5
_LATIN_WORD = re.compile(r"[a-z0-9][a-z0-9'-]*")
# The pattern by which a sentence says what a kind asks for, and what that is worth.
_KIND_BONUS: Mapping[Kind, tuple[str, float]] = {
    Kind.WHEN: ("date", 0.5),
    Kind.WHY: ("cause", 0.4),
    Kind.WHO: ("maker", 0.3),
    Kind.WHICH: ("superlative", 0.2),
    Kind.HOW_STEPS: ("steps", 0.3),
    Kind.LIST: ("several", 0.3),
}
NUMBER_BONUS = 0.4
FIRST_BONUS = 0.5  # of the first sentence, for a definition
# What somebody thinks is never told where one of these is asked for.
_NO_OPINION = (Kind.DEFINITION, Kind.WHEN, Kind.HOW_MUCH)
# These kinds have no answer without a date or a number.
_NEEDS_NUMBER = (Kind.HOW_MUCH, Kind.HOW_MANY)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A candidate: where it stands, what it says, and how well it answers."""

    source: int  # index into the sources
    position: int
    quote: str
    held: float  # share, 0 to 1, of the question's words that it holds itself
    covered: float  # the same with its neighbours
    fits: bool  # whether it says what the kind asks for
    score: float


@dataclass(frozen=True, slots=True)
class Source:
    """A piece of evidence as it is read: its sentences in order."""

    evidence: Evidence
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quotation:
    """Sentences of one piece of evidence, in the order in which they are said."""

    evidence: Evidence
    sentences: tuple[str, ...]


def quote(question: AskedQuestion, evidence: Sequence[Evidence]) -> list[Quotation]:
    """The sentences that answer, by source, the one that answers best first; empty where none does."""
    if question.kind in (Kind.ADVICE, Kind.NOW):
        # What is so now is told by figures alone.
        return []
    sources = _sources(question, evidence)
    candidates = [one for place, source in enumerate(sources) for one in _scored(place, source, question)]
    best = max((one for one in candidates if _answers(one, question)), key=_worth, default=None)
    if best is None:
        return []
    if question.compares and (compared := _compared(sources, candidates, question)):
        return compared
    return _grouped(_chosen(best, candidates, sources, question), sources)


def figures(question: AskedQuestion, evidence: Sequence[Evidence]) -> list[Quotation]:
    """What is measured now of that which was asked for; empty unless it is what the question means."""
    if question.kind not in (Kind.NOW, Kind.HOW_MUCH, Kind.HOW_MANY, Kind.DEFINITION):
        return []
    total = sum(question.content.values())
    shares = [
        (_share(words_held(f"{one.hit.title} {one.hit.text}", question), question, total), one)
        for one in evidence
        if one.is_figure
    ]
    most = max((share for share, _one in shares), default=0.0)
    if question.content and most < FIGURE_COVERAGE_MIN:
        return []
    meant = [one for share, one in shares if share == most]
    return [Quotation(one, (one.hit.text,)) for one in meant[:FIGURES_MAX]]


def _worth(one: Sentence) -> tuple[float, int, int]:
    return one.score, -one.source, -one.position


def _sources(question: AskedQuestion, evidence: Sequence[Evidence]) -> list[Source]:
    """The first units, and the first documents and posts, each read whole; figures are no sentences of the records.

    Of a unit that is written in both languages only the question's own is read, and never two in one answer.
    """
    units: dict[str, list[Evidence]] = {}
    others: list[Evidence] = []
    for one in evidence:
        if one.is_figure:
            continue
        if one.hit.unit is not None:
            units.setdefault(one.key, []).append(one)
        elif not (one.is_opinion and question.kind in _NO_OPINION):
            others.append(one)
    read: list[Source] = []
    first = sorted(units.values(), key=lambda found: found[0].rank)[: SOURCES_MAX + len(question.named)]
    for passages in [*first, *([one] for one in others[:SOURCES_MAX])]:
        read += [_read(one) for one in passages if one.hit.lang.startswith(question.lang)]
    return read or [_read(one) for one in [*(one for found in units.values() for one in found), *others][:1]]


def _read(evidence: Evidence) -> Source:
    return Source(evidence, tuple(_quotable(evidence)))


def _quotable(evidence: Evidence) -> Iterator[str]:
    """A document's title is what its outlet says; a unit's or a persona's is only its name."""
    hit = evidence.hit
    titles = [hit.title] if hit.document is not None else []
    for sentence in (*titles, *_split(hit.text, hit.lang)):
        said = marks.without_foreign(sentence).strip()
        if said and len(said) <= CHARACTERS_MAX and not (hit.post is None and marks.POSES.match(said)):
            yield said


# The same passages answer many questions, and the analyser is half of what quoting costs.
@lru_cache(maxsize=2048)
def _split(body: str, lang: str) -> tuple[str, ...]:
    return tuple(split_sentences(body, lang))


@lru_cache(maxsize=8192)
def _terms(body: str) -> frozenset[str]:
    return frozenset(words.terms(body))


def _scored(place: int, source: Source, question: AskedQuestion) -> Iterator[Sentence]:
    named = _name_bonus(source.evidence, question)
    if question.named and not named and question.kind not in (Kind.LIST, Kind.WHICH):
        # Whatever else it says, it is about something else.
        return
    base = RANK_WEIGHT / (1 + source.evidence.rank) + named
    title = source.evidence.hit.title if source.evidence.hit.post is None else ""
    entitled = words_held(title, question)
    holds = [words_held(sentence, question) for sentence in source.sentences]
    total = sum(question.content.values())
    for position, sentence in enumerate(source.sentences):
        own = holds[position] | entitled
        near = set().union(*holds[max(0, position - 1) : position + 2]) - own
        held = _share(own, question, total)
        covered = held + NEIGHBOUR_WEIGHT * _share(near, question, total)
        fits, bonus = _fit(sentence, position, question)
        yield Sentence(place, position, sentence, held, covered, fits, base + covered + bonus)


def _name_bonus(evidence: Evidence, question: AskedQuestion) -> float:
    """What a passage is worth more for being about the units that the question names."""
    if evidence.hit.unit is not None and evidence.hit.unit.public_id in question.named:
        return NAMED_BONUS
    named = set(question.named)
    return (
        MENTIONED_BONUS
        if named and named & set(_named(f"{evidence.hit.title}\n{evidence.hit.text}"))
        else 0.0
    )


def _named(text: str) -> list[str]:
    return units_named(text, crypto_channel=True)


def _share(held: Iterable[str], question: AskedQuestion, total: float) -> float:
    return sum(question.content[term] for term in held) / total if total else 0.0


def words_held(text: str, question: AskedQuestion) -> set[str]:
    """The words of the question that a text answers: by the same word, by its beginning, or by another of its group."""
    low, terms = text.lower(), _terms(text)
    words = set(_LATIN_WORD.findall(low))
    return {term for term in question.content if any(_says(form, low, terms, words) for form in _forms(term))}


def _says(form: str, text: str, terms: frozenset[str], words: set[str]) -> bool:
    if form in terms or form in words:
        return True
    if form[0].isascii():
        stem = form[:_STEM_LETTERS]
        return len(form) >= _STEM_LETTERS and any(word.startswith(stem) for word in words)
    return len(form) >= _STEM_SYLLABLES and form[:_STEM_SYLLABLES] in text


@lru_cache(maxsize=4096)
def _forms(term: str) -> frozenset[str]:
    """A word and those that answer it."""
    return frozenset((term,)) | synonyms().get(term, frozenset())


def _fit(sentence: str, position: int, question: AskedQuestion) -> tuple[bool, float]:
    """Whether a sentence says what the kind asks for, and what that is worth."""
    kind, lang = question.kind, question.lang
    if kind is Kind.DEFINITION:
        return position == 0, FIRST_BONUS if position == 0 else 0.0
    if kind in _NEEDS_NUMBER:
        fits = bool(_evidence("number", lang).search(_evidence("date", lang).sub("", sentence)))
        return fits, NUMBER_BONUS if fits else 0.0
    name, worth = _KIND_BONUS.get(kind, ("", 0.0))
    fits = not name or bool(_evidence(name, lang).search(sentence))
    return fits, worth if fits else 0.0


@cache
def _evidence(name: str, lang: Language) -> re.Pattern[str]:
    read = orjson.loads((Path(__file__).parent / "words" / "evidence.json").read_bytes())
    return re.compile(read[name][lang], re.IGNORECASE if name != "dangling" else 0)


def _answers(one: Sentence, question: AskedQuestion) -> bool:
    """Whether a sentence is evidence at all."""
    if question.kind in (Kind.WHEN, *_NEEDS_NUMBER) and not one.fits:
        return False
    if not question.content:
        return bool(question.named)
    return one.covered >= (COVERAGE_MIN if question.named else COVERAGE_MIN_UNNAMED)


def _chosen(
    best: Sentence, candidates: Sequence[Sentence], sources: Sequence[Source], question: AskedQuestion
) -> list[Sentence]:
    """The best sentence, the one that names its subject, the one after it, and others nearly as good; those of the
    leading source in the record's order behind the first."""
    if question.kind is Kind.WHAT_HAPPENED:
        return _within([one for one in candidates if one.source == best.source], SENTENCES_MAX)
    own = {one.position: one for one in candidates if one.source == best.source}
    wanted = [best]
    if _evidence("dangling", question.lang).match(best.quote) and best.position:
        wanted.insert(0, own[best.position - 1])
    wanted += [own[at] for at in (best.position + 1,) if at in own]
    near = [one for one in candidates if one.score >= ALSO_CHOSEN * best.score and one.source == best.source]
    wanted += sorted(near, key=_worth, reverse=True)
    if question.kind is Kind.LIST:
        others = [
            one for one in candidates if one.score >= ALSO_CHOSEN * best.score and _answers(one, question)
        ]
        wanted += sorted(others, key=_worth, reverse=True)
    longest = LONGEST.get(question.kind, LONGEST_OTHERWISE)
    opinions = [one for one in candidates if sources[one.source].evidence.is_opinion]
    said = [one for one in opinions if one.covered >= COVERAGE_MIN_UNNAMED and question.content]
    kept = _within([*_within(list(dict.fromkeys(wanted)), longest), *said], longest + OPINIONS_MAX)
    led = kept[: 1 + (kept[0] is not best)]
    return led + sorted(
        (one for one in kept if one not in led),
        key=lambda one: (one.source != best.source, one.source, one.position),
    )


def _within(wanted: Iterable[Sentence], longest: int) -> list[Sentence]:
    """As many of these as an answer may have, none that says what another has said."""
    kept: list[Sentence] = []
    room = CHARACTERS_MAX
    for one in wanted:
        if len(kept) == longest:
            break
        if len(one.quote) <= room and not any(_repeats(one.quote, other.quote) for other in kept):
            kept.append(one)
            room -= len(one.quote)
    return kept


def _repeats(one: str, other: str) -> bool:
    """Whether two sentences say nearly the same words."""
    first, second = _terms(one), _terms(other)
    return len(first & second) >= 0.8 * max(len(first), len(second)) if first and second else one == other


def _compared(
    sources: Sequence[Source], candidates: Sequence[Sentence], question: AskedQuestion
) -> list[Quotation]:
    """A paragraph for each unit that is compared, in the order of the question; empty unless two have something."""
    found = []
    for public_id in question.named:
        for place, source in enumerate(sources):
            if source.evidence.hit.unit is not None and source.evidence.hit.unit.public_id == public_id:
                own = [one for one in candidates if one.source == place]
                first = sorted(own, key=lambda one: (one.position > 0, -one.score))
                kept = sorted(_within(first, COMPARED_MAX), key=lambda one: one.position)
                found.append(Quotation(source.evidence, tuple(one.quote for one in kept)))
    return found if len(found) > 1 else []


def _grouped(chosen: Sequence[Sentence], sources: Sequence[Source]) -> list[Quotation]:
    """By source, in the order in which their first sentences were chosen; opinions last."""
    by_source: dict[int, list[str]] = {}
    for one in chosen:
        by_source.setdefault(one.source, []).append(one.quote)
    ordered = sorted(by_source, key=lambda place: sources[place].evidence.is_opinion)
    return [Quotation(sources[place].evidence, tuple(by_source[place])) for place in ordered]
