"""Documents → clusters that may be events: a single pass in time order (design: events). Pure.

A cluster is known by the key of the document that opened it.
"""

import math
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from knowledge.events.actions import PASSING
from knowledge.events.features import EventDoc, Features, NamedUnit, counted
from knowledge.events.similarity import FACET_WORTH, JOINS_FROM, evidence, excludes, is_more_than_a_name

LONGEST_GAP = timedelta(hours=144)
HALVES_IN = timedelta(hours=400)
WINDOW = timedelta(days=14)
# A window of a few documents cannot tell common words from rare ones, so this many are taken for granted.
DOCUMENTS_ASSUMED = 1000

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
    """Where a document went: the key of its cluster (its own if it opened one), how well it fits (0 if it
    opened one) and the clusters that it would have joined but for another action."""

    cluster: int
    score: float
    possible_merges: tuple[int, ...]


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
        for score, cluster in self._matches(weighed):
            if not contradicts(document, self._clusters[cluster]):
                self._put(weighed, cluster)
                return Placement(cluster, score, tuple(blocked))
            blocked.append(cluster)
        self._put(weighed, key)
        return Placement(key, 0.0, tuple(blocked))

    def _put(self, document: Features, key: int) -> None:
        self._clusters.setdefault(key, _Cluster(document)).take(document)

    def _matches(self, document: Features) -> list[tuple[float, int]]:
        """Clusters that are like enough, the best first; of equals the older."""
        scored = ((self._score(document, cluster), key) for key, cluster in self._clusters.items())
        matches = [(score, key) for score, key in scored if score >= JOINS_FROM]
        return sorted(matches, key=lambda match: -match[0])

    def _score(self, document: Features, cluster: "_Cluster") -> float:
        """Against the best member; 0 where one excludes it. A cluster that the action alone keeps it out of is scored
        as if both said the same, for the editor."""
        # A document that comes late fits without a gap between the first and the last.
        gap = max(document.at - cluster.last_at, cluster.first_at - document.at, timedelta(0))
        if gap > LONGEST_GAP:
            return 0.0
        if any(excludes(document, member) for member in cluster.members):
            return 0.0
        best = max(
            (
                evidence(document, member, self.use.weight)
                for member in cluster.members
                if is_more_than_a_name(document, member)
            ),
            default=0.0,
        )
        if best and contradicts(document, cluster):
            best += FACET_WORTH
        return best * 2 ** -(gap / HALVES_IN)


class _Cluster:
    """Documents with the span of their times and all that they say is done."""

    def __init__(self, first: Features) -> None:
        self.members: list[Features] = []
        self.facets: frozenset[str] = frozenset()
        self.first_at = self.last_at = first.at

    def take(self, document: Features) -> None:
        self.members.append(document)
        self.facets |= document.facets
        self.first_at = min(self.first_at, document.at)
        self.last_at = max(self.last_at, document.at)


class RecentUse:
    """In how many documents of the last 14 days each term and each unit occurs."""

    def __init__(self) -> None:
        self._recent: deque[Features] = deque()
        self._terms: Counter[str] = Counter()
        self._units: Counter[str] = Counter()

    def weighed(self, document: Features) -> Features:
        """Counts a document into the window. Its terms weigh what they do at this time, in vectors of length one."""
        self.count(document)
        return replace(
            document,
            lang=document.lang.casefold().partition("-")[0],
            whole=self._vector(document.whole),
            remainder=self._vector(document.remainder),
        )

    def count(self, document: Features) -> None:
        """Lets a document weigh the terms of others. One that comes late leaves the window with those it came with."""
        self._recent.append(document)
        self._terms.update(document.whole.keys() | document.remainder.keys())
        self._units.update(document.units)
        while self._recent[0].at <= document.at - WINDOW:
            old = self._recent.popleft()
            self._terms.subtract(old.whole.keys() | old.remainder.keys())
            self._units.subtract(old.units)

    def weight(self, unit: str) -> float:
        """1 for a unit that nobody else names, less the more often it is named."""
        return self._idf(self._units[unit]) / self._idf(1)

    def _idf(self, documents: int) -> float:
        return math.log(1 + (DOCUMENTS_ASSUMED + len(self._recent)) / max(documents, 1))

    def _vector(self, counts: Mapping[str, float]) -> dict[str, float]:
        weights = {
            term: (1 + math.log(count)) * self._idf(self._terms[term]) for term, count in counts.items()
        }
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
        return {term: weight / length for term, weight in weights.items()}


def contradicts(document: Features, cluster: _Cluster) -> bool:
    """Whether both name actions, and none alike. Denials may each name another part of what was not done."""
    if document.denies:
        return False
    mine, theirs = document.facets - PASSING, cluster.facets - PASSING
    return bool(mine and theirs) and mine.isdisjoint(theirs)
