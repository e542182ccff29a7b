"""What was given from memory, and whom the front closed on or refused: told once a second, and counted."""

import json
import logging
from typing import Any

import pytest
from django.utils import timezone

from config import metrics
from config.front.assembly import report
from config.front.counts import FrontCounts
from config.log_lines import JsonLines


def counts() -> FrontCounts:
    """Three pages of 10 bytes, a 304, and two connections that were closed."""
    counted = FrontCounts()
    for _ in range(3):
        counted.hit("v", "GET", 200, 10)
    counted.hit("v", "HEAD", 304, 0)
    counted.end("head")
    counted.end("full")
    counted.end("full")
    return counted


def reported(counted: FrontCounts, caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    caplog.clear()
    with caplog.at_level(logging.INFO, logger="requests"):
        report(counted)
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records]
    return [{name: value for name, value in line.items() if name not in ("at", "level")} for line in lines]


def test_a_line_for_each_kind_says_how_many_and_how_many_bytes(caplog: pytest.LogCaptureFixture) -> None:
    memory = {"logger": "requests", "message": "requests from memory", "view": "v"}
    assert reported(counts(), caplog) == [
        memory | {"method": "GET", "status": 200, "count": 3, "bytes": 30},
        memory | {"method": "HEAD", "status": 304, "count": 1, "bytes": 0},
        {"logger": "requests", "message": "connections ended", "head": 1, "full": 2},
    ]


def test_nothing_is_said_of_what_did_not_happen(caplog: pytest.LogCaptureFixture) -> None:
    only_hits = FrontCounts()
    only_hits.hit("v", "GET", 200, 10)
    assert [line["message"] for line in reported(only_hits, caplog)] == ["requests from memory"]
    only_ended = FrontCounts()
    only_ended.end("idle")
    assert reported(only_ended, caplog) == [{"logger": "requests", "message": "connections ended", "idle": 1}]


def test_what_was_taken_is_not_counted_again() -> None:
    counted = counts()
    taken = counted.take()
    assert (sum(taken.hits.values()), sum(taken.bytes.values()), taken.ended["full"]) == (4, 30, 2)
    assert taken
    assert not counted
    counted.end("reader")
    assert (dict(counted.take().ended), taken.ended["reader"]) == ({"reader": 1}, 0)


def figures() -> dict[str, float]:
    text = metrics.counted().exposition(timezone.now()).decode()
    lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    ours = ("http_ended_total", 'view="v"')
    return {name: float(value) for name, _space, value in lines if any(one in name for one in ours)}


def test_metrics_count_hits_as_requests_and_give_them_no_time(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.METRICS_TOKEN = "a token of some length"
    monkeypatch.setattr(
        metrics.Read, "collect", lambda _read: iter(())
    )  # what the store says is not asked here
    before = figures()
    report(counts())
    after = figures()
    more = {name: value - before.get(name, 0) for name, value in after.items() if value != before.get(name)}
    assert more == {
        'http_requests_total{method="GET",status="200",view="v"}': 3,
        'http_requests_total{method="HEAD",status="304",view="v"}': 1,
        'http_ended_total{reason="head"}': 1,
        'http_ended_total{reason="full"}': 2,
    }


def test_without_a_token_nothing_is_counted(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> None:
        raise AssertionError("counted, though nobody may read it")

    settings.METRICS_TOKEN = ""
    monkeypatch.setattr(metrics, "counted", refused)
    report(counts())
