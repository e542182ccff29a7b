"""`manage.py cluster_events`: documents of a file gathered into possible events; stores nothing."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from knowledge import canon
from knowledge.evaluation.events import DocumentFileError, read_documents
from knowledge.events import Clusters, EventDoc, NamedUnit, UnitsOf, cluster
from knowledge.linking.linker import Linker
from knowledge.linking.specs import AliasSpec

CANON = Path(canon.__file__).parent
CanonUnit = Mapping[str, Any]


class Command(BaseCommand):
    help = (
        "Gathers the documents of a JSON Lines file into clusters that tell of one event, "
        "with the units of the starter canon; stores nothing."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        columns = "one document a line: title, lead, outlet, publishedAt, lang, url"
        parser.add_argument("documents", type=Path, metavar="DOCS.jsonl", help=columns)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, documents: Path, json: bool, **options: Any) -> None:
        try:
            docs = read_documents(documents)
        except DocumentFileError as error:
            text = str(error)
            raise CommandError(
                text if str(documents) in text else f"{documents}: {text}", returncode=2
            ) from error
        clusters = cluster(docs, units=units_of_canon(starter_canon()))
        self.stdout.write(as_json(clusters) if json else as_text(clusters, docs))


def starter_canon() -> list[CanonUnit]:
    """The units of the JSON files beside `knowledge.canon`, as load_canon takes them."""
    files = sorted(CANON.glob("*.json"))
    return [unit for file in files for unit in json.loads(file.read_text(encoding="utf-8")).get("units", [])]


def units_of_canon(units: Sequence[CanonUnit]) -> UnitsOf:
    """A linker over the canon. A published event that a document names stands for its entities and topics
    too, because the event's name hides theirs."""
    linker = Linker(_alias_forms(units))
    parts = {_key(unit): [*unit.get("entities", ()), *unit.get("topics", ())] for unit in units}

    def named(document: EventDoc) -> list[NamedUnit]:
        return [
            NamedUnit(unit, found.start, found.end)
            for found in linker.find(document.text)
            for unit in (str(found.unit), *parts[str(found.unit)])
        ]

    return named


def _alias_forms(units: Iterable[CanonUnit]) -> Iterator[AliasSpec]:
    for unit in units:
        for alias in unit["aliases"]:
            yield AliasSpec(
                _key(unit),
                alias["surface"],
                case_sensitive=alias.get("case_sensitive"),
                ambiguous=alias.get("ambiguous"),
                blocked_contexts=tuple(alias.get("blocked_contexts", ())),
                kind=unit["type"],
            )


def _key(unit: CanonUnit) -> str:
    """The public id, by which the canon's events name their parts."""
    prefix = unit["type"] if unit["type"] in ("asset", "creator", "topic", "event") else "entity"
    return f"{prefix}:{unit['slug']}"


def as_json(clusters: Clusters) -> str:
    record = {
        "clusters": clusters.clusters,
        "possibleMerges": [list(pair) for pair in clusters.possible_merges],
    }
    return json.dumps(record)


def as_text(clusters: Clusters, docs: Sequence[EventDoc]) -> str:
    lines = []
    for place, rows in enumerate(clusters.clusters):
        lines.append(f"cluster {place}: {len(rows)} documents")
        lines += [f"  {row:>5}  {docs[row].outlet}: {docs[row].title}" for row in rows]
    lines += [f"possible merge: {one} and {other}" for one, other in clusters.possible_merges]
    return "\n".join([*lines, f"{len(clusters.clusters)} clusters of {len(docs)} documents"])
