"""The log of fetches is kept for 90 days; what was fetched is kept for good."""

from __future__ import annotations

from datetime import timedelta

import pytest

from knowledge.ingestion.pruning import FETCH_RUNS_KEPT, prune
from knowledge.models import Document, FetchRun, RunOutcome
from tests.factories.knowledge import NOON, make_document, make_source

pytestmark = pytest.mark.django_db


def test_old_runs_go_and_documents_stay() -> None:
    source = make_source()
    make_document(source, fetched_at=NOON - timedelta(days=900), published_at=NOON - timedelta(days=900))
    for age in (timedelta(), FETCH_RUNS_KEPT, FETCH_RUNS_KEPT + timedelta(seconds=1)):
        FetchRun.objects.create(source=source, started_at=NOON - age, outcome=RunOutcome.OK)
    assert prune(now=NOON) == 1
    assert prune(now=NOON) == 0
    assert (FetchRun.objects.count(), Document.objects.count()) == (2, 1)
