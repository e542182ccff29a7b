"""The steps of the main job: sources are read, records published, and a question asked."""

from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client

from knowledge import publications
from knowledge.tasks import fold_counts
from tests.factories.knowledge import NOON


@pytest.fixture
def at_noon(settings: Any) -> Iterator[None]:
    settings.FETCH_ALLOW_PRIVATE = True
    settings.ANTHROPIC_API_KEY = ""
    with time_machine.travel(NOON, tick=True):
        yield


def ingest(*sources: str) -> None:
    out = StringIO()
    try:
        call_command("ingest", *sources, stdout=out)
    except SystemExit as end:
        pytest.fail(f"ingest ended with {end.code}:\n{out.getvalue()}")
    fold_counts()


def published(client: Client, index: str = "entities") -> dict[str, dict[str, Any]]:
    """The records of a public index by id."""
    publications.build(now=NOON)
    response = client.get(f"/api/canonical/{index}.json")
    assert response.status_code == 200
    return {record["id"]: record for record in response.json()[index]}


def ask(client: Client, question: str) -> dict[str, Any]:
    response = client.post("/api/ask", {"question": question}, content_type="application/json")
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = response.json()
    return answer
