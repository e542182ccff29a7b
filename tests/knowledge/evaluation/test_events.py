import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from knowledge.evaluation.events import score_pairs, starter_canon, units_of_canon
from knowledge.events.features import EventDoc

ROW = {
    "title": "비트코인 9만달러 붕괴",
    "lead": "",
    "outlet": "한들일보",
    "publishedAt": "2031-03-03T09:00:00+09:00",
    "lang": "ko",
    "url": "https://example.org/1",
}
UNITS: list[dict[str, Any]] = [
    {"type": "company", "slug": "nuribit", "aliases": [{"surface": "누리빗", "ambiguous": False}]},
    {"type": "asset", "slug": "lumi", "aliases": [{"surface": "루미코인", "ambiguous": False}]},
    {
        "type": "event",
        "slug": "2031-03-nuribit-hack",
        "aliases": [{"surface": "누리빗 해킹 사태", "ambiguous": False}],
        "entities": ["entity:nuribit", "asset:lumi"],
        "topics": ["topic:exchange-hack"],
    },
]


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


def test_the_json_holds_row_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {**ROW, "title": "이더리움 재단 새 이사 선임"},
        ROW,
        {**ROW, "title": "비트코인 9만달러 아래로 추락", "outlet": "새벽경제"},
        {**ROW, "title": "비트코인 9만달러 회복하며 급등", "publishedAt": "2031-03-03T21:00:00+09:00"},
    ]
    call_command("cluster_events", str(write(tmp_path / "docs.jsonl", *rows)), "--json")
    printed = json.loads(capsys.readouterr().out)
    assert {frozenset(cluster) for cluster in printed["clusters"]} == {
        frozenset(s) for s in ({0}, {1, 2}, {3})
    }
    place = [sorted(cluster) for cluster in printed["clusters"]]
    assert printed["possibleMerges"] == [sorted([place.index([1, 2]), place.index([3])])]


def test_without_json_the_headlines_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("cluster_events", str(write(tmp_path / "docs.jsonl", ROW)))
    printed = capsys.readouterr().out
    assert "한들일보: 비트코인 9만달러 붕괴" in printed
    assert "1 clusters of 1 documents" in printed


def test_labelled_documents_are_scored_pair_by_pair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {**ROW, "event": "fall"},
        {**ROW, "event": "fall", "title": "비트코인 9만달러 아래로 추락"},
        {**ROW, "event": "fall", "title": "이더리움 재단 새 이사 선임"},
        {**ROW, "event": None, "title": "비트코인 9만달러 붕괴, 하루 만의 추락"},
    ]
    call_command("cluster_events", str(write(tmp_path / "docs.jsonl", *rows)))
    printed = capsys.readouterr().out
    assert "pairs by their labels: precision 0.3333, recall 0.3333" in printed
    assert "  wrong: 비트코인 9만달러 붕괴 | 비트코인 9만달러 붕괴, 하루 만의 추락" in printed
    assert "  missed: 비트코인 9만달러 붕괴 | 이더리움 재단 새 이사 선임" in printed


def test_documents_without_labels_are_not_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("cluster_events", str(write(tmp_path / "docs.jsonl", ROW, ROW)))
    assert "precision" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("clusters", "labels", "scores"),
    [
        ([[0, 1], [2]], ["a", "a", "b"], (1.0, 1.0, [], [])),
        ([[2, 0], [1]], ["a", "a", "b"], (0.0, 0.0, [(0, 2)], [(0, 1)])),
        ([[0, 1, 2]], ["a", "a", ""], (1 / 3, 1.0, [(0, 2), (1, 2)], [])),
        ([[0, 1]], ["", ""], (0.0, 1.0, [(0, 1)], [])),
        ([[0], [1]], ["a", "a"], (1.0, 0.0, [], [(0, 1)])),
    ],
)
def test_pairs_are_right_when_both_report_one_event(
    clusters: list[list[int]], labels: list[str], scores: tuple[float, float, list[Any], list[Any]]
) -> None:
    assert score_pairs(clusters, labels) == scores


def test_no_documents_are_no_clusters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("cluster_events", str(write(tmp_path / "docs.jsonl")), "--json")
    assert json.loads(capsys.readouterr().out) == {"clusters": [], "possibleMerges": []}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", ":1"),
        ("[1]", ":1: not an object"),
        ('\n{"title": ""}', ":2: the title is missing"),
        ('{"title": 5}', ':1: "title" must be a string'),
        ('{"title": "a", "publishedAt": "yesterday"}', ":1"),
        ('{"title": "a", "publishedAt": "2031-03-03T09:00:00"}', "must carry its zone"),
        ("[" * 100_000, ":1"),
    ],
)
def test_a_bad_file_is_named_with_its_fault(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError, match=message) as refusal:
        call_command("cluster_events", str(path), "--json")
    assert refusal.value.returncode == 2
    assert str(path) in str(refusal.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file") as refusal:
        call_command("cluster_events", str(tmp_path / "missing.jsonl"))
    assert refusal.value.returncode == 2


def test_a_published_event_stands_for_its_entities_and_topics() -> None:
    units = units_of_canon(UNITS)
    named = {unit.unit for unit in units(EventDoc("누리빗 해킹 사태 한 달", "", "한들일보", None, "ko"))}
    assert named == {"event:2031-03-nuribit-hack", "entity:nuribit", "asset:lumi", "topic:exchange-hack"}


def test_the_starter_canon_names_bitcoin() -> None:
    named = units_of_canon(starter_canon())(EventDoc("비트코인 9만달러 붕괴", "", "한들일보", None, "ko"))
    assert "asset:btc" in {unit.unit for unit in named}
