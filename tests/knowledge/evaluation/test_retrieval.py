"""`manage.py evaluate_retrieval`: measuring on labelled questions without touching the live data."""

import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from knowledge.canon import loader
from knowledge.evaluation import retrieval
from knowledge.evaluation.retrieval import LabelledQuestion
from knowledge.evaluation.scratch import scratch_tables
from knowledge.models import Document, SearchPassage, Source
from knowledge.search import indexing
from tests.factories.knowledge import NOON, make_document, make_source

pytestmark = pytest.mark.django_db

PASSAGES = [
    {"id": "fees", "title": "수수료", "text": "거래소는 수수료를 0.05%로 낮췄다."},
    {"id": "halving", "title": "반감기", "text": "반감기는 4년마다 온다. " * 60},
    {"id": "etf", "title": "", "text": "The fund saw record inflows."},
]
QUERIES = [
    {"id": "q1", "question": "거래소 수수료는 얼마인가요?", "relevant": ["fees"], "source": "ko"},
    {"id": "q2", "question": "반감기는 언제 오나", "relevant": ["halving"], "source": "ko"},
    {"id": "q3", "question": "inflows of funds", "relevant": ["etf"], "source": "en"},
    {"id": "q4", "question": "공룡은 왜 사라졌나", "relevant": ["nothing"], "source": "en"},
]
CANON = {
    "units": [
        {
            "type": "asset",
            "slug": "btc",
            "symbol": "BTC",
            "label": "비트코인",
            "summary": "비트코인은 암호화폐이다.",
            "aliases": [{"surface": "비트코인"}, {"surface": "BTC"}],
        }
    ]
}


@pytest.fixture(autouse=True)
def small_canon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "canon.json").write_text(json.dumps(CANON), encoding="utf-8")
    monkeypatch.setattr(loader, "starter_paths", lambda: [tmp_path / "canon.json"])


def _write(path: Path, records: Sequence[dict[str, Any]]) -> Path:
    path.write_text("\n".join(json.dumps(record, ensure_ascii=False) for record in records), encoding="utf-8")
    return path


def _evaluate(
    folder: Path,
    queries: list[dict[str, Any]],
    labelled: Sequence[dict[str, Any]] = PASSAGES,
    **options: Any,
) -> dict[str, Any]:
    out = StringIO()
    passages = _write(folder / "passages.jsonl", labelled)
    asked = _write(folder / "queries.jsonl", queries)
    call_command("evaluate_retrieval", passages, asked, stdout=out, stderr=StringIO(), **options)
    scores: dict[str, Any] = json.loads(out.getvalue())
    return scores


def test_it_prints_scores_by_source_and_writes_each_ranking_once(tmp_path: Path) -> None:
    scores = _evaluate(tmp_path, QUERIES, run=tmp_path / "run.json")
    run = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert run["q1"][0] == "fees"
    assert run["q2"] == ["halving"]
    assert run["q4"] == []
    assert scores["ko"]["nDCG@10"] == 1.0
    assert scores["en"]["R@100"] == 0.5
    assert scores["macro"] == pytest.approx(
        {"nDCG@10": 0.75, "MRR@10": 0.75, "S@1": 0.75, "R@5": 0.75, "R@20": 0.75, "R@100": 0.75, "n": 2}
    )


def test_passages_are_found_by_other_names_of_the_units_they_name(tmp_path: Path) -> None:
    priced = {"id": "price", "text": "비트코인 시세가 올랐다."}
    query = {"id": "q", "question": "BTC", "relevant": ["price"]}
    assert _evaluate(tmp_path, [query], [*PASSAGES, priced])["all"]["S@1"] == 1.0


def test_queries_without_a_source_are_one_group(tmp_path: Path) -> None:
    queries = [{name: value for name, value in query.items() if name != "source"} for query in QUERIES]
    scores = _evaluate(tmp_path, queries)
    assert set(scores) == {"all", "macro"}
    assert scores["macro"]["nDCG@10"] == scores["all"]["nDCG@10"] == 0.75


def test_the_live_index_is_neither_read_nor_changed(tmp_path: Path) -> None:
    document = make_document(make_source(), title="거래소 수수료 거래소 수수료")
    indexing.index_documents([document.pk])
    before = list(SearchPassage.objects.values_list("pk", "tsv"))
    _evaluate(tmp_path, QUERIES, run=tmp_path / "run.json")
    run = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert run["q1"][0] == "fees"
    assert list(SearchPassage.objects.values_list("pk", "tsv")) == before
    assert Document.objects.count() == 1


def _schemas() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'scratch%'")
        return [name for (name,) in cursor.fetchall()]


def test_nothing_is_left_behind_by_a_run_that_fails() -> None:
    def fail() -> None:
        with scratch_tables():
            retrieval.add_documents(["제목"], now=NOON)
            assert len(_schemas()) == 1
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert _schemas() == []
    assert not Source.objects.exists()


def test_a_scratch_index_is_empty_and_its_constraints_hold() -> None:
    make_document(make_source())
    with scratch_tables():
        assert not Document.objects.exists()
        (key,) = retrieval.add_documents([""], now=NOON)
        assert Document.objects.get(pk=key).title == "0"


def test_the_measures_are_the_usual_ones() -> None:
    questions = [LabelledQuestion("q", "?", frozenset({"a", "b"}), "s")]
    row = retrieval.scores({"q": ["x", "a", "a", "b"]}, questions)["s"]
    gain, ideal = 1 / 1.5849625 + 1 / 2, 1 + 1 / 1.5849625
    assert row["nDCG@10"] == pytest.approx(gain / ideal)
    assert (row["MRR@10"], row["S@1"], row["R@5"]) == (0.5, 0.0, 1.0)
    assert retrieval.scores({}, questions)["all"]["nDCG@10"] == 0.0


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[1]",
        '{"id": 1, "text": "x"}',
        '{"id": "a"}',
        '{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}',
    ],
)
def test_a_broken_passage_file_is_wrong_use_and_the_line_is_named(tmp_path: Path, line: str) -> None:
    broken = tmp_path / "passages.jsonl"
    broken.write_text(line, encoding="utf-8")
    queries = _write(tmp_path / "queries.jsonl", QUERIES)
    with pytest.raises(CommandError, match=r"passages\.jsonl:") as failure:
        call_command("evaluate_retrieval", broken, queries, stdout=StringIO())
    assert failure.value.returncode == 2


@pytest.mark.parametrize("content", [None, "", '{"id": "q", "question": "x", "relevant": "fees"}', "\xff"])
def test_a_missing_empty_or_broken_query_file_is_wrong_use(tmp_path: Path, content: str | None) -> None:
    passages = _write(tmp_path / "passages.jsonl", PASSAGES)
    queries = tmp_path / "queries.jsonl"
    if content is not None:
        queries.write_bytes(content.encode("latin-1"))
    with pytest.raises(CommandError) as failure:
        call_command("evaluate_retrieval", passages, queries, stdout=StringIO())
    assert failure.value.returncode == 2


def test_a_run_file_in_a_missing_folder_is_refused_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no such folder"):
        _evaluate(tmp_path, QUERIES, run=tmp_path / "nowhere" / "run.json")
