"""The gates on real headlines, which lie beside the project: SAMPLES_DIR says where."""

import json
import os
from pathlib import Path

import pytest
from django.core.management import call_command

from knowledge.evaluation.events import read_labels, score_pairs

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
    scores = score_pairs(clusters, read_labels(DOCUMENTS))
    assert scores.precision >= 0.98
    assert scores.recall >= 0.88
