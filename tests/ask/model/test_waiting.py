"""Who asks what is already being answered: told at once what to wait for, counted once, answered by one call."""

import json
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import datetime
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone

from ask import answering, bulkheads, flights, rehearsal, validation
from ask.bulkheads import AnswerPlaces
from ask.errors import AnswerInProgress
from ask.limits import Allowance
from ask.models import AnswerVersion
from knowledge.errors import Busy
from knowledge.publications.keeping import WAIT_HEADER
from tests.ask.records import ENGLISH, KOREAN, maru
from tests.fakes.front import through_front
from tests.fakes.messages_api import MessagesApi, delayed, document

pytestmark = pytest.mark.django_db

KEY = validation.validated(KOREAN).question_hash
SCOPE = f"answer:{KEY}"
CROWD = settings.WEB_THREADS


@pytest.fixture
def willing(model: MessagesApi) -> MessagesApi:
    """A model that quotes what it was sent."""
    model.answer(lambda one: document(rehearsal.reply(model.requests[-1].body))(one))
    return model


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list of the surfaces on which a question was counted, one item each time."""
    groups: list[str] = []
    consume = Allowance.consume
    monkeypatch.setattr(Allowance, "consume", lambda self: (groups.append(self.group), consume(self)))
    return groups


def few(monkeypatch: pytest.MonkeyPatch, places: int) -> AnswerPlaces:
    """A process with so many places for answers."""
    made = AnswerPlaces(places, retry_after=bulkheads.RETRY_AFTER)
    monkeypatch.setattr(answering, "ANSWERS", made)
    return made


def posted(client: Client, path: str, body: dict[str, Any]) -> Any:
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
    return client.post(path, json.dumps(body), content_type="application/json", headers=headers)


def by_rest(client: Client) -> Any:
    return posted(client, "/api/ask", {"question": KOREAN})


def by_form(client: Client) -> Any:
    return client.post("/ask", {"question": KOREAN})


def by_mcp(client: Client) -> Any:
    params = {"name": "ask_madang", "arguments": {"question": KOREAN}}
    return posted(client, "/api/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


FACES = {"REST": (by_rest, "ask", 200), "form": (by_form, "ask", 303), "MCP": (by_mcp, "mcp-ask", 200)}


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("maker", ["answers", "dies"])
def test_a_request_that_is_sent_again_is_counted_once_and_only_if_it_makes_the_answer(
    client: Client, willing: MessagesApi, counted: list[str], face: str, maker: str
) -> None:
    maru()
    send, group, status = FACES[face]
    scopes = []
    with ExitStack() as flight:
        flight.enter_context(flights.lease(KEY))

        def told(scope: str) -> None:
            scopes.append(scope)
            if len(scopes) < 3:
                return  # a second has passed, and the maker is still at it
            flight.close()
            if maker == "answers":
                answering.ask(KOREAN, now=timezone.now())

        response = through_front(lambda: send(client), told)
    assert (response.status_code, scopes) == (status, [SCOPE] * 3)
    assert counted == ([] if maker == "answers" else [group])
    assert len(willing.requests) == AnswerVersion.objects.count() == 1
    if face == "REST":
        assert response.json()["cached"] is (maker == "answers")


@pytest.mark.parametrize(
    ("face", "said"), [("REST", '"retryAfter":3'), ("form", "만들고 있습니다"), ("MCP", "-31503")]
)
def test_without_a_front_it_is_a_503_that_says_when_to_come_back_and_no_error_in_the_log(
    client: Client, caplog: pytest.LogCaptureFixture, face: str, said: str
) -> None:
    with flights.lease(KEY):
        response = FACES[face][0](client)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
    assert (response.status_code, response.headers["Retry-After"]) == (503, "3")
    assert response.headers[WAIT_HEADER] == SCOPE
    assert said in response.content.decode().replace(": ", ":")


def test_any_other_refusal_names_nothing_to_wait_for(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with few(monkeypatch, 1).place("0" * 32):
        for send, _group, _status in FACES.values():
            response = send(client)
            assert response.status_code == 503
            assert WAIT_HEADER not in response.headers


def test_a_full_process_has_those_wait_whose_question_is_inside_before_anybody_has_its_lease(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = few(monkeypatch, 2)
    with places.place(KEY):
        with places.place(KEY):
            with pytest.raises(AnswerInProgress) as refused:
                answering.ask(KOREAN, now=now)
            assert refused.value.waits_for == SCOPE
            with pytest.raises(Busy):
                answering.ask(ENGLISH, now=now)
        with places.place("0" * 32), pytest.raises(AnswerInProgress):
            answering.ask(KOREAN, now=now)
    with places.place("0" * 32), places.place("1" * 32), pytest.raises(Busy):
        answering.ask(KOREAN, now=now)


def test_a_full_process_has_those_wait_whose_question_is_answered_by_another_process(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    with few(monkeypatch, 1).place("0" * 32), flights.lease(KEY), pytest.raises(AnswerInProgress) as refused:
        answering.ask(KOREAN, now=now)
    assert refused.value.waits_for == SCOPE


def found_stored(now: datetime) -> bool:
    try:
        return answering.ask(KOREAN, now=now).cached
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_of_a_crowd_with_one_question_one_makes_the_answer_and_all_others_wait_for_it(
    willing: MessagesApi, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    maru(aliases=[])
    few(monkeypatch, 4)
    willing.answer(delayed(0.4, *willing.script))
    start = threading.Barrier(CROWD)

    def one_of_many(_: int) -> str | None:
        start.wait()
        try:
            assert not answering.ask(KOREAN, now=now).cached
            return "made"
        except AnswerInProgress as refusal:
            return refusal.waits_for
        finally:
            connection.close()

    with ThreadPoolExecutor(CROWD) as crowd:
        met = list(crowd.map(one_of_many, range(CROWD)))
        assert sorted(map(str, met)) == [SCOPE] * (CROWD - 1) + ["made"]
        assert len(willing.requests) == 1
        assert all(crowd.map(found_stored, [now] * CROWD))
    assert len(willing.requests) == AnswerVersion.objects.count() == 1
