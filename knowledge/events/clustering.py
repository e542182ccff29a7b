"""Documents → clusters that may be events: a single pass in time order (design: events). Pure.

A cluster is known by the key of the document that opened it.
"""

import math
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import fmean
from typing import NamedTuple

from knowledge.events.features import EventDoc, Features, NamedUnit, counted
from knowledge.events.similarity import (
    JOINS_FROM,
    SAME_DEED,
    Compared,
    are_opposite,
    compared,
    excludes,
    log_odds,
    probability,
    signals,
)

LONGEST_GAP = timedelta(hours=144)
WINDOW = timedelta(days=14)
# A window of a few documents cannot tell common words from rare ones, so this many are taken for granted.
DOCUMENTS_ASSUMED = 1000
LEAST_MEANINGS = 2  # in common, where no name is

UnitsOf = Callable[[EventDoc], Collection[NamedUnit]]


class Clusters(NamedTuple):
    """`clusters` are row numbers in time order, the oldest cluster first, every row in one of them;
    `possible_merges` are pairs of positions in `clusters` that an editor should look at."""

    clusters: list[list[int]]
    possible_merges: list[tuple[int, int]]


def cluster(docs: Sequence[EventDoc], units: UnitsOf) -> Clusters:
    """Clusters of `docs`, which may come in any order; `units` names the units of a document."""
    index = EventIndex()
    members: dict[int, list[int]] = {}
    doubtful: list[tuple[int, int]] = []
    last = datetime.max.replace(tzinfo=UTC)
    for row in sorted(
        range(len(docs)), key=lambda row: (docs[row].at or last, docs[row].url, docs[row].title)
    ):
        at = docs[row].at
        if at is None:
            members[row] = [row]
            continue
        placement = index.place(row, counted(docs[row], at, units(docs[row])))
        members.setdefault(placement.cluster, []).append(row)
        doubtful += [(other, placement.cluster) for other in placement.possible_merges]
    position = {key: place for place, key in enumerate(members)}
    pairs = [(position[one], position[other]) for one, other in doubtful]
    return Clusters(list(members.values()), sorted({(min(pair), max(pair)) for pair in pairs}))


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a document went: the key of its cluster (its own if it opened one), how probably it reports the event of
    the cluster (0 to 1; 0 if it opened one) and the clusters that it would have joined but for another action."""

    cluster: int
    score: float
    possible_merges: tuple[int, ...]


class _Match(NamedTuple):
    """How well a document fits a cluster, and whether what it says is done lets it join."""

    odds: float
    joins: bool
    cluster: int


class EventIndex:
    """The open clusters of the last days, to which documents are added as they come.

    A worker that starts anew restores the documents of the last 14 days in time order and goes on. Of those whose
    cluster nothing can join any more `use` need only count the terms.
    """

    def __init__(self) -> None:
        self.use = RecentUse()
        self._clusters: dict[int, _Cluster] = {}

    def restore(self, document: Features, *, cluster: int) -> None:
        """Puts a document where it went before: into the cluster that document `cluster` opened (itself, if it did)."""
        self._put(self.use.weighed(document), cluster)

    def place(self, key: int, document: Features) -> Placement:
        """Finds the best cluster for a new document, or opens one with the document's key."""
        weighed = self.use.weighed(document)
        for old in [old for old, cluster in self._clusters.items() if cluster.last_at < document.at - WINDOW]:
            del self._clusters[old]
        blocked: list[int] = []
        for match in self._matches(weighed):
            if match.joins:
                self._put(weighed, match.cluster)
                return Placement(match.cluster, probability(match.odds), tuple(blocked))
            blocked.append(match.cluster)
        self._put(weighed, key)
        return Placement(key, 0.0, tuple(blocked))

    def _put(self, document: Compared, key: int) -> None:
        self._clusters.setdefault(key, _Cluster(document)).take(document)

    def _matches(self, document: Compared) -> list[_Match]:
        """Clusters that are like enough, the best first; of equals the older."""
        worth = [key for key, cluster in self._clusters.items() if cluster.may_take(document)]
        matches = filter(None, (self._match(document, key) for key in worth))
        return sorted(matches, key=lambda match: -match.odds)

    def _match(self, document: Compared, key: int) -> _Match | None:
        """On average over the documents of a cluster, so that one that is like does not join what is not."""
        cluster = self._clusters[key]
        if any(excludes(document, member) for member in cluster.members):
            return None
        odds = fmean(
            log_odds(signals(document, member, self.use.of_unit, self.use.of_name))
            for member in cluster.members
        )
        joins = not cluster.contradicts(document)
        # An editor is asked about those that would be one if both said the same.
        return _Match(odds, joins, key) if odds >= JOINS_FROM - (0 if joins else SAME_DEED) else None


