"""The gates on real headlines, which lie beside the project: SAMPLES_DIR says where."""

import json
import os
from itertools import combinations
from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = (
    Path(os.environ.get("SAMPLES_DIR", ROOT / "../shared/samples")) / "event_docs" / "labelled_docs.jsonl"
)

pytestmark = pytest.mark.skipif(
    not DOCUMENTS.is_file(), reason="no labelled headlines: SAMPLES_DIR names no folder with them"
)


def test_labelled_headlines_are_put_together_rightly(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("cluster_events", str(DOCUMENTS), "--json")
    clusters = json.loads(capsys.readouterr().out)["clusters"]
    found = {pair for rows in clusters for pair in combinations(sorted(rows), 2)}
    stories = [json.loads(line)["event"] for line in DOCUMENTS.read_text(encoding="utf-8").splitlines()]
    true = {
        (one, other) for one, other in combinations(range(len(stories)), 2) if stories[one] == stories[other]
    }
    assert len(found & true) / len(found) >= 0.9
    assert len(found & true) / len(true) >= 0.75
