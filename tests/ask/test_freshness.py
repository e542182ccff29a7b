"""What is made anew before anybody is given it: an answer whose figures are due, and one that former rules quoted."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any

import pytest
import time_machine
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test import Client

from ask import answering, bulkheads, drafts, flights, freshness, proposals, renewal
from ask.answering import quoted_anew
from ask.bulkheads import AnswerPlaces
from ask.drafts import FIGURE_LEADS
from ask.errors import AnswerInProgress
from ask.freshness import FRESH, FRESH_FIGURES, FRESH_SEED
from ask.limits import Allowance, parse
from ask.models import Answer, AnswerVersion, Mode, SeedQuestion
from ask.storing import Reply
from knowledge.errors import Busy
from knowledge.models import Observation
from knowledge.publications.keeping import WAIT_HEADER
from tests.ask.records import KOREAN, NOON, index, maru, stored_answer
from tests.factories.knowledge import make_unit
from tests.factories.series import make_series, observe
from tests.fakes.front import through_front

pytestmark = pytest.mark.django_db

PRICE = "비트코인 지금 얼마야?"
MINUTE = timedelta(minutes=1)
HALF_HOUR = 30 * MINUTE


@pytest.fixture
def coin() -> None:
    """An asset whose price was read five minutes ago, and is read once an hour."""
    unit = make_unit("btc", "비트코인", symbol="BTC", summary="비트코인은 최초의 가상자산이다.")
    names = {"label": "비트코인 원화 가격", "label_en": "BTC price in won", "aliases": ["비트코인 시세"]}
    make_series("price-btc", holder=unit, unit="KRW", cadence="live", decimals=0, **names)
    observe("price-btc", NOON - 5 * MINUTE, 142_000_000)
    index()


def candle(at: datetime = NOON + 25 * MINUTE, value: float = 139_000_000) -> None:
    observe("price-btc", at, value)


def ask(question: str = PRICE, *, now: datetime = NOON, allowance: Allowance | None = None) -> Reply:
    return answering.ask(question, now=now, allowance=allowance)


def posted(client: Client, url: str, body: dict[str, Any]) -> Any:
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
    return client.post(url, json.dumps(body), content_type="application/json", headers=headers)


def called(client: Client, name: str, arguments: dict[str, Any]) -> Any:
    """The response to a call of a tool."""
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }
    return posted(client, "/api/mcp", call)


def told(client: Client, name: str, arguments: dict[str, Any]) -> str:
    """What a tool says."""
    return str(called(client, name, arguments).json()["result"]["structuredContent"])


@pytest.mark.usefixtures("coin")
def test_after_a_new_point_the_second_answer_has_its_number_and_costs_nobody_anything() -> None:
    first, counted = ask(), Allowance("ask", parse("ASK_LIMITS", ["1/m"]), "203.0.113.7")
    assert first.version.body.startswith(FIGURE_LEADS["ko"])
    assert "142,000,000원 (2026년 11월 21일 11:55 KST" in first.version.body
    candle()
    second = ask(now=NOON + HALF_HOUR, allowance=counted)
    assert "139,000,000원 (2026년 11월 21일 12:25 KST" in second.version.body
    assert (second.cached, second.version.generated_at) == (True, NOON + HALF_HOUR)
    assert (second.version.mode, second.version.cost_usd, counted.used) == (Mode.EXTRACTIVE, 0, [])


@pytest.mark.usefixtures("coin")
@pytest.mark.parametrize("face", ["REST", "page", "kept page", "MCP ask", "MCP fetch", "MCP search"])
def test_no_face_gives_the_old_number_first(client: Client, face: str) -> None:
    path = ask().answer.get_absolute_url()
    key = path.rpartition("/")[2]
    SeedQuestion.objects.create(text=PRICE)
    faces = {
        "REST": lambda: str(posted(client, "/api/ask", {"question": PRICE}).json()),
        "page": lambda: client.get(path).content.decode(),
        "kept page": lambda: client.get(path).content.decode(),
        "MCP ask": lambda: told(client, "ask_madang", {"question": PRICE}),
        "MCP fetch": lambda: told(client, "fetch", {"id": f"answer:{key}"}),
        "MCP search": lambda: told(client, "search_answers", {"query": "비트코인 얼마"}),
    }
    if face == "kept page":
        with time_machine.travel(NOON, tick=False):
            assert "142,000,000원" in faces[face]()
    candle()
    with time_machine.travel(NOON + HALF_HOUR, tick=False):
        shown = faces[face]()
    assert "139,000,000원" in shown
    assert "142,000,000원" not in shown


@pytest.mark.usefixtures("coin")
@pytest.mark.parametrize(
    ("measured", "due"),
    [
        (NOON - 55 * MINUTE, NOON + 5 * MINUTE),  # the next point of the hour
        (NOON - 5 * MINUTE, NOON + FRESH_FIGURES),
        (NOON - 300 * MINUTE, NOON + FRESH_FIGURES),  # overdue
    ],
)
def test_it_is_fresh_until_the_next_point_is_due_and_ten_minutes_at_most(
    measured: datetime, due: datetime
) -> None:
    Observation.objects.all().delete()
    candle(measured, 142_000_000)
    first = ask()
    candle(NOON, 139_000_000)
    assert ask(now=due - timedelta(seconds=1)).version == first.version
    assert "139,000,000원" in ask(now=due).version.body


@pytest.mark.usefixtures("coin")
def test_it_is_looked_at_once_a_due_time_and_what_did_not_move_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, looked = ask(), []
    found = answering.found
    monkeypatch.setattr(answering, "found", lambda *given: (looked.append(given), found(*given))[1])
    for minutes in (9, 10, 11, 19, 20, 29):
        assert ask(now=NOON + minutes * MINUTE).version == first.version
    assert [now for _asked, now in looked] == [NOON + 10 * MINUTE, NOON + 20 * MINUTE]


@pytest.mark.usefixtures("coin")
def test_its_page_is_kept_no_longer_than_its_figures_stand(client: Client) -> None:
    path = ask().answer.get_absolute_url()
    kept = {}
    for left in (60, 30, 12, 0.5):
        with time_machine.travel(NOON + FRESH_FIGURES - timedelta(seconds=left), tick=False):
            kept[left] = client.get(path).headers["Cache-Control"]
    assert kept == {60: "public, max-age=30", 30: "public, max-age=30"} | {
        12: "public, max-age=12",
        0.5: "public, max-age=0",
    }


@pytest.mark.usefixtures("coin")
def test_a_value_that_stopped_coming_says_its_age() -> None:
    ask()
    body = ask(now=NOON + timedelta(days=2)).version.body
    assert "142,000,000원" in body
    assert "2일 전 값" in body


@pytest.mark.usefixtures("coin")
def test_a_figure_that_is_gone_leaves_an_honest_sentence() -> None:
    ask()
    Observation.objects.all().delete()
    reply = ask(now=NOON + HALF_HOUR)
    assert (reply.version.mode, reply.version.body) == (Mode.NONE, drafts.NO_FIGURE["ko"])
    assert (reply.cached, reply.version.citations, reply.answer.figures_due_at) == (True, [], None)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("coin")
def test_many_at_one_due_time_make_one_version_and_none_gets_the_old_one() -> None:
    ask()
    candle()

    def one_of_many(_: int) -> str:
        try:
            return ask(now=NOON + HALF_HOUR).version.body
        except AnswerInProgress:
            return "139,000,000원, in a moment"
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as crowd:
        bodies = list(crowd.map(one_of_many, range(12)))
    assert all("139,000,000원" in body for body in bodies)
    assert AnswerVersion.objects.count() == 2


@pytest.mark.usefixtures("coin")
@pytest.mark.parametrize("why", ["somebody is at it", "no room"])
def test_who_cannot_have_the_new_number_is_told_to_come_back(
    client: Client, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    reply = ask()
    monkeypatch.setattr(answering, "ANSWERS", AnswerPlaces(1, retry_after=bulkheads.RETRY_AFTER))
    with ExitStack() as held, time_machine.travel(NOON + HALF_HOUR, tick=False):
        held.enter_context(
            flights.lease(reply.answer.pk) if why == "somebody is at it" else answering.ANSWERS
        )
        with pytest.raises((AnswerInProgress, Busy)):
            ask(now=NOON + HALF_HOUR)
        response = client.get(reply.answer.get_absolute_url())
        assert (response.status_code, response.headers["Retry-After"]) == (503, "3")
        waits_for = f"answer:{reply.answer.pk}" if why == "somebody is at it" else None
        assert response.headers.get(WAIT_HEADER) == waits_for
        assert "142,000,000원" not in response.content.decode()


@pytest.mark.usefixtures("coin")
@pytest.mark.parametrize("face", ["REST", "form", "page", "MCP ask", "MCP fetch"])
def test_behind_the_front_it_is_given_once_somebody_else_has_read_it(client: Client, face: str) -> None:
    reply = ask()
    path, key = reply.answer.get_absolute_url(), reply.answer.pk
    faces: dict[str, Callable[[], Any]] = {
        "REST": lambda: posted(client, "/api/ask", {"question": PRICE}),
        "form": lambda: client.post("/ask", {"question": PRICE}),
        "page": lambda: client.get(path),
        "MCP ask": lambda: called(client, "ask_madang", {"question": PRICE}),
        "MCP fetch": lambda: called(client, "fetch", {"id": f"answer:{key}"}),
    }
    scopes = []
    candle()
    with ExitStack() as reading, time_machine.travel(NOON + HALF_HOUR, tick=False):
        reading.enter_context(flights.lease(key))

        def read(scope: str) -> None:
            scopes.append(scope)
            reading.close()
            ask(now=NOON + HALF_HOUR)

        response = through_front(faces[face], read)
        assert scopes == [f"answer:{key}"]
        if face == "form":
            response = client.get(response.headers["Location"])
    assert "139,000,000원" in response.content.decode()


@pytest.mark.usefixtures("coin")
def test_beat_keeps_the_figures_of_a_seed_without_asking_anew_each_time() -> None:
    SeedQuestion.objects.create(text=PRICE)
    made = [renewal.answer_seeds(now=NOON + minutes * MINUTE) for minutes in (0, 9, 10)]
    candle()
    made += [renewal.answer_seeds(now=NOON + minutes * MINUTE) for minutes in (29, 30, 38)]
    assert made == [1, 0, 0, 1, 0, 0]


FORMER = "extractive:1"


@pytest.fixture
def by_old_rules() -> AnswerVersion:
    """The current version of an answer, quoted by rules of long ago."""
    maru()
    return stored_answer(question=KOREAN, prompt_version=FORMER)


def accepted_by_old_rules() -> AnswerVersion:
    """What an editor accepted long ago. It rests on what retrieval still finds."""
    present = ask(KOREAN).version
    values = {"body": "상한이 있다. [1]", "prompt_version": FORMER, "generated_at": NOON}
    kept = ("mode", "citations", "evidence_keys", "cited_keys", "evidence_fingerprint")
    copied = {name: getattr(present, name) for name in kept}
    proposed = AnswerVersion.objects.create(answer=present.answer, **(copied | values))
    assert proposals.accept(proposed, now=NOON)
    return proposed


@pytest.mark.parametrize("face", ["asked", "page"])
def test_what_former_rules_quoted_is_quoted_anew_before_anybody_gets_it(
    client: Client, by_old_rules: AnswerVersion, face: str
) -> None:
    counted = Allowance("ask", parse("ASK_LIMITS", ["1/m"]), "203.0.113.7")
    if face == "asked":
        assert ask(KOREAN, now=NOON + MINUTE, allowance=counted).cached
    else:
        assert client.get(by_old_rules.answer.get_absolute_url()).status_code == 200
    current = Answer.objects.select_related("current").get().current
    assert current is not None
    assert (current.prompt_version, counted.used) == (drafts.PROMPT_VERSION, [])
    assert "3억 6천만 개" in current.body


def test_what_former_rules_quoted_stands_while_there_is_no_room(
    client: Client, by_old_rules: AnswerVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "ANSWERS", AnswerPlaces(1, retry_after=bulkheads.RETRY_AFTER))
    with answering.ANSWERS:
        assert client.get(by_old_rules.answer.get_absolute_url()).status_code == 200
        assert quoted_anew(by_old_rules, NOON + MINUTE) == by_old_rules


def test_after_an_upgrade_beat_renews_seeds_at_once_and_leaves_what_an_editor_accepted() -> None:
    maru()
    accepted = accepted_by_old_rules()
    other = stored_answer(question="마루코인은 누가 만들었어?", prompt_version=FORMER)
    for text in (KOREAN, other.answer.question):
        SeedQuestion.objects.create(text=text)
    assert [renewal.answer_seeds(now=NOON + MINUTE * minute) for minute in (1, 2)] == [1, 0]
    # What it rests on is the same, so it is confirmed when its time has come.
    assert renewal.answer_seeds(now=NOON + FRESH_SEED) == 0
    by_rules = dict(Answer.objects.values_list("question", "current__prompt_version"))
    assert by_rules == {KOREAN: FORMER, other.answer.question: drafts.PROMPT_VERSION}
    assert ask(KOREAN, now=NOON + FRESH_SEED).version == accepted


def test_what_an_editor_took_back_is_as_any_other() -> None:
    maru()
    former = stored_answer(question=KOREAN, prompt_version=FORMER)
    proposed = proposals.propose(KOREAN, now=NOON)
    assert proposals.accept(proposed, now=NOON)
    assert freshness.follows_rules(proposed)
    assert proposals.take_back(proposed, former, now=NOON)
    answer = Answer.objects.get()
    assert (answer.current, answer.accepted) == (former, None)
    assert "3억 6천만 개" in ask(KOREAN, now=NOON + MINUTE).version.body


@pytest.mark.usefixtures("coin")
def test_an_accepted_figure_is_read_again() -> None:
    stored_answer(question=PRICE)
    proposed = proposals.propose(PRICE, now=NOON)
    candle()
    proposals.accept(proposed, now=NOON + HALF_HOUR)
    assert "139,000,000원" in ask(now=NOON + HALF_HOUR).version.body


def test_an_answer_without_figures_is_given_as_long_as_before() -> None:
    maru()
    first = ask(KOREAN)
    assert first.answer.figures_due_at is None
    assert freshness.is_fresh(first.version, NOON + FRESH - MINUTE)
    assert not freshness.is_fresh(first.version, NOON + FRESH)


def test_what_editors_accepted_before_is_read_from_the_desks_log() -> None:
    versions = {text: stored_answer(question=text) for text in ("받아들인 답변은?", "그대로인 답변은?")}
    accepted, other = versions.values()
    seed = SeedQuestion.objects.create(text=accepted.answer.question)
    LogEntry.objects.create(
        user=User.objects.create_user("editor"),
        content_type=ContentType.objects.get_for_model(SeedQuestion),
        object_id=seed.pk,
        action_flag=CHANGE,
        change_message=f"accepted: version {accepted.pk}",
    )
    with connection.cursor() as cursor:
        cursor.execute(import_module("ask.migrations.0015_accepted_before").ACCEPTED)
    found = dict(Answer.objects.values_list("question", "accepted"))
    assert found == {accepted.answer.question: accepted.pk, other.answer.question: None}
