"""POST /api/ask as a client meets it: the record, and every way of asking badly."""

import json
import logging
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from ask import answering, bulkheads, curation
from ask.errors import AnswerInProgress, LimitsUnavailable, RateLimited
from ask.model_errors import DailyBudgetExhausted, ModelUnavailable
from ask.models import Answer
from knowledge.errors import Busy, Refusal
from tests.ask.records import ENGLISH, KOREAN, OFF_TOPIC, maru

pytestmark = pytest.mark.django_db


def post(client: Client, body: str | bytes, content_type: str = "application/json", **headers: str) -> Any:
    return client.post("/api/ask", body, content_type=content_type, headers=headers)


def question(text: str) -> str:
    return json.dumps({"question": text})


def test_the_record_is_the_contracts(client: Client) -> None:
    maru()
    response = post(client, question(KOREAN))
    record = response.json()
    assert list(record) == [
        *("questionHash", "question", "answer", "citations", "costUsd", "cached", "generatedAt"),
        *("mode", "related"),
    ]
    assert record["question"] == KOREAN
    assert record["citations"] == [{"label": "마루코인", "url": "/asset/marucoin", "type": "asset"}]
    assert (record["costUsd"], record["cached"], record["mode"]) == (0, False, "extractive")
    assert record["generatedAt"].endswith("+09:00")
    assert "마루코인" in response.content.decode()  # UTF-8, unescaped
    assert response.headers["Cache-Control"] == "no-store"


def test_the_answer_stays_at_its_permanent_page(client: Client) -> None:
    maru()
    record = post(client, question(KOREAN)).json()
    assert client.get(f"/ask/q/{record['questionHash']}").status_code == 200


def test_asked_again_only_cached_and_the_wording_differ(client: Client) -> None:
    maru()
    first, second = post(client, question(KOREAN)).json(), post(client, question(f" {KOREAN}?")).json()
    assert second == first | {"cached": True, "question": f"{KOREAN}?"}


def test_the_record_echoes_what_was_asked_and_the_page_keeps_the_first_wording(client: Client) -> None:
    maru()
    first = post(client, question(KOREAN)).json()
    other = KOREAN.replace("마루코인", " 마루코인 ").replace("?", "？!")
    second = post(client, question(f"\u200b{other}")).json()
    assert (first["question"], second["question"]) == (KOREAN, " ".join(other.split()))
    assert (second["questionHash"], second["cached"]) == (first["questionHash"], True)
    page = client.get(f"/ask/q/{first['questionHash']}").content.decode()
    assert f'<h1 class="asked">{KOREAN}</h1>' in page


def test_a_cached_answer_costs_a_handful_of_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    maru()
    post(client, question(KOREAN))
    with django_assert_max_num_queries(4):
        assert post(client, question(KOREAN)).json()["cached"]


def test_nothing_found_is_an_answer_too(client: Client) -> None:
    response = post(client, question(OFF_TOPIC))
    assert response.status_code == 200
    record = response.json()
    assert (record["mode"], record["citations"], record["costUsd"]) == ("none", [], 0)


def test_a_hidden_answer_is_gone(client: Client) -> None:
    post(client, question(KOREAN))
    curation.hide(Answer.objects.all(), "신고")
    response = post(client, question(KOREAN))
    assert (response.status_code, response.json()["code"]) == (410, "answer_hidden")


BAD = {
    "nothing": ("", 400, "invalid_question"),
    "not JSON": ("question=x", 400, "invalid_body"),
    "cut off": ('{"question": "비트', 400, "invalid_body"),
    "an array": ('["question"]', 400, "invalid_body"),
    "a string": ('"question"', 400, "invalid_body"),
    "null": ("null", 400, "invalid_body"),
    "two objects": ('{"question": "a"}{"question": "b"}', 400, "invalid_body"),
    "a key twice": ('{"question": "a", "question": "b"}', 400, "invalid_body"),
    "a key twice deeper down": ('{"question": "a", "more": {"x": 1, "x": 2}}', 400, "invalid_body"),
    "NaN": ('{"question": "a", "x": NaN}', 400, "invalid_body"),
    "deep nesting": ('{"question": ' + "[" * 2000 + "]" * 2000 + "}", 400, "invalid_body"),
    "deeper nesting": ("[" * 50_000, 413, "payload_too_large"),
    "UTF-16": (question("비트코인?").encode("utf-16"), 400, "invalid_body"),
    "Latin-1": ('{"question": "café"}'.encode("latin-1"), 400, "invalid_body"),
    "a raw NUL": ('{"question": "a\x00b"}', 400, "invalid_body"),
    "no question": ('{"q": "비트코인?"}', 400, "invalid_question"),
    "a number": ('{"question": 5}', 400, "invalid_question"),
    "infinity": ('{"question": 1e999}', 400, "invalid_question"),
    "a list": ('{"question": ["비트코인?"]}', 400, "invalid_question"),
    "null question": ('{"question": null}', 400, "invalid_question"),
    "an empty question": ('{"question": ""}', 400, "invalid_question"),
    "blanks": ('{"question": " \\t\\n\\u3000 "}', 400, "invalid_question"),
    "invisible characters": ('{"question": "\\u200b\\u3164\\ufeff"}', 400, "invalid_question"),
    "lone surrogates": ('{"question": "\\ud800\\udfff"}', 400, "invalid_question"),
    "punctuation": ('{"question": "?!… —"}', 400, "invalid_question"),
    "301 characters": (question("가" * 301), 400, "question_too_long"),
    "5 KB": (question("a" * 5000), 413, "payload_too_large"),
    "4 KB and a blank": (question("a").ljust(4097), 413, "payload_too_large"),
}


