"""Documents → clusters that may be events: a single pass in time order (design: events). Pure.

A cluster is known by the key of the document that opened it.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from knowledge.events.similarity import (
    WINDOW,
    CountedDocument,
    EventDoc,
    Features,
    NamedUnit,
    RecentUse,
    contradicts,
    counted,
    likeness,
    may_be_alike,
    same_story,
)

JOINS_FROM = 0.28
LONGEST_GAP = timedelta(hours=96)
HALVES_IN = timedelta(hours=144)

UnitsOf = Callable[[EventDoc], Collection[NamedUnit]]


class Clusters(NamedTuple):
    """`clusters` are row numbers in time order, the oldest cluster first, every row in one of them;
    `possible_merges` are pairs of positions in `clusters` that an editor should look at."""

    clusters: list[list[int]]
    possible_merges: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a document went: the key of its cluster (its own if it opened one), how well it fits (0 if it
    opened one) and the clusters that it would have joined but for another action."""

    cluster: int
    score: float
    possible_merges: tuple[int, ...]


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

    def gap(self, at: datetime) -> timedelta:
        """From the last document; a document that comes late fits without a gap between the first and the
        last."""
        return max(at - self.last_at, self.first_at - at, timedelta(0))


class EventIndex:
    """The open clusters of the last days, to which documents are added as they come.

    A worker that starts anew restores the documents of the last 14 days in time order and goes on. Of those whose
    cluster nothing can join any more it need only count the terms.
    """

    def __init__(self) -> None:
        self._use = RecentUse()
        self._clusters: dict[int, _Cluster] = {}

    def restore(self, document: CountedDocument, *, cluster: int) -> None:
        """Puts a document where it went before: into the cluster that document `cluster` opened (itself, if
        it did)."""
        self._put(self._use.features(document), cluster)

    def count(self, document: CountedDocument) -> None:
        """Lets a document weigh the terms of others, and be like none."""
        self._use.count(document)

    def place(self, key: int, document: CountedDocument) -> Placement:
        """Finds the best cluster for a new document, or opens one with the document's key."""
        features = self._use.features(document)
        self._forget(before=features.at - WINDOW)
        blocked: list[int] = []
        for score, cluster in self._matches(features):
            if contradicts(features.facets, self._clusters[cluster].facets):
                blocked.append(cluster)
                continue
            self._put(features, cluster)
            return Placement(cluster, score, tuple(blocked))
        self._put(features, key)
        return Placement(key, 0.0, tuple(blocked))

    def _put(self, document: Features, key: int) -> None:
        self._clusters.setdefault(key, _Cluster(document)).take(document)

    def _matches(self, document: Features) -> list[tuple[float, int]]:
        """Clusters that are like enough, the best first; of equals the older."""
        scored = ((self._score(document, cluster), key) for key, cluster in self._clusters.items())
        matches = [(score, key) for score, key in scored if score >= JOINS_FROM]
        return sorted(matches, key=lambda match: -match[0])

    def _score(self, document: Features, cluster: _Cluster) -> float:
        """Against the best member; a cluster that the action keeps it out of is scored by likeness alone,
        for the editor."""
        gap = cluster.gap(document.at)
        if gap > LONGEST_GAP:
            return 0.0
        blocked = contradicts(document.facets, cluster.facets)
        members = (
            member
            for member in cluster.members
            if may_be_alike(document, member) and (blocked or same_story(document, member, self._use))
        )
        best = max((likeness(document, member, self._use) for member in members), default=0.0)
        return float(best * 2 ** -(gap / HALVES_IN))

    def _forget(self, before: datetime) -> None:
        for key in [key for key, cluster in self._clusters.items() if cluster.last_at < before]:
            del self._clusters[key]


def cluster(docs: Sequence[EventDoc], units: UnitsOf) -> Clusters:
    """Clusters of `docs`, which may come in any order; `units` names the units of a document."""
    index = EventIndex()
    members: dict[int, list[int]] = {}
    doubtful: list[tuple[int, int]] = []
    for row in sorted(range(len(docs)), key=lambda row: _time_order(docs[row], row)):
        at = docs[row].at
        if at is None:
            members[row] = [row]
            continue
        placement = index.place(row, counted(docs[row], at, units(docs[row])))
        members.setdefault(placement.cluster, []).append(row)
        doubtful += [(other, placement.cluster) for other in placement.possible_merges]
    position = {key: place for place, key in enumerate(members)}
    pairs = {tuple(sorted((position[one], position[other]))) for one, other in doubtful}
    return Clusters(list(members.values()), sorted((one, other) for one, other in pairs))


def _time_order(document: EventDoc, row: int) -> tuple[bool, datetime, str, str, int]:
    at = document.at
    return at is None, at or datetime.max.replace(tzinfo=UTC), document.url, document.title, row
