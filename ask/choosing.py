"""Which sentences of the evidence answer a question without a model, verbatim; or that none does.

The units that were found are read whole, in the language of the question. The sentence that answers best leads; what
belongs to it in its source follows in the order of the record. Where not even the best one answers, nothing is quoted.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ask import marks
from ask.coverage import body_of, held, share
from ask.evidence import Evidence
from ask.kind_evidence import NEED_NUMBER, points_back
from ask.patterns import pattern
from ask.questions import AskedQuestion, QuestionKind
from ask.relevance import Candidate, SourceText, answered, candidates, units_mentioned
from knowledge.linking.store import series_named
from knowledge.models import Category, Unit

SENTENCES_MAX = 6
CHARACTERS_MAX = 900  # of all quoted sentences together
NEAR_BEST = 7.0  # how much lower than the best a sentence of its source may score to stand beside it
NEAR_LEAD = 2.0  # how much lower one may score that leads for its date, number or list
NEAR_EVENT = 1.0  # and one of the record of an event
NEAR_BEST_ELSEWHERE = 1.0  # and one of another source, where several may answer
ELSEWHERE_MAX = 1  # sentences of each other source
FIGURE_HELD_MIN = 0.5  # of the words, held by a figure and the names of its series
FIGURES_MAX = 2
OPINIONS_MAX = 1  # sentence of an AI persona, behind the records
OPINION_HELD_MIN = 0.8  # of the words
OPINION_WORDS_MIN = 2  # of the question: one alone is met by chance
COMPARED_MAX = 3  # sentences of each unit that is compared
# How many sentences an answer of a kind has at most; an event is told whole.
LONGEST: Mapping[QuestionKind, int] = {
    QuestionKind.WHAT_HAPPENED: 6,
    QuestionKind.LIST: 6,
    QuestionKind.WHY: 5,
    QuestionKind.HOW_STEPS: 5,
    QuestionKind.DIFFERENCE: 5,
}
LONGEST_OTHERWISE = 3
REPEATED = 0.8  # of the words of the longer of two sentences
LISTED_IN_ONE_MIN = 2  # units of a list that one sentence may name instead
# What somebody thinks is never told where one of these is asked for.
_NO_OPINION = (QuestionKind.DEFINITION, *NEED_NUMBER)


@dataclass(frozen=True, slots=True)
class Quotation:
    """Sentences of one piece of evidence, in the order in which they are said."""

    evidence: Evidence
    sentences: tuple[str, ...]


def listed(question: AskedQuestion, evidence: Sequence[Evidence]) -> list[Quotation]:
    """What each unit is that the question wants listed, in the order of the list; or the one sentence in which the
    record of the named unit names them all. Empty where no list is wanted."""
    units = [one for one in evidence if one.listed_among]
    if units and (naming := _naming_all(units, records(question, evidence), question)):
        return [naming]
    return [Quotation(one, tuple(each.strip() for each in one.sentences[:1])) for one in units]


def _naming_all(
    units: Sequence[Evidence], sources: Iterable[SourceText], question: AskedQuestion
) -> Quotation | None:
    wanted = {one.hit.unit.public_id for one in units if one.hit.unit is not None}
    if len(wanted) < max(LISTED_IN_ONE_MIN, units[0].listed_among):
        return None
    for source in sources:
        if source.public_id in question.named and source.public_id not in wanted:
            for sentence in source.sentences:
                if wanted <= units_mentioned(sentence):
                    return Quotation(source.evidence, (sentence,))
    return None


def quote(question: AskedQuestion, evidence: Sequence[Evidence]) -> list[Quotation]:
    """The sentences that answer, by source, the one that answers best first; empty where none does."""
    if not _asks_records(question):
        return []
    sources = records(question, evidence)
    found = candidates(question, sources)
    compared = _compared(sources, found, question) if question.compares else []
    if compared and (not question.words or _tells_difference(sources, found, question)):
        # Who asks for no more than how two things differ is told what either is; and so is whoever asks for more where
        # a record of theirs says outright how they differ.
        return compared
    event = _of_named_event(found, sources, question)
    best = event or _best(found, sources, question)
    if best is not None and question.kind is QuestionKind.LIST:
        best = _telling(best, found)
    if best is None or not (event or answered(question, found, best)):
        return []
    if compared:
        return compared
    chosen = _chosen(_leading(best, found, question), found, sources, question)
    return [*_grouped(chosen, sources), *_opinions(question, evidence)]


def nearest(question: AskedQuestion, evidence: Sequence[Evidence]) -> list[tuple[str, str]]:
    """Where nothing answers, the sentence of each unit found that comes nearest to the question, with the key of its
    page, the nearest first; empty where no record could answer."""
    if not _asks_records(question):
        return []
    sources = records(question, evidence)
    best: dict[str, str] = {}
    for one in sorted(candidates(question, sources), key=_worth, reverse=True):
        if sources[one.source].public_id:
            best.setdefault(sources[one.source].evidence.page_key, one.quote)
    return list(best.items())


def _asks_records(question: AskedQuestion) -> bool:
    """Whether a sentence of the records may answer: what is so now is told by figures alone, and where nothing is named
    and nothing stated, no record speaks of it."""
    if question.kind in (QuestionKind.ADVICE, QuestionKind.NOW):
        return False
    return bool(question.words or question.named or question.phrases)


def _of_named_event(
    found: Iterable[Candidate], sources: Sequence[SourceText], question: AskedQuestion
) -> Candidate | None:
    """Where it is asked what happened at an event, the best sentence of its record: that tells all of it."""
    if question.kind is not QuestionKind.WHAT_HAPPENED:
        return None
    own = (one for one in found if one.figures["isEvent"] and sources[one.source].public_id in question.named)
    return max(own, key=_worth, default=None)


def figures(question: AskedQuestion, evidence: Sequence[Evidence]) -> list[Quotation]:
    """What is measured now of that which was asked for; empty unless it is what the question means."""
    measured = [one for one in evidence if one.is_figure]
    if not measured or not _means_now(question, measured):
        return []
    shares = [
        (share(held(question.words, f"{one.hit.title} {one.hit.text}"), question.words), one)
        for one in measured
    ]
    most = max(told for told, _one in shares)
    if question.words and most < FIGURE_HELD_MIN:
        return []
    meant = [one for told, one in shares if told == most]
    return [Quotation(one, (one.hit.text,)) for one in meant[:FIGURES_MAX]]


def _means_now(question: AskedQuestion, measured: Iterable[Evidence]) -> bool:
    """Whether a figure of now may answer: what is counted, what was once and what somebody holds stand in the
    records."""
    asked, lang = question.understood.lexical.text.strip().lower(), question.lang
    match question.kind:
        case QuestionKind.NOW:
            return True
        case QuestionKind.DEFINITION:
            # Whoever writes no more than the name of a series wants its value.
            return pattern("kinds", QuestionKind.DEFINITION, lang).search(asked) is None
        case QuestionKind.HOW_MANY if not series_named(asked):
            return False
        case QuestionKind.HOW_MANY | QuestionKind.HOW_MUCH:
            is_past = question.years or pattern("now", "past", lang).search(asked)
            return not is_past and _names_only_what_is_measured(question, measured)
        case _:
            return False


def _names_only_what_is_measured(question: AskedQuestion, measured: Iterable[Evidence]) -> bool:
    """Whether the question names the units of the figures and at most the exchanges where they are traded."""
    holders = {one.hit.landing_unit.public_id for one in measured if one.hit.landing_unit is not None}
    others = [one for one in question.named if one not in holders]
    units = Unit.objects.published().with_public_ids(others) if others else ()
    return all(unit.category == Category.EXCHANGE for unit in units)


def _worth(one: Candidate) -> tuple[float, int, int]:
    return one.score, -one.source, -one.position


def _best(
    found: Sequence[Candidate], sources: Sequence[SourceText], question: AskedQuestion
) -> Candidate | None:
    """The sentence that scores highest; or one nearly as good that answers as much, of an event of a named unit or of
    the unit itself: what another says beside its own subject comes second. A unit is defined by its own record."""
    highest = max(found, key=_worth, default=None)
    if highest is None or not question.named:
        return highest
    if question.kind not in (QuestionKind.LIST, QuestionKind.DEFINITION):
        if _is_of_event(highest, sources, question):
            return highest
        if (told := _told_by_event(highest, found, sources, question)) is not None:
            return told
    if sources[highest.source].public_id in question.named or not highest.figures["isUnit"]:
        return highest
    near = (
        one
        for one in found
        if (_is_own(one, highest, sources, question) or _reports_of_it(one, highest))
        and (question.kind is QuestionKind.DEFINITION or one.score > highest.score - NEAR_LEAD)
        and one.fits >= highest.fits
    )
    return max(near, key=_worth, default=highest)


def _told_by_event(
    highest: Candidate,
    found: Iterable[Candidate],
    sources: Sequence[SourceText],
    question: AskedQuestion,
) -> Candidate | None:
    """The best sentence of an event of what is named, if it is nearly as good and speaks of as much."""
    near = (
        one
        for one in found
        if _is_of_event(one, sources, question)
        and one.score > highest.score - NEAR_EVENT
        and all(one.figures[name] >= highest.figures[name] for name in ("held", "said", "namedShare"))
    )
    return max(near, key=_worth, default=None)


def _is_own(
    one: Candidate, highest: Candidate, sources: Sequence[SourceText], question: AskedQuestion
) -> bool:
    """Whether a sentence is of a named unit's own record and answers as much of the question."""
    is_named = sources[one.source].public_id in question.named
    return is_named and one.figures["held"] >= highest.figures["held"]


