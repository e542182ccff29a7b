"""A question as people ask it: its language, the units it names, its kind, and which of its words state a fact.

The words by which people ask stand as data in ``words/``. Everything that composes an answer reads this one result.
"""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property, lru_cache

from ask.asides import asides
from ask.asked_units import AskedUnit, asked_units
from ask.chat_spelling import spelt_out
from ask.concepts import ConceptMention, details, groups, mentions, nearest
from ask.figures import with_holders
from ask.language import Language, language_of
from ask.patterns import WORDS, pattern
from knowledge.linking.gazetteer import version_at_hand
from knowledge.linking.store import Said
from knowledge.search.exact_names import exactly_named
from knowledge.search.morphemes import NAME_TAG, NUMBER_TAG, Token, normalise
from knowledge.search.query import WEAK_WEIGHT
from knowledge.search.ranking import UnderstoodQuestion, understand
from knowledge.search.statistics import read_corpus
from knowledge.search.words import terms

_FINAL_RIEUL = 8  # the place of ㄹ among the 28 finals of a syllable
_SYLLABLES = 0xAC00
# "…ㄹ까" at the end of what is said asks for advice or a forecast, but for these, which only ask.
_ONLY_ASKS = re.compile(
    r"(?:뭘|일|누굴|얼말|어딜|왤|있을|그럴)까|"
    r"(?:(?:신고|신청|문의|확인|조회|제출|연락|가입|인증|어떻게\s*)하|내|알|찾으|받으)면\s*될까"
)
_MAY_ADVISE = re.compile(r"([가-힣])까(?=요|\s*(?:$|[?!.,~])|\s+(?:궁금|요즘|봐))")
# What a word of the same group weighs in retrieval, of the asked one.
SYNONYM_WEIGHT = 0.4
# How much a missing word counts, of what it tells: beside what is asked, and where no record has it.
ASIDE_WANTED = 0.25
UNKNOWN_WANTED = 0.5
# Proper and common nouns, foreign words, hanja, roots: what a question is about stands in them.
_NOUNS = frozenset({"NNG", "NNP", "NNB", "SL", "SH", "XR", NAME_TAG})
# English verbs that no record has are seldom what a question is about: ditched, sitting.
_VERB_OR_ADVERB = re.compile(r"[a-z]{3,}(?:ed|ing|ly)")
# "어떤 단체인가요" asks what something is: the noun says no more of it than "무엇" does.
_WHAT_SORT = re.compile(
    r"(?:어떤|무슨|뭐\s?하는|뭔)\s*([가-힣]+?)(?:인가|이야|이에요|예요|인지|인데|입니까|이냐|야|임(?![가-힣]))"
)
# What stands before a name in brackets.
_GLOSSED = re.compile(r"([\w.&-]+)\s?\(\Z")
# 22년 is a year as well; 10년 as often a span of time.
_YEAR = re.compile(
    r"(?<!\d)(?:((?:19|20)\d\d)(?!\d)|([12]\d)년(?!\s*(?:간|동안|째|만|형|전|뒤|후|이상|이하)))"
)


class QuestionKind(StrEnum):
    """What a question asks for."""

    DEFINITION = "definition"
    WHEN = "when"
    WHO = "who"
    WHY = "why"
    HOW_MUCH = "how-much"
    HOW_MANY = "how-many"
    LIST = "list"
    WHICH = "which"
    HOW_STEPS = "how-steps"
    WHAT_HAPPENED = "what-happened"
    DIFFERENCE = "difference"
    YES_NO = "yes-no"
    NOW = "now"
    ADVICE = "advice"


# Where several kinds of words stand in a question, the first of these is meant: "어떻게" asks for steps unless "됐어"
# follows, and "what" defines unless something says more.
_ORDER = (
    QuestionKind.WHY,
    QuestionKind.DIFFERENCE,
    QuestionKind.WHAT_HAPPENED,
    QuestionKind.LIST,
    QuestionKind.WHEN,
    QuestionKind.WHO,
    QuestionKind.HOW_MANY,
    QuestionKind.HOW_MUCH,
    QuestionKind.WHICH,
    QuestionKind.HOW_STEPS,
    QuestionKind.DEFINITION,
    QuestionKind.YES_NO,
)
# Asked with a word for now, these may still mean what happened or why.
_BEFORE_NOW = (
    QuestionKind.WHY,
    QuestionKind.DIFFERENCE,
    QuestionKind.WHAT_HAPPENED,
    QuestionKind.WHO,
    QuestionKind.LIST,
)
# Whatever else it says, a question that begins with "does" wants yes or no, unless it means one of these.
_EVEN_WHETHER = (QuestionKind.WHY, QuestionKind.DIFFERENCE, QuestionKind.WHAT_HAPPENED, QuestionKind.LIST)

