import json as json_format
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from knowledge.evaluation.events import (
    PairScores,
    read_documents,
    read_labels,
    score_pairs,
    starter_canon,
    units_of_canon,
)
from knowledge.events.clustering import Clusters, cluster
from knowledge.events.features import EventDoc


class Command(BaseCommand):
    help = (
        "Gathers the documents of a JSON Lines file into clusters that tell of one event, "
        "with the units of the starter canon; stores nothing."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        columns = "one document a line: title, lead, outlet, publishedAt, lang, url; event to be scored by it"
        parser.add_argument("documents", type=Path, metavar="DOCS.jsonl", help=columns)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, documents: Path, json: bool, **options: Any) -> None:
        docs = read_documents(documents)
        clusters = cluster(docs, units=units_of_canon(starter_canon()))
        if json:
            record = {"clusters": clusters.clusters, "possibleMerges": clusters.possible_merges}
            self.stdout.write(json_format.dumps(record))
            return
        self.stdout.write(as_text(clusters, docs))
        labels = read_labels(documents)
        if any(labels):
            self.stdout.write(scores_as_text(score_pairs(clusters.clusters, labels), docs))


def as_text(clusters: Clusters, docs: Sequence[EventDoc]) -> str:
    lines = []
    for place, rows in enumerate(clusters.clusters):
        lines.append(f"cluster {place}: {len(rows)} documents")
        lines += [f"  {row:>5}  {docs[row].outlet}: {docs[row].title}" for row in rows]
    lines += [f"possible merge: {one} and {other}" for one, other in clusters.possible_merges]
    return "\n".join([*lines, f"{len(clusters.clusters)} clusters of {len(docs)} documents"])


def scores_as_text(scores: PairScores, docs: Sequence[EventDoc]) -> str:
    lines = [f"pairs by their labels: precision {scores.precision:.4f}, recall {scores.recall:.4f}"]
    for fault, pairs in (("wrong", scores.wrong), ("missed", scores.missed)):
        lines += [f"  {fault}: {docs[one].title} | {docs[other].title}" for one, other in pairs]
    return "\n".join(lines)