class _Cluster:
    """Documents with the span of their times and all that they name."""

    def __init__(self, first: Compared) -> None:
        self.members: list[Compared] = []
        self.first_at = self.last_at = first.at
        self.denies = first.denies
        self.is_column = first.is_column
        self.deeds: frozenset[str] = frozenset()
        self.units: set[str] = set()
        self.sounds: set[str] = set()
        self.heard: set[str] = set()
        self.meanings: set[str] = set()

    def take(self, document: Compared) -> None:
        self.members.append(document)
        self.first_at = min(self.first_at, document.at)
        self.last_at = max(self.last_at, document.at)
        self.deeds |= document.deeds
        self.units |= document.units
        self.sounds |= document.sounds
        self.heard |= document.heard
        self.meanings |= document.meanings.keys()

    def may_take(self, document: Compared) -> bool:
        """Whether it is worth comparing them: whether they lie near in time, and share a name or what is done."""
        # A document that comes late fits without a gap between the first and the last.
        gap = max(document.at - self.last_at, self.first_at - document.at)
        if gap > LONGEST_GAP or document.denies != self.denies or document.is_column or self.is_column:
            return False
        return (
            not self.units.isdisjoint(document.units)
            or not self.heard.isdisjoint(document.sounds)
            or not self.sounds.isdisjoint(document.heard)
            or len(self.meanings & document.meanings.keys()) >= LEAST_MEANINGS
        )

    def contradicts(self, document: Compared) -> bool:
        """Whether both name actions and none alike, or one the contrary of the other's. Denials may each name another
        part of what was not done."""
        if document.denies:
            return False
        other = bool(document.deeds and self.deeds) and self.deeds.isdisjoint(document.deeds)
        return other or any(are_opposite(document, member) for member in self.members)


class RecentUse:
    """In how many documents of the last 14 days each term, meaning, unit and name occurs."""

    def __init__(self) -> None:
        self._recent: deque[Features] = deque()
        self._terms: Counter[str] = Counter()
        self._meanings: Counter[str] = Counter()
        self._units: Counter[str] = Counter()
        self._names: Counter[str] = Counter()

    def weighed(self, document: Features) -> Compared:
        """Counts a document into the window. Its words weigh what they do at this time, in vectors of length one."""
        self.count(document)
        terms = {term: 1 + math.log(count) for term, count in document.whole.items()}
        return compared(
            document, self._vector(document.meanings, self._meanings), self._vector(terms, self._terms)
        )

    def count(self, document: Features) -> None:
        """Lets a document weigh the words of others. One that comes late leaves the window with those it came with."""
        self._recent.append(document)
        for counts, words in self._counted(document):
            counts.update(words)
        while self._recent[0].at <= document.at - WINDOW:
            for counts, words in self._counted(self._recent.popleft()):
                counts.subtract(words)

    def of_unit(self, unit: str) -> float:
        """1 for a unit that nobody else names, less the more often it is named."""
        return self._idf(self._units[unit]) / self._idf(1)

    def of_name(self, sound: str) -> float:
        """The same of a name's sound."""
        return self._idf(self._names[sound]) / self._idf(1)

    def _counted(self, document: Features) -> tuple[tuple[Counter[str], Collection[str]], ...]:
        return (
            (self._terms, document.whole.keys()),
            (self._units, document.units),
            (self._names, document.heard),
            (self._meanings, document.meanings.keys()),
        )

    def _idf(self, documents: int) -> float:
        return math.log(1 + (DOCUMENTS_ASSUMED + len(self._recent)) / max(documents, 1))

    def _vector(self, counts: Mapping[str, float], seen: Mapping[str, int]) -> dict[str, float]:
        weights = {word: count * self._idf(seen[word]) for word, count in counts.items()}
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
        return {word: weight / length for word, weight in weights.items()}
