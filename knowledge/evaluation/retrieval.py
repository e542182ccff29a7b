"""Measuring retrieval on labelled questions, by the very code that serves.

It searches an index of its own (``scratch_tables``), so that the live one is neither read nor changed. Names are those
of the starter canon: units that a passage names are mentions of it, as in stored documents.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from knowledge.canon import loader
from knowledge.evaluation.files import json_lines
from knowledge.evaluation.scratch import analyse_tables, scratch_tables
from knowledge.linking.gazetteer import newest_gazetteer
from knowledge.linking.store import units_named
from knowledge.models import Document, Source, SourceKind
from knowledge.models.search import PassageKind
from knowledge.search import indexing
from knowledge.search.passages import passages
from knowledge.search.ranking import search, understand

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


def read_passages(path: Path) -> list[LabelledPassage]:
    """Lines of ``{"id", "title", "text"}``; the title may be left out. Raises MalformedFileError."""
    passages: dict[str, LabelledPassage] = {}
    for line in json_lines(path):
        passage = LabelledPassage(line.string("id"), line.string("title", ""), line.string("text"))
        if passages.setdefault(passage.id, passage) is not passage:
            raise line.refusal(f"the id {passage.id!r} stands twice")
    return list(passages.values())


def read_questions(path: Path) -> list[LabelledQuestion]:
    """Lines of ``{"id", "question", "relevant", "source"}``; the source may be left out. Raises MalformedFileError."""
    return [
        LabelledQuestion(
            line.string("id"),
            line.string("question"),
            frozenset(line.strings("relevant")),
            line.string("source", "") or None,
        )
        for line in json_lines(path)
    ]


def rank(
    labelled: Sequence[LabelledPassage],
    questions: Sequence[LabelledQuestion],
    *,
    now: datetime,
    progress: Progress,
) -> Run:
    """Index the passages beside the live data, ask every question, and leave nothing behind."""
    with scratch_tables(triggers=True):
        loader.load(map(loader.read, loader.starter_paths()), now=now)
        newest_gazetteer()
        keys = add_documents((one.title for one in labelled), now=now)
        _index(labelled, keys, progress)
        names = {key: one.id for key, one in zip(keys, labelled, strict=True)}
        run: Run = {}
        for number, asked in enumerate(questions, 1):
            hits = search(understand(asked.question), now=now)
            # Each once: a long labelled passage is several of the index.
            run[asked.id] = list(dict.fromkeys(names[hit.document.pk] for hit in hits if hit.document))
            if number % _REPORT_EVERY == 0 or number == len(questions):
                progress(f"asked {number} of {len(questions)} questions")
        return run


def _index(labelled: Sequence[LabelledPassage], keys: Sequence[int], progress: Progress) -> None:
    keyed = list(zip(keys, labelled, strict=True))
    for start in range(0, len(keyed), indexing.BATCH):
        batch = keyed[start : start + indexing.BATCH]
        rows = [
            row
            for key, one in batch
            for row in passages(
                [(one.text, "ko")],
                kind=PassageKind.NOTICE,
                title=one.title[:500],
                revision="",
                document_id=key,
                mentioned=units_named(f"{one.title}\n{one.text}"),
            )
        ]
        indexing.replace(indexing.DOCUMENTS, [key for key, _one in batch], rows)
        progress(f"indexed {start + len(batch)} of {len(labelled)} passages")
    analyse_tables()


def add_documents(titles: Iterable[str], *, now: datetime) -> list[int]:
    """Undated notices of a made-up source, for passages to belong to. Returns their keys in order."""
    source = Source.objects.create(
        slug="scratch", name="scratch", kind=SourceKind.NOTICE, adapter="none", url="https://example.org/"
    )
    rows = [
        Document(
            source=source,
            kind=SourceKind.NOTICE,
            external_id=str(number),
            url=f"https://example.org/{number}",
            title=title[:500] or str(number),
            lang="ko",
            fetched_at=now,
            content_sha256="",
        )
        for number, title in enumerate(titles)
    ]
    return [row.pk for row in Document.objects.bulk_create(rows, batch_size=1000)]


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
        **{f"R@{depth}": sum(at < depth for at in places) / max(len(relevant), 1) for depth in RECALL_DEPTHS},
    }


def _gain(place: int) -> float:
    return 1 / math.log2(place + 2)


def _means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {measure: fmean(row[measure] for row in rows) for measure in rows[0] if measure != "n"}
