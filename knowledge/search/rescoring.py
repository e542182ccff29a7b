"""The best hundred by BM25 scored again, by what their texts show.

BM25 over morphemes misses what the analyser cuts differently in question and text; character bigrams, weighed inside
the hundred, bring it back. Words that stand together in the question count more where they stand together in the text,
a sentence that defines what the question asks to define counts, old news loses, and a list of questions answers none.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from itertools import compress, pairwise
from typing import NamedTuple

from knowledge.models.search import PassageKind
from knowledge.search import morphemes
from knowledge.search.definitions import defined_subject, defining_sentence
from knowledge.search.query import Question
from knowledge.search.scoring import K1, B, Scored
from knowledge.search.statistics import Corpus

BIGRAM_WEIGHT = 0.4
ADJACENCY_WEIGHT = 0.6
DEFINITION_WEIGHT = 0.15  # of the best score, for a passage that defines what is asked
NEWS_HALF_LIFE = timedelta(days=30)
NEWS_FLOOR = 0.7  # of its score old news keeps: a question about the past is answered by old news
QUESTION_LIST_KEEPS = 0.4  # of its score a list of questions keeps
QUESTIONS_MIN = 5  # in a list of questions
QUESTIONS_SHARE = 0.7  # of its sentences
_PAIR = re.compile(r"\w\w")
_SENTENCE = re.compile(r"[^.!?。！？…\n]*[^\s.!?。！？…](?P<mark>[.!?。！？…\n]+|\s*\Z)")


class PassageText(NamedTuple):
    """What is read of a passage to score it again."""

    pk: int
    unit_id: int | None
    kind: str
    title: str
    text: str
    published_at: datetime | None


class RankedPassage(NamedTuple):
    """A passage with its ``score`` for one question, and the lexemes of the question that it holds."""

    passage: PassageText
    score: float
    held: frozenset[str]


def rescored(
    passages: Mapping[int, PassageText],
    scored: Iterable[Scored],
    asked: Question,
    corpus: Corpus,
    *,
    now: datetime,
) -> list[RankedPassage]:
    """The passages that were scored, best first: BM25 plus what a text adds, less what it takes away.

    ``passages`` are by their keys; one that is missing was replaced by the worker meanwhile, and is no hit.
    """
    found = [(passages[one.passage_id], one) for one in scored if one.passage_id in passages]
    texts = {passage.pk: morphemes.normalise(f"{passage.title}\n{passage.text}") for passage, _one in found}
    spelling = _bigram_scores(asked.text, texts)
    worth = [sum(map(corpus.idf, pair)) / 2 for pair in asked.pairs]
    sums = [
        one.bm25
        + BIGRAM_WEIGHT * spelling[passage.pk]
        + ADJACENCY_WEIGHT * sum(compress(worth, one.together))
        for passage, one in found
    ]
    bonus = DEFINITION_WEIGHT * max(sums, default=0.0)
    defines = _defines(asked.text, (passage for passage, _one in found))
    hits = [
        RankedPassage(passage, (total + bonus * defining) * _kept(passage, now), one.held)
        for (passage, one), total, defining in zip(found, sums, defines, strict=True)
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.passage.pk))


def _defines(question: str, passages: Iterable[PassageText]) -> list[bool]:
    """Of each passage whether it defines what the question asks to define."""
    if not (subject := defined_subject(question)):
        return [False for _passage in passages]
    sentence = defining_sentence(subject)
    return [sentence.search(passage.text) is not None for passage in passages]


def _kept(passage: PassageText, now: datetime) -> float:
    """The share of its score that a passage keeps for its age and its form."""
    freshness = _freshness(passage.published_at, now) if passage.kind == PassageKind.NEWS else 1.0
    return freshness * (QUESTION_LIST_KEEPS if is_question_list(passage.text) else 1.0)


def _freshness(published_at: datetime | None, now: datetime) -> float:
    """The share of its score that news of this age keeps, 1 down to NEWS_FLOOR; undated news keeps all."""
    if published_at is None:
        return 1.0
    age = max(now - published_at, timedelta(0))
    return NEWS_FLOOR + (1 - NEWS_FLOOR) * math.exp2(-(age / NEWS_HALF_LIFE))


def is_question_list(text: str) -> bool:
    """Whether a text is little more than questions, such as the contents of a page of frequent ones."""
    if text.count("?") + text.count("？") < QUESTIONS_MIN:
        return False
    ends = [end["mark"] for end in _SENTENCE.finditer(text)]
    questions = sum("?" in mark or "？" in mark for mark in ends)
    return questions >= max(QUESTIONS_MIN, QUESTIONS_SHARE * len(ends))


def _bigram_scores(question: str, texts: Mapping[int, str]) -> dict[int, float]:
    """BM25 of the question's character pairs over these few texts, as if they were the corpus."""
    words = morphemes.normalise(question).split()
    neighbours = dict.fromkeys(first + second for word in words for first, second in pairwise(word))
    pairs = [pair for pair in neighbours if _PAIR.match(pair)]
    counts = {key: {pair: tf for pair in pairs if (tf := body.count(pair))} for key, body in texts.items()}
    average = sum(map(len, texts.values())) / max(len(texts), 1) or 1.0
    held = Corpus(len(texts), average, Counter(pair for found in counts.values() for pair in found))
    idf = {pair: held.idf(pair) for pair in held.frequencies}
    scores = {}
    for key, found in counts.items():
        norm = K1 * (1 - B + B * len(texts[key]) / average)
        scores[key] = sum(idf[pair] * tf * (K1 + 1) / (tf + norm) for pair, tf in found.items())
    return scores