@pytest.mark.parametrize(("body", "status", "code"), BAD.values(), ids=BAD)
def test_a_bad_question_gets_a_problem_that_names_it(
    client: Client, body: str | bytes, status: int, code: str
) -> None:
    response = post(client, body)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert not Answer.objects.exists()


GOOD = {
    "300 characters": question("가" * 300),
    "4,096 bytes": question("a").ljust(4096),
    "a byte order mark": "\ufeff" + question("비트코인?"),
    "escaped": '{"question": "\\ube44\\ud2b8\\ucf54\\uc778?"}',
    "an emoji as a surrogate pair": '{"question": "\\ud83d\\ude80 a"}',
    "a lone surrogate beside words": '{"question": "비트\\ud800코인?"}',
    "an escaped NUL": '{"question": "a\\u0000b"}',
    "further fields": '{"question": "a", "stream": true, "n": 1e999}',
}


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD)
def test_an_odd_but_readable_question_is_answered(client: Client, body: str) -> None:
    assert post(client, body).status_code == 200


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x"],
)
def test_another_content_type_is_refused(client: Client, content_type: str) -> None:
    response = post(client, question(KOREAN), content_type=content_type)
    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "APPLICATION/JSON"])
def test_the_content_type_may_say_more(client: Client, content_type: str) -> None:
    assert post(client, question(KOREAN), content_type=content_type).status_code == 200


@pytest.mark.parametrize("method", ["get", "head", "put", "patch", "delete"])
def test_another_method_is_refused(client: Client, method: str) -> None:
    response = getattr(client, method)("/api/ask")
    assert response.status_code == 405
    assert "POST" in response.headers["Allow"]


def test_options_names_the_methods(client: Client) -> None:
    response = client.options("/api/ask")
    assert (response.status_code, response.headers["Allow"]) == (204, "POST, OPTIONS")


