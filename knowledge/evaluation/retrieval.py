"""Measuring retrieval on labelled questions, by the very code that serves."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from knowledge.evaluation import scratch
from knowledge.evaluation.files import MalformedFileError, json_lines
from knowledge.models.search import PassageKind
from knowledge.search import indexing
from knowledge.search.passages import passages
from knowledge.search.ranking import LIMIT_MAX, search, understand

Progress = Callable[[str], None]
Run = dict[str, list[str]]  # question id → passage ids, best first

RECALL_DEPTHS = (5, 20, 100)
GAIN_DEPTH = 10
ALL, MACRO = "all", "macro"
_REPORT_EVERY = 500  # questions


class LabelledPassage(NamedTuple):
    id: str
    title: str
    text: str


class LabelledQuestion(NamedTuple):
    id: str
    question: str
    relevant: frozenset[str]
    source: str | None


def read_passages(path: Path) -> Iterator[LabelledPassage]:
    """Lines of ``{"id", "title", "text"}``; the title may be left out. Raises MalformedFileError."""
    seen: set[str] = set()
    for place, record in _records(path):
        passage = LabelledPassage(
            _string(record, "id", place),
            _string(record, "title", place, default=""),
            _string(record, "text", place),
        )
        if passage.id in seen:
            raise MalformedFileError(f"{place}: the id {passage.id!r} stands twice")
        seen.add(passage.id)
        yield passage


def read_questions(path: Path) -> Iterator[LabelledQuestion]:
    """Lines of ``{"id", "question", "relevant", "source"}``; the source may be left out. Raises MalformedFileError."""
    for place, record in _records(path):
        relevant = record.get("relevant")
        if not isinstance(relevant, list) or not all(isinstance(name, str) for name in relevant):
            raise MalformedFileError(f'{place}: "relevant" must be a list of passage ids')
        source = _string(record, "source", place, default="") or None
        yield LabelledQuestion(
            _string(record, "id", place), _string(record, "question", place), frozenset(relevant), source
        )


def _records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a JSON-lines file and where each stands."""
    records = list(json_lines(path))
    if not records:
        raise MalformedFileError(f"{path} is empty")
    for place, record in records:
        if not isinstance(record, dict):
            raise MalformedFileError(f"{place}: not a JSON object")
        yield place, record


def _string(record: dict[str, Any], name: str, place: str, default: str | None = None) -> str:
    value = record.get(name, default)
    if not isinstance(value, str):
        raise MalformedFileError(f'{place}: "{name}" must be a string')
    return value


def rank(
    labelled: Sequence[LabelledPassage],
    questions: Sequence[LabelledQuestion],
    *,
    now: datetime,
    progress: Progress = lambda line: None,
) -> Run:
    """Index the passages beside the live data, ask every question, and leave nothing behind."""
    with scratch.scratch_index():
        keys = scratch.add_documents((one.title for one in labelled), now=now)
        _index(labelled, keys, progress)
        names = {key: one.id for key, one in zip(keys, labelled, strict=True)}
        run: Run = {}
        for number, asked in enumerate(questions, 1):
            run[asked.id] = _ranking(asked.question, names, now)
            if number % _REPORT_EVERY == 0 or number == len(questions):
                progress(f"asked {number} of {len(questions)} questions")
        return run


def _index(labelled: Sequence[LabelledPassage], keys: Sequence[int], progress: Progress) -> None:
    for start in range(0, len(labelled), indexing.BATCH):
        batch = list(zip(keys, labelled, strict=True))[start : start + indexing.BATCH]
        rows = [
            row
            for key, one in batch
            for row in passages(
                {"kind": PassageKind.NOTICE, "title": one.title[:500], "revision": "", "document_id": key},
                [(one.text, "ko")],
            )
        ]
        indexing.replace(indexing.DOCUMENTS, [key for key, _one in batch], rows)
        progress(f"indexed {start + len(batch)} of {len(labelled)} passages")
    scratch.analyse_tables()


def _ranking(question: str, names: Mapping[int, str], now: datetime) -> list[str]:
    """Labelled passages in order, each once: a long one is several passages of the index."""
    hits = search(understand(question), limit=LIMIT_MAX, now=now)
    return list(dict.fromkeys(names[hit.document.pk] for hit in hits if hit.document))


def scores(run: Run, questions: Sequence[LabelledQuestion]) -> dict[str, dict[str, float]]:
    """Mean measures of a run over all questions, over each source, and the mean of the sources (``macro``).

    Relevance is binary; a question missing from the run scores 0.
    """
    groups: dict[str, list[dict[str, float]]] = defaultdict(list)
    for asked in questions:
        measured = _measures(run.get(asked.id, []), asked.relevant)
        groups[ALL].append(measured)
        if asked.source is not None:
            groups[asked.source].append(measured)
    report = {group: {"n": len(rows), **_means(rows)} for group, rows in groups.items()}
    sources = [means for group, means in report.items() if group != ALL] or [report[ALL]]
    return {**report, MACRO: {**_means(sources), "n": len(sources)}}


def _measures(ranking: Sequence[str], relevant: frozenset[str]) -> dict[str, float]:
    places = [place for place, name in enumerate(dict.fromkeys(ranking)) if name in relevant]
    ideal = sum(_gain(place) for place in range(min(GAIN_DEPTH, len(relevant))))
    gained = sum(_gain(place) for place in places if place < GAIN_DEPTH)
    return {
        f"nDCG@{GAIN_DEPTH}": gained / ideal if ideal else 0.0,
        f"MRR@{GAIN_DEPTH}": 1 / (places[0] + 1) if places and places[0] < GAIN_DEPTH else 0.0,
        "S@1": float(places[:1] == [0]),
        **{
            f"R@{depth}": sum(place < depth for place in places) / max(len(relevant), 1)
            for depth in RECALL_DEPTHS
        },
    }


def _gain(place: int) -> float:
    return 1 / math.log2(place + 2)


def _means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {measure: fmean(row[measure] for row in rows) for measure in rows[0] if measure != "n"}