def _reports_of_it(one: Candidate, highest: Candidate) -> bool:
    """Whether a document says as much of what is named, while the record that scores highest does not mention it."""
    figures, others = one.figures, highest.figures
    return (
        not figures["isUnit"]
        and figures["mentions"] > others["namedShare"]
        and figures["said"] >= others["said"]
    )


def _is_of_event(one: Candidate, sources: Sequence[SourceText], question: AskedQuestion) -> bool:
    """Whether a sentence is of the record of a named event, or of an event of a named unit."""
    is_named = sources[one.source].public_id in question.named
    return bool(one.figures["isEvent"] and (is_named or one.figures["connected"]))


def records(question: AskedQuestion, evidence: Iterable[Evidence]) -> list[SourceText]:
    """Units and documents as they are read; figures and opinions are no sentences of the records."""
    told = [one for one in evidence if not one.is_figure and not one.is_opinion]
    own = [one for one in told if one.hit.lang.startswith(question.lang)]
    # Never two languages in one answer, and the other only where the own one has nothing.
    return [_read(one) for one in own or told[:1]]


def _read(evidence: Evidence) -> SourceText:
    sentences = tuple(_quotable(evidence))
    return SourceText(evidence, sentences, *_asked_of(evidence, sentences))


def _asked_of(evidence: Evidence, sentences: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """The readers' questions that each sentence answers, and those that the source as a whole does, in its language."""
    korean = evidence.hit.lang.startswith("ko")
    own = [one for one in evidence.reader_questions if one.is_korean == korean]
    of_one = [[one for one in own if one.told_by and one.told_by in sentence] for sentence in sentences]
    of_all = (one.asked for one in own if not any(one in group for group in of_one))
    return tuple("\n".join(one.asked for one in group) for group in of_one), "\n".join(of_all)


def _quotable(evidence: Evidence) -> Iterator[str]:
    """A document's title is what its outlet says; a unit's or a persona's is only its name."""
    hit = evidence.hit
    titles = [hit.title] if hit.document is not None else []
    for sentence in (*titles, *evidence.sentences):
        said = marks.without_foreign(sentence).strip()
        if said and len(said) <= CHARACTERS_MAX and not (hit.post is None and marks.POSES.match(said)):
            yield said


def _telling(best: Candidate, found: Iterable[Candidate], near_lead: float = NEAR_LEAD) -> Candidate:
    """The sentence itself if it says what the kind asks for, or else the best of these that does and is nearly as good:
    of a list, the one that lists."""
    near = (one for one in found if _tells(one) and one.score > best.score - near_lead)
    return best if _tells(best) else max(near, key=_worth, default=best)


def _tells(one: Candidate) -> bool:
    """Whether a sentence says what the kind asks for, in the unit that is asked for."""
    return one.fits and not one.figures["numberMissing"]


def _leading(best: Candidate, found: Iterable[Candidate], question: AskedQuestion) -> Candidate:
    """The sentence to begin with: where no more than a name is asked for, one of the same source that defines it; where
    a date or a number, one that has it; where yes or no, one that says more than what its subject is."""
    own = [one for one in found if one.source == best.source]
    if question.kind is QuestionKind.DEFINITION and not question.words:
        return _telling(best, own, NEAR_BEST)
    if question.kind in NEED_NUMBER:
        return _telling(best, own, NEAR_BEST if best.figures["numberMissing"] else NEAR_LEAD)
    if question.kind is QuestionKind.YES_NO and question.words and not best.position:
        further = [one for one in own if one.position and _says_as_much(one, best)]
        return max(further, key=_worth, default=best)
    return best


def _says_as_much(one: Candidate, best: Candidate) -> bool:
    """Whether a sentence nearly as good speaks of as much of the question."""
    return one.score > best.score - NEAR_LEAD and all(
        one.figures[name] >= best.figures[name] for name in ("held", "lastHeld", "phrase", "fits")
    )


def _chosen(
    best: Candidate, found: Sequence[Candidate], sources: Sequence[SourceText], question: AskedQuestion
) -> list[Candidate]:
    """The best sentence, the one that names its subject, and others nearly as good; those of the leading source in the
    record's order behind the first."""
    own = [one for one in found if one.source == best.source]
    if question.kind is QuestionKind.WHAT_HAPPENED:
        return _told_on(best, own, question)
    wanted = [best, *sorted(own, key=_worth, reverse=True)]
    if best.position and points_back(best.quote, question.lang):
        wanted.insert(0, own[best.position - 1])
    near = [one for one in wanted if one.score > best.score - NEAR_BEST or one in wanted[:2]]
    longest = LONGEST.get(question.kind, LONGEST_OTHERWISE)
    kept = _within([*near, *_elsewhere(best, found, sources, question)], longest)
    led = kept[: 1 + (kept[0] is not best)]
    return led + sorted(
        (one for one in kept if one not in led),
        key=lambda one: (
            one.source != best.source,
            -one.score if one.source != best.source else one.position,
        ),
    )


def _told_on(best: Candidate, own: Sequence[Candidate], question: AskedQuestion) -> list[Candidate]:
    """What happened: an event from its beginning; of anything else what is asked for, and how it went on."""
    if best.figures["isEvent"] or not question.words:
        return _within(own, SENTENCES_MAX)
    return _within([one for one in own if one.position >= best.position], SENTENCES_MAX)


def _elsewhere(
    best: Candidate, found: Iterable[Candidate], sources: Sequence[SourceText], question: AskedQuestion
) -> list[Candidate]:
    """The best sentences of other sources, where several may answer: a list, and what outlets report."""
    if question.kind is not QuestionKind.LIST and sources[best.source].public_id:
        return []
    said: dict[int, int] = {}
    kept = []
    for one in sorted(found, key=_worth, reverse=True):
        if one.source == best.source or one.score <= best.score - NEAR_BEST_ELSEWHERE:
            continue
        said[one.source] = said.get(one.source, 0) + 1
        if said[one.source] <= ELSEWHERE_MAX:
            kept.append(one)
    return kept


def _within(wanted: Iterable[Candidate], longest: int) -> list[Candidate]:
    """As many of these as an answer may have, none that says what another has said."""
    kept: list[Candidate] = []
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
    first, second = body_of(one).terms, body_of(other).terms
    return (
        len(first & second) >= REPEATED * max(len(first), len(second)) if first and second else one == other
    )


def _compared(
    sources: Sequence[SourceText], found: Iterable[Candidate], question: AskedQuestion
) -> list[Quotation]:
    """A paragraph for each unit that is compared, in the order of the question, but what says of all of them how they
    differ leads; empty unless two have something."""
    by_source: dict[int, list[Candidate]] = {}
    for one in found:
        by_source.setdefault(one.source, []).append(one)
    places = {source.public_id: place for place, source in reversed(list(enumerate(sources)))}
    wanted = [places[public_id] for public_id in question.named if public_id in places]
    contrasting = (one for place in wanted for one in by_source.get(place, ()) if _contrasts(one))
    of_all = max(contrasting, key=_worth, default=None)
    paragraphs = []
    for place in sorted(wanted, key=lambda place: of_all is None or place != of_all.source):
        first = sorted(
            by_source.get(place, ()), key=lambda one: (one is not of_all, one.position > 0, -one.score)
        )
        kept = sorted(_within(first, COMPARED_MAX), key=lambda one: (one is not of_all, one.position))
        if kept:
            paragraphs.append(Quotation(sources[place].evidence, tuple(one.quote for one in kept)))
    return paragraphs if len(paragraphs) > 1 else []


def _tells_difference(
    sources: Sequence[SourceText], found: Iterable[Candidate], question: AskedQuestion
) -> bool:
    return any(_contrasts(one) and sources[one.source].public_id in question.named for one in found)


def _contrasts(one: Candidate) -> bool:
    """Whether a sentence says of all that is compared how it differs."""
    return one.fits and one.figures["mentions"] == 1.0


def _grouped(chosen: Sequence[Candidate], sources: Sequence[SourceText]) -> list[Quotation]:
    """By source, in the order in which their first sentences were chosen."""
    by_source: dict[int, list[str]] = {}
    for one in chosen:
        by_source.setdefault(one.source, []).append(one.quote)
    return [Quotation(sources[place].evidence, tuple(quotes)) for place, quotes in by_source.items()]


def _opinions(question: AskedQuestion, evidence: Iterable[Evidence]) -> list[Quotation]:
    """What AI personas say to the point, apart from the records and behind them."""
    if question.kind in _NO_OPINION or len(question.words) < OPINION_WORDS_MIN:
        return []
    told = [_read(one) for one in evidence if one.is_opinion and one.hit.lang.startswith(question.lang)]
    said = [
        (share(held(question.words, sentence), question.words), -place, sentence)
        for place, source in enumerate(told)
        for sentence in source.sentences
    ]
    best = sorted((one for one in said if one[0] >= OPINION_HELD_MIN), reverse=True)[:OPINIONS_MAX]
    return [Quotation(told[-place].evidence, (sentence,)) for _held, place, sentence in best]
