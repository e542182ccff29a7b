"""The best hundred are scored again by spelling, word order and age.

BM25 over morphemes misses what the analyser cuts differently in question and text; character bigrams, weighed inside
the hundred, bring it back.
"""

import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from knowledge.models.search import PassageKind
from knowledge.search import morphemes
from knowledge.search.scoring import K1, B, Scored
from knowledge.search.statistics import Corpus

RERANKED = 100  # passages
BIGRAM_WEIGHT = 0.4
ADJACENCY_WEIGHT = 0.6
NEWS_HALF_LIFE = timedelta(days=30)
NEWS_FLOOR = 0.7  # of its score old news keeps: a question about the past is answered by old news
_PAIR = re.compile(r"\w\w")


def rescored(scored: Sequence[Scored], question: str, corpus: Corpus, now: datetime) -> dict[int, float]:
    """BM25 plus what bigrams and word order add, less what age takes from news; by passage id."""
    spelling = _bigram_scores(question, {one.passage_id: morphemes.normalise(one.text) for one in scored})
    return {
        one.passage_id: (
            one.bm25
            + BIGRAM_WEIGHT * spelling[one.passage_id]
            + ADJACENCY_WEIGHT * sum(sum(map(corpus.idf, pair)) / 2 for pair in one.adjacent)
        )
        * (freshness(one.published_at, now) if one.kind == PassageKind.NEWS else 1.0)
        for one in scored
    }


def freshness(published_at: datetime | None, now: datetime) -> float:
    """The share of its score that news of this age keeps, 1 down to NEWS_FLOOR; undated news keeps all."""
    if published_at is None:
        return 1.0
    age = max(now - published_at, timedelta(0))
    return NEWS_FLOOR + (1 - NEWS_FLOOR) * math.exp2(-(age / NEWS_HALF_LIFE))


def _bigram_scores(question: str, texts: Mapping[int, str]) -> dict[int, float]:
    """BM25 of the question's character pairs over these few texts, as if they were the corpus."""
    pairs = _character_pairs(morphemes.normalise(question))
    counts = {key: {pair: body.count(pair) for pair in pairs} for key, body in texts.items()}
    average = sum(map(len, texts.values())) / max(len(texts), 1) or 1.0
    idf = {}
    for pair in pairs:
        df = sum(1 for found in counts.values() if found[pair])
        idf[pair] = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
    scores = {}
    for key, found in counts.items():
        norm = K1 * (1 - B + B * len(texts[key]) / average)
        scores[key] = sum(idf[pair] * tf * (K1 + 1) / (tf + norm) for pair, tf in found.items() if tf)
    return scores


def _character_pairs(normalised: str) -> list[str]:
    words = normalised.split()
    pairs = (word[at : at + 2] for word in words for at in range(len(word) - 1))
    return list(dict.fromkeys(pair for pair in pairs if _PAIR.match(pair)))
