"""The form at /ask: it works without script, and its refusals are shown where the question was typed."""

from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from ask import curation
from ask.models import Answer, AnswerVersion, SeedQuestion
from tests.ask.records import KOREAN, NOON, ask, maru

pytestmark = pytest.mark.django_db


def post(client: Client, question: str = KOREAN, **headers: str) -> Any:
    return client.post("/ask", {"question": question}, headers=headers)


def test_a_question_leads_to_its_page(client: Client) -> None:
    maru()
    response = post(client)
    assert response.status_code == 303
    assert "3억 6천만" in client.get(response.headers["Location"]).content.decode()
    assert response.headers["RateLimit"].startswith('"minute";r=4;t=')
    assert response.headers["Cache-Control"] == "no-store"


def test_asking_needs_no_cookie_and_no_token() -> None:
    client = Client(enforce_csrf_checks=True)
    maru()
    assert not client.get("/ask").cookies
    response = post(client)
    assert response.status_code == 303
    assert not response.cookies


@pytest.mark.parametrize(
    ("question", "said"), [("", "글자나 숫자"), ("?!", "글자나 숫자"), ("가" * 301, "301자")]
)
def test_a_bad_question_stands_in_the_form_with_the_fix(client: Client, question: str, said: str) -> None:
    response = post(client, question)
    html = response.content.decode()
    assert response.status_code == 400
    assert said in html
    assert f">{question}</textarea>" in html
    assert response.headers["X-Robots-Tag"] == "noindex"
    assert "RateLimit" not in response.headers


def test_a_form_without_a_question_is_refused_kindly(client: Client) -> None:
    assert client.post("/ask").status_code == 400
    assert client.post("/ask", b"\xff\xfe", content_type="text/plain").status_code == 400


def test_a_body_that_no_question_needs_is_refused(client: Client) -> None:
    response = post(client, "가" * 3000)
    assert response.status_code == 413
    assert "가가가" not in response.content.decode()


@pytest.mark.usefixtures("stopped_clock")
def test_the_sixth_in_a_minute_is_told_when_and_whom_to_write(client: Client) -> None:
    for number in range(5):
        assert post(client, f"된장찌개 {number}").status_code == 303
    response = post(client, "된장찌개 5")
    html = response.content.decode()
    assert response.status_code == 429
    assert 1 <= int(response.headers["Retry-After"]) <= 60
    assert response.headers["RateLimit"].startswith('"minute";r=0;')
    assert "1분에 5개" in html
    assert configured.CONTACT_EMAIL in html
    assert post(client, "된장찌개 0").status_code == 303


@pytest.mark.usefixtures("stopped_clock")
def test_the_form_and_the_api_count_together(client: Client) -> None:
    for number in range(5):
        client.post("/api/ask", {"question": f"된장찌개 {number}"}, content_type="application/json")
    assert post(client, "된장찌개 5").status_code == 429


def test_what_was_typed_cannot_act(client: Client) -> None:
    html = post(client, "</textarea><script>alert(1)</script>" + "가" * 300).content.decode()
    assert "<script" not in html


def test_a_hidden_answer_is_said_to_be_gone(client: Client) -> None:
    maru()
    ask(KOREAN)
    curation.hide(Answer.objects.all(), "신고")
    assert post(client).status_code == 410


def test_without_redis_new_questions_wait_and_stored_ones_do_not(client: Client, settings: Settings) -> None:
    maru()
    post(client)
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "redis://127.0.0.1:1/0",
        }
    }
    assert post(client).status_code == 303
    refused = post(client, "마루코인은 누가 만들었어?")
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    assert AnswerVersion.objects.count() == 1


def test_answered_seeds_stand_beside_the_form(client: Client) -> None:
    maru()
    SeedQuestion.objects.create(text=KOREAN)
    ask(KOREAN, now=NOON)
    assert f'<a href="{Answer.objects.get().get_absolute_url()}">{KOREAN}</a>' in (
        client.get("/ask").content.decode()
    )


def test_the_form_is_revalidated_and_cheap(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(2):
        etag = client.get("/ask").headers["ETag"]
    assert client.get("/ask", headers={"If-None-Match": etag}).status_code == 304
    assert client.head("/ask").status_code == 200
    assert client.put("/ask").status_code == 405


def from_box(client: Client, text: str, **pressed: str) -> Any:
    return client.post("/ask", {"q": text} | pressed)


@pytest.mark.parametrize("text", [KOREAN, "마루코인은 누가 만들었어", "why did Marucoin fall", "마루코인?"])
def test_enter_in_the_box_asks_what_is_a_question(client: Client, text: str) -> None:
    maru()
    response = from_box(client, text)
    assert (response.status_code, response.headers["Location"][:7]) == (303, "/ask/q/")


def test_enter_in_the_box_searches_for_a_name_and_its_button_asks_of_it(client: Client) -> None:
    maru()
    response = from_box(client, "마루 코인&")
    assert (response.status_code, response.headers["Location"]) == (
        303,
        "/search?q=%EB%A7%88%EB%A3%A8+%EC%BD%94%EC%9D%B8%26",
    )
    assert "RateLimit" not in response.headers
    assert from_box(client, "마루코인", to="ask").headers["Location"].startswith("/ask/q/")


def test_a_refused_question_of_the_box_stands_in_the_form(client: Client) -> None:
    response = from_box(client, "가" * 301 + "?")
    assert response.status_code == 400
    assert f">{'가' * 301}?</textarea>" in response.content.decode()


def test_the_form_says_that_question_and_answer_become_public(client: Client) -> None:
    assert "이 질문과 답은 공개 페이지가 됩니다." in client.get("/ask").content.decode()