# Words of the other kinds stand in what is only looked for, too: 규제 목록, 업비트 해킹.
_SURELY_ASK = frozenset(_ORDER) - {
    QuestionKind.LIST,
    QuestionKind.WHAT_HAPPENED,
    QuestionKind.WHICH,
    QuestionKind.YES_NO,
} | {QuestionKind.NOW, QuestionKind.ADVICE}
_ENDS_ASKING = re.compile(
    r"(?:[나까가어아에예]요|니까|뭐야|뭔가|누구야|언제야|(?:있|없|했|됐|났|였|렸|졌)(?:어|나|니|냐)|(?:되|하)나|"
    r"(?:알려|설명해|말해|가르쳐)\s*(?:줘|주세요|달라))[.!~\s]*$"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question that states a fact, neither a name nor one that asks.

    ``written``: as it stands there. ``parts``: its morphemes, each in its dictionary form and as written.
    ``tells``: how much it tells, a weight times an idf. ``is_unknown``: a noun that no passage has. ``concepts``: what
    it asks for, by their numbers. ``is_aside``: it stands beside what is asked. ``is_detail``: few records tell it.
    """

    written: str
    parts: tuple[tuple[str, str], ...]
    tells: float
    is_noun: bool
    is_unknown: bool
    concepts: frozenset[int] = frozenset()
    is_aside: bool = False
    is_detail: bool = False

    @property
    def wanted(self) -> float:
        """How much it counts against a text that does not tell it: little beside what is asked, and less where it is a
        word that no record has and that is known to ask for nothing."""
        aside = ASIDE_WANTED if self.is_aside else 1.0
        return self.tells * aside * (UNKNOWN_WANTED if self.is_unknown and not self.concepts else 1.0)


@dataclass(frozen=True)
class AskedQuestion:
    """A question as it was understood.

    ``words`` state a fact; ``phrases`` stand for a unit without being its name, such as what it is a part of;
    ``years`` are those that the question mentions; ``beside_names`` is its text without the names of units;
    ``surfaces`` are these names as they are written, in lower case; ``units`` the named ones that are public.
    """

    understood: UnderstoodQuestion
    lang: Language
    kind: QuestionKind
    words: tuple[Word, ...]
    phrases: tuple[Word, ...]
    years: tuple[str, ...]
    beside_names: str
    surfaces: tuple[str, ...] = ()
    units: tuple[AskedUnit, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """The public ids of the units that the question names, in order."""
        return self.understood.named

    @property
    def compares(self) -> bool:
        return self.kind is QuestionKind.DIFFERENCE and len(self.named) > 1

    @cached_property
    def widened(self) -> UnderstoodQuestion:
        """The question with the words that answer its own, each for a part of what the asked one weighs."""
        lexical = self.understood.lexical
        weights = dict(lexical.weights)
        for word in self.words:
            weight = max(lexical.weights.get(term, WEAK_WEIGHT) for term, _surface in word.parts)
            for concept in word.concepts:
                for other in _terms_of(concept, version_at_hand()):
                    weights.setdefault(other, SYNONYM_WEIGHT * weight)
        if len(weights) == len(lexical.weights):
            return self.understood
        corpus = read_corpus(weights)
        asked = replace(lexical, weights=weights).keep_top_terms(corpus)
        return replace(self.understood, lexical=asked, corpus=corpus)


def read(question: str) -> AskedQuestion:
    """Read a question once for retrieval, choosing and refusing."""
    question = spelt_out(question)
    # Whatever else it says, what speaks of no named unit answers nothing: these tell as much as words.
    understood, kind = with_holders(understand(question, entity_weight=1.0)), _kind_asked(question)
    lexical, asked = understood.lexical, understood.said
    units = asked_units(understood.named)
    said = _with_glossed(lexical.text, [(one.start, one.end) for one in asked])
    sorts = (
        [found.span(1) for found in _WHAT_SORT.finditer(lexical.text)]
        if kind is QuestionKind.DEFINITION
        else []
    )
    short_years = [found.span(2) for found in _YEAR.finditer(lexical.text) if found[2]]
    dropped = asking_words(now=kind is QuestionKind.NOW).union(*(one.words for one in units))
    words = _words(understood, [*said, *sorts, *short_years], dropped)
    understood = _beside_sorts(understood, asked, sorts)
    return AskedQuestion(
        understood=understood,
        lang=language_of(question),
        kind=kind or (QuestionKind.WHICH if words else QuestionKind.DEFINITION),
        words=words,
        phrases=_phrases(understood, [(one.start, one.end) for one in asked if one.is_phrase]),
        years=tuple(full or f"20{short}" for full, short in _YEAR.findall(question)),
        beside_names=_without(lexical.text, said),
        surfaces=tuple(lexical.text[one.start : one.end].lower() for one in asked if not one.is_phrase),
        units=tuple(one for one in units if one.unit.public_id in understood.named),
    )


def _beside_sorts(
    question: UnderstoodQuestion, asked: Sequence[Said], sorts: Iterable[tuple[int, int]]
) -> UnderstoodQuestion:
    """The question without the units that only say of what sort another is: 피르마체인은 뭐하는 알트코인임."""
    sort = {
        public_id
        for one in asked
        if any(start <= one.start and one.end <= end for start, end in sorts)
        for public_id in one.public_ids
    }
    others = tuple(one for one in question.named if one not in sort)
    return replace(question, named=others) if sort and others else question


def kind_of(question: str) -> QuestionKind | None:
    """What a question asks for, by its words alone; None where none of them asks. What is no more than a name then
    wants its definition, and anything else what it says of it."""
    lang, asked = language_of(question), question.strip().rstrip("?!？.~ ").lower()
    if _advises(asked, lang):
        return QuestionKind.ADVICE
    found = [kind for kind in _ORDER if pattern("kinds", kind, lang).search(asked)]
    if pattern("kinds", "whether", lang).search(asked) and not any(kind in found for kind in _EVEN_WHETHER):
        return QuestionKind.YES_NO
    if _is_now(asked, lang) and not any(kind in found for kind in _BEFORE_NOW):
        return QuestionKind.NOW
    return found[0] if found else None


def _kind_asked(question: str) -> QuestionKind | None:
    """What the clause that asks asks for, or else the whole question; advice and forecasts are known by all of it."""
    whole = kind_of(question)
    if whole is QuestionKind.ADVICE:
        return whole
    asking = _without(question, asides(question, language_of(question), _has_kind)).strip()
    return kind_of(asking) or whole if language_of(asking) == language_of(question) else whole


def _has_kind(part: str) -> bool:
    return kind_of(part) is not None


def is_question(text: str) -> bool:
    """Whether somebody asks, rather than naming what to look for: by a question mark, an ending or words that ask."""
    written = text.strip()
    if written.endswith(("?", "？")) or _ENDS_ASKING.search(written):
        return True
    # Syllables that ask end names as well: 솔라나, 펜들, 캔톤네트워크.
    return " " in written and kind_of(written) in _SURELY_ASK and not exactly_named(written)


def _advises(asked: str, lang: Language) -> bool:
    if pattern("kinds", QuestionKind.ADVICE, lang).search(asked):
        return True
    if pattern("now", "ahead", lang).search(asked) and pattern("now", "figure", lang).search(asked):
        return True
    left = _ONLY_ASKS.sub("", asked)
    return any((ord(found[1]) - _SYLLABLES) % 28 == _FINAL_RIEUL for found in _MAY_ADVISE.finditer(left))


def _is_now(asked: str, lang: Language) -> bool:
    """Whether a figure is asked for as it is now."""
    return all(pattern("now", part, lang).search(asked) for part in ("now", "figure"))


def _without(text: str, places: Iterable[tuple[int, int]]) -> str:
    left = list(text)
    for start, end in places:
        left[start:end] = " " * len(left[start:end])
    return "".join(left)


def _with_glossed(text: str, names: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places of names, and of words that a name in brackets right behind them explains: 룬씨(LUNC)."""
    glossed = (
        found.span(1)
        for start, end in names
        if text[end : end + 1] == ")" and (found := _GLOSSED.search(text, 0, start))
    )
    return [*names, *glossed]


def _words(
    understood: UnderstoodQuestion, names: Sequence[tuple[int, int]], left_out: Set[str]
) -> tuple[Word, ...]:
    """Morphemes that touch or overlap are one word; numbers and Latin words stand alone."""
    lexical, information = understood.lexical, understood.information
    text = normalise(lexical.text)
    named = {
        token.term for token in lexical.tokens if any(s < token.end and token.start < e for s, e in names)
    }
    dropped = named | left_out
    runs: list[list[Token]] = []
    for token in lexical.tokens:
        # The analyser takes some words apart, 날짜 into 날 and 짜, each at the place of the whole.
        if token.term not in information or not dropped.isdisjoint(
            (token.term, text[token.start : token.end])
        ):
            continue
        if runs and _continues(runs[-1][-1], token):
            runs[-1].append(token)
        else:
            runs.append([token])
    asked = [
        one for one in mentions(lexical.text) if not any(s < one.end and one.start < e for s, e in names)
    ]
    beside = asides(text, language_of(text), _has_kind)
    return tuple(
        replace(_word(run, understood, asked), is_aside=any(s <= run[0].start < e for s, e in beside))
        for run in runs
    )


def _phrases(understood: UnderstoodQuestion, places: Iterable[tuple[int, int]]) -> tuple[Word, ...]:
    """Each phrase as one word, which a text answers that has it, or all that it is made of."""
    tokens, spoken = understood.lexical.tokens, mentions(understood.lexical.text)
    runs = ([token for token in tokens if start <= token.start < end] for start, end in places)
    return tuple(_word(run, understood, spoken) for run in runs if run)


def _continues(before: Token, token: Token) -> bool:
    if token.start < before.end:
        return True
    return before.end == token.start and token.tag != NUMBER_TAG and not token.term[0].isascii()


def _word(run: Sequence[Token], understood: UnderstoodQuestion, asked: Iterable[ConceptMention]) -> Word:
    text = normalise(understood.lexical.text)
    start, end = run[0].start, max(token.end for token in run)
    may_be_noun = any(token.tag in _NOUNS and token.term not in _not_nouns() for token in run)
    is_recorded = all(understood.corpus.df(token.term) for token in run)
    is_noun = may_be_noun and (is_recorded or not _VERB_OR_ADVERB.fullmatch(text, start, end))
    concepts = frozenset().union(*(one.concepts for one in asked if start < one.end and one.start < end))
    if not concepts and may_be_noun and not is_recorded:
        concepts = nearest(text[start:end])
    return Word(
        written=text[start:end],
        parts=tuple((token.term, text[token.start : token.end]) for token in run),
        tells=max(understood.information.get(token.term, 1.0) for token in run),
        is_noun=is_noun,
        is_unknown=is_noun and not is_recorded,
        concepts=concepts,
        is_detail=not concepts.isdisjoint(details()),
    )


@cache
def asking_words(*, now: bool = False) -> frozenset[str]:
    """Words that ask and state no fact, and those that state little where everything is about coins; ``now`` adds
    those by which a figure is asked for."""
    lists = ("asking", "asking_now") if now else ("asking",)
    return frozenset(word for name in lists for line in _lines(name) for word in line)


@cache
def _not_nouns() -> frozenset[str]:
    """English words that are no nouns: the analyser tells Latin words from nothing else."""
    return frozenset(word for line in _lines("not_nouns") for word in line)


@lru_cache(maxsize=4096)
def _terms_of(concept: int, _names: str) -> tuple[str, ...]:
    """The morphemes of a concept's words, by these names; those of one character say too little."""
    return tuple(dict.fromkeys(one for word in groups()[concept] for one in terms(word) if len(one) > 1))


def _lines(name: str) -> list[list[str]]:
    text = (WORDS / f"{name}.txt").read_text(encoding="utf-8")
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]
