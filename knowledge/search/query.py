"""What a question asks for: weighted lexemes, neighbouring pairs, and the words that only ask."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from knowledge.models.search import LEXEME_MAX_LENGTH
from knowledge.search import morphemes, words
from knowledge.search.lexemes import entity_lexeme
from knowledge.search.morphemes import NAME_TAG, Token
from knowledge.search.statistics import Corpus

QUESTION_LEXEMES_MAX = 24
WEAK_TAGS = frozenset(("VV", "VA", "MAG", "NR", morphemes.NUMBER_TAG))
PART_WEIGHT = 0.2  # of a morpheme beside the name that it is part of
ENTITY_WEIGHT = 0.5  # of a unit beside the words that name it
WEAK_WEIGHT = 0.6  # verbs, adverbs and numerals say less about what is meant than nouns do

# Words that ask. English has no particles for the analyser to drop, so its function words stand here too.
QUESTION_WORDS = frozenset(
    """
    왜 무엇 누구 언제 어디 어떤 어떻 어떻게 어찌 어느 얼마 얼마나 몇 무슨 뭐 뭘 뭔가
    what who whom whose when where why how which
    a an the of in on at to for from by with about as and or but not no if than then so
    is are was were be been being am do does did done has have had can could will would should may might
    i me my we our you your he him his she her it its they them their this that these those there
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Question:
    """Its content words where they stand, how much each lexeme counts, and which words stand side by side."""

    text: str
    tokens: tuple[Token, ...]
    weights: dict[str, float]
    pairs: tuple[tuple[str, str], ...]

    def with_whole_names(self, corpus: Corpus) -> "Question":
        """The question in which a name stands for itself, or its morphemes for one that no passage holds as a whole.

        Beside a name its morphemes weigh little and are no tokens: they find what was indexed before it was known.
        """
        parts: set[Token] = set()
        unheld: set[Token] = set()
        for name in (token for token in self.tokens if token.tag == NAME_TAG):
            within = {one for one in self.tokens if name.start <= one.start and one.end <= name.end}
            if corpus.df(_lexeme(name)):
                parts |= within - {name}
            elif len(within) > 1:
                unheld.add(name)
        if not parts | unheld:
            return self
        kept = tuple(one for one in self.tokens if one not in parts | unheld)
        beside, lost = (set(map(_lexeme, some)).difference(map(_lexeme, kept)) for some in (parts, unheld))
        return replace(
            self,
            tokens=kept,
            weights={
                lexeme: weight * PART_WEIGHT if lexeme in beside else weight
                for lexeme, weight in self.weights.items()
                if lexeme not in lost
            },
            pairs=_pairs(kept),
        )

    def keep_top_terms(self, corpus: Corpus) -> "Question":
        """The question with only those known lexemes that tell most, and the pairs they form. Lexemes that no passage
        holds cost nothing to keep, and say how much of the question is not covered."""
        known = [lexeme for lexeme in self.weights if corpus.df(lexeme)]
        known.sort(key=lambda lexeme: -self.weights[lexeme] * corpus.idf(lexeme))
        kept, dropped = set(known[:QUESTION_LEXEMES_MAX]), set(known[QUESTION_LEXEMES_MAX:])
        return replace(
            self,
            weights={lexeme: weight for lexeme, weight in self.weights.items() if lexeme not in dropped},
            pairs=tuple(pair for pair in self.pairs if kept.issuperset(pair)),
        )


def read_question(
    question: str, entities: Iterable[str] = (), *, entity_weight: float = ENTITY_WEIGHT
) -> Question:
    """A question in Korean or English, and the public ids of the units it names, each of which weighs as said."""
    tokens = tuple(token for token in words.analyse(question) if token.term not in QUESTION_WORDS)
    weights: dict[str, float] = {}
    for token in tokens:
        weight = WEAK_WEIGHT if token.tag in WEAK_TAGS else 1.0
        weights[_lexeme(token)] = max(weight, weights.get(_lexeme(token), 0.0))
    weights.update((entity_lexeme(public_id), entity_weight) for public_id in entities)
    return Question(question, tokens, weights, _pairs(tokens))


def _lexeme(token: Token) -> str:
    return token.term[:LEXEME_MAX_LENGTH]


def _pairs(tokens: Iterable[Token]) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys(pairwise(map(_lexeme, tokens))))