def test_a_browser_may_ask_from_anywhere(client: Client) -> None:
    preflight = client.options(
        "/api/ask", headers={"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    )
    assert preflight.status_code == 204
    assert "POST" in preflight.headers["Access-Control-Allow-Methods"]
    assert post(client, question(KOREAN)).headers["Access-Control-Allow-Origin"] == "*"
    assert post(client, "x").headers["Access-Control-Allow-Origin"] == "*"


def test_the_refusal_speaks_the_readers_language(client: Client) -> None:
    assert "질문" in post(client, '{"question": ""}', **{"Accept-Language": "ko"}).json()["detail"]
    assert "question" in post(client, '{"question": ""}', **{"Accept-Language": "en"}).json()["detail"]


def test_no_cookie_is_set_and_no_token_needed() -> None:
    response = post(Client(enforce_csrf_checks=True), question(ENGLISH))
    assert response.status_code == 200
    assert not response.cookies


def test_questions_and_addresses_are_not_logged(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("django.db.backends").setLevel(logging.INFO)
    maru()
    for body in (question("마루코인 비밀 질문?"), question("비밀" * 200), '{"question": "비밀'):
        client.post("/api/ask", body, content_type="application/json", REMOTE_ADDR="203.0.113.7")
    assert "비밀" not in caplog.text
    assert "203.0.113.7" not in caplog.text


def ask_many(client: Client, count: int, **extra: str) -> list[Any]:
    """Different questions from one address."""
    return [
        client.post("/api/ask", question(f"된장찌개 {number}"), content_type="application/json", **extra)
        for number in range(count)
    ]


@pytest.mark.usefixtures("stopped_clock")
def test_a_new_question_is_counted_and_told_what_is_left(client: Client) -> None:
    first, second = ask_many(client, 2)
    assert first.headers["RateLimit-Policy"] == '"minute";q=5;w=60, "day";q=50;w=86400'
    assert first.headers["RateLimit"].startswith('"minute";r=4;t=')
    assert second.headers["RateLimit"].startswith('"minute";r=3;t=')


@pytest.mark.usefixtures("stopped_clock")
def test_a_cached_answer_consumes_no_limit(client: Client) -> None:
    maru()
    post(client, question(KOREAN))
    for _ in range(10):
        again = post(client, question(KOREAN))
        assert (again.status_code, again.json()["cached"]) == (200, True)
        assert "RateLimit" not in again.headers
    assert ask_many(client, 1)[0].headers["RateLimit"].startswith('"minute";r=3;')


def test_a_bad_question_consumes_no_limit(client: Client) -> None:
    for body in (question(""), question("가" * 301), "{", "[]"):
        assert "RateLimit" not in post(client, body).headers
    assert ask_many(client, 1)[0].headers["RateLimit"].startswith('"minute";r=4;')


@pytest.mark.usefixtures("stopped_clock")
def test_the_sixth_in_a_minute_is_a_problem_with_a_way_out(client: Client) -> None:
    *passed, refused = ask_many(client, 6)
    problem = refused.json()
    assert [response.status_code for response in passed] == [200] * 5
    assert (refused.status_code, problem["code"]) == (429, "rate_limited")
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert refused.headers["Retry-After"] == str(problem["retryAfter"])
    assert refused.headers["RateLimit"] == f'"minute";r=0;t={problem["retryAfter"]}'
    for wanted in ("5 a minute", "/api/search", configured.CONTACT_EMAIL):
        assert wanted in problem["detail"]


@pytest.mark.usefixtures("stopped_clock")
def test_forged_hops_open_no_new_window(client: Client) -> None:
    for number in range(6):
        response = ask_many(client, number + 1, HTTP_X_FORWARDED_FOR=f"198.51.100.{number}")[-1]
    assert response.status_code == 429


@pytest.mark.parametrize(("other", "status"), [("2001:db8:1:2::ffff", 429), ("2001:db8:1:3::1", 200)])
@pytest.mark.usefixtures("stopped_clock")
def test_a_household_shares_its_windows(client: Client, other: str, status: int) -> None:
    ask_many(client, 5, REMOTE_ADDR="2001:db8:1:2::1")
    body = question("다른 질문")
    response = client.post("/api/ask", body, content_type="application/json", REMOTE_ADDR=other)
    assert response.status_code == status


def test_without_redis_stored_answers_stay_and_new_questions_wait(client: Client, settings: Settings) -> None:
    maru()
    post(client, question(KOREAN))
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "redis://127.0.0.1:1/0",
        }
    }
    assert post(client, question(KOREAN)).json()["cached"]
    refused = post(client, question(ENGLISH))
    assert (refused.status_code, refused.json()["code"]) == (503, "limits_unavailable")
    assert refused.headers["Retry-After"] == "5"


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize(
    ("refusal", "status"),
    [
        (partial(RateLimited, 5, "minute", retry_after=7), 429),
        (LimitsUnavailable, 503),
        (AnswerInProgress, 503),
        (ModelUnavailable, 503),
        (partial(DailyBudgetExhausted, retry_after=7), 503),
        (None, 503),
    ],
    ids=["limit", "no counters", "in progress", "no model", "cap", "full"],
)
def test_whoever_has_to_wait_is_told_what_is_free_and_whom_to_write(
    client: Client,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    refusal: Callable[[], Refusal] | None,
    status: int,
    lang: str,
) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        assert refusal is not None
        raise refusal()

    with ExitStack() as full:
        if refusal is None:
            for _ in range(settings.WEB_THREADS):
                with suppress(Busy):
                    full.enter_context(bulkheads.ANSWERS)
        else:
            monkeypatch.setattr(answering, "ask", refuse)
        response = post(client, question(KOREAN), accept_language=lang)
    problem = response.json()
    assert (response.status_code, problem["status"]) == (status, status)
    assert int(response.headers["Retry-After"]) == problem["retryAfter"] > 0
    assert settings.CONTACT_EMAIL in problem["detail"]
    assert "GET /api/search" in problem["detail"]
    assert ("무료" if lang == "ko" else "free") in problem["detail"]


def test_a_counted_question_that_fails_is_told_its_windows_too(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unavailable(*args: Any, **kwargs: Any) -> None:
        raise ModelUnavailable

    maru()
    monkeypatch.setattr(answering, "composing", unavailable)
    response = post(client, question(KOREAN))
    assert (response.status_code, response.json()["code"]) == (503, "model_unavailable")
    assert response.headers["RateLimit"].startswith('"minute";r=4;')


def test_the_record_and_the_page_say_which_name_was_taken(client: Client) -> None:
    maru()
    record = post(client, question("마루코잉의 발행 상한은?")).json()
    assert record["answer"].startswith("'마루코잉'은 마루코인으로 읽었습니다.\n\n")
    page = client.get(f"/ask/q/{record['questionHash']}").content.decode()
    assert "마루코인으로 읽었습니다." in page
