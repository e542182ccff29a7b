"""The order of work with a model behind it: who pays, who waits, who is refused, and what is never asked."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db.models import F, Sum
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from ask import (
    answering,
    budget,
    bulkheads,
    curation,
    drafts,
    flights,
    leftovers,
    model_calls,
    model_citations,
    pause,
    proposals,
    queries,
    rehearsal,
    renewal,
    validation,
)
from ask.bulkheads import AnswerPlaces
from ask.drafts import NOTHING_FOUND
from ask.errors import AnswerHidden, AnswerInProgress, LimitsUnavailable, RateLimited
from ask.flights import ClockTimestamp, Flight
from ask.freshness import FRESH, FRESH_MISS
from ask.ledger import ModelCall, Outcome, Reservation, SpendDay
from ask.limits import Allowance, parse
from ask.model_errors import DailyBudgetExhausted, ModelUnavailable
from ask.models import Answer, AnswerVersion, Mode, SeedQuestion
from ask.queries import AddressStatus
from ask.storing import Reply
from knowledge.errors import Busy
from knowledge.models import Unit
from knowledge.search.indexing import index_units
from tests import processes
from tests.ask.model import asking_process
from tests.ask.records import ENGLISH, KOREAN, OFF_TOPIC, maru, news
from tests.factories.series import make_series, observe
from tests.fakes.messages_api import Connection, MessagesApi, delayed, document, failed, message, said
from tests.processes import Started

pytestmark = pytest.mark.django_db
MOMENT = timedelta(seconds=1)


def quoting(api: MessagesApi) -> Callable[[Connection], None]:
    """A model that quotes what it was sent, whatever that is."""
    return lambda one: document(rehearsal.reply(api.requests[-1].body))(one)


@pytest.fixture
def willing(model: MessagesApi) -> MessagesApi:
    model.answer(quoting(model))
    return model


def allowance(quota: str = "5/m") -> Allowance:
    return Allowance("ask", parse("ASK_LIMITS", [quota]), "203.0.113.7")


def ask(question: str = KOREAN, *, now: datetime, counted: Allowance | None = None) -> Reply:
    return answering.ask(question, now=now, allowance=counted)


def changed(summary: str, summary_en: str | None = None) -> None:
    unit = Unit.objects.get(slug="marucoin")
    unit.summary, unit.summary_en = summary, summary_en or unit.summary_en
    unit.save()
    index_units([unit.pk])


def test_with_a_key_the_model_answers_and_the_answer_says_what_it_cost(
    willing: MessagesApi, now: datetime
) -> None:
    maru()
    reply = ask(now=now)
    call = ModelCall.objects.get()
    assert (reply.version.mode, reply.cached) == (Mode.LLM, False)
    assert "3억 6천만" in reply.version.body
    assert reply.version.citations == [{"label": "마루코인", "url": "/asset/marucoin", "type": "asset"}]
    assert reply.version.cost_micro_usd == call.cost_micro_usd > 0
    assert reply.version.model == "claude-haiku-5-5"
    assert not Flight.objects.exists()


def test_an_answer_of_the_model_says_too_which_name_was_taken(willing: MessagesApi, now: datetime) -> None:
    maru()
    version = ask("마루코잉의 발행 상한은?", now=now).version
    assert version.mode == Mode.LLM
    assert version.body.startswith("'마루코잉'은 마루코인으로 읽었습니다.\n\n")


def test_its_page_says_so_and_leads_from_every_mark_to_its_source(
    willing: MessagesApi, now: datetime, client: Client
) -> None:
    maru()
    html = client.get(ask(now=now).answer.get_absolute_url()).content.decode()
    assert "AI 답변" in html
    assert html.count('<sup><a href="#c1">[1]</a></sup>') == 2
    assert 'name="robots" content="noindex"' in html


LIES = (
    "[1\u00ad]",
    "[\U000e00411\u3164]",
    "［1］",
    "【1†source】",
    "[출처 1]",
    "①",
    "&#91;1&#93;",
    "<sup>[1]</sup>",
    " [눌러](http://evil.example)",
)


def test_a_lie_of_the_model_has_no_mark_on_the_page_in_json_or_by_mcp(
    model: MessagesApi, now: datetime, client: Client
) -> None:
    maru()

    def lying(one: Connection) -> None:
        told = rehearsal.reply(model.requests[-1].body)
        truth = told["content"][0]
        begun = truth | {"text": f"{truth['text'][:-2]}며,"}
        lies = [block for lie in LIES for block in (begun, said(f" 내일 크게 오른다{lie}. "))]
        document(told | {"content": [truth, said("\n"), *lies, said("이 문장은 출처가 없다.")]})(one)

    model.answer(lying)
    record = client.post("/api/ask", {"question": KOREAN}, content_type="application/json").json()
    called = {"name": "ask_madang", "arguments": {"question": KOREAN}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": called}
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
    told = client.post("/api/mcp", call, content_type="application/json", headers=headers).json()
    page = client.get(f"/ask/q/{record['questionHash']}").content.decode()
    shown = page.partition('<div class="says">')[2].partition("<h2")[0]
    structured = told["result"]["structuredContent"]
    assert (structured["answer"], structured["question"]) == (record["answer"], KOREAN)
    for text in (record["answer"], shown):
        assert text.count(" 내일 크게 오른다.") == len(LIES) - 1
        assert "evil.example" not in text
        assert "이 문장" not in text
    assert shown.count("<sup>") == record["answer"].count("[") == len(LIES)


def test_a_cached_answer_consumes_no_limit_no_money_and_no_redis(
    willing: MessagesApi, now: datetime, settings: Settings
) -> None:
    maru()
    ask(now=now)
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "redis://127.0.0.1:1/0",
        }
    }
    counted = allowance()
    assert ask(now=now, counted=counted).cached
    assert counted.used == []
    with pytest.raises(LimitsUnavailable):
        ask("마루코인은 누가 만들었어?", now=now, counted=counted)
    assert len(willing.requests) == ModelCall.objects.count() == 1


@pytest.mark.parametrize("question", [OFF_TOPIC, "How do I boil an egg?", "오늘 서울 날씨 어때?"])
def test_off_topic_questions_never_reach_the_model(
    willing: MessagesApi, now: datetime, question: str
) -> None:
    maru()
    counted = allowance()
    version = ask(question, now=now, counted=counted).version
    assert (version.mode, version.cost_micro_usd, version.citations) == (Mode.NONE, 0, [])
    assert counted.used[0].count == 1
    assert willing.requests == []
    assert not Reservation.objects.exists()


@pytest.mark.parametrize(
    "question", ["마루코인 로고는 누가 디자인했어?", "How many employees does Marucoin have?"]
)
def test_what_quoting_refuses_the_model_is_asked_where_evidence_is_near(
    willing: MessagesApi, now: datetime, question: str
) -> None:
    maru()
    assert drafts.compose(*answering.found(validation.validated(question), now)).mode == Mode.NONE
    version = ask(question, now=now).version
    assert (version.mode, version.related_sentences) == (Mode.LLM, {})
    assert len(willing.requests) == 1


def test_what_the_model_does_not_find_either_is_an_honest_none(model: MessagesApi, now: datetime) -> None:
    maru()
    model.answer(document(message(said("NOT_IN_RECORDS"))))
    version = ask("마루코인 로고는 누가 디자인했어?", now=now).version
    assert (version.mode, version.body, version.citations) == (Mode.NONE, NOTHING_FOUND["ko"], [])
    assert version.cost_micro_usd == ModelCall.objects.get().cost_micro_usd > 0
    assert version.related_sentences


@pytest.mark.parametrize(
    "question",
    [
        "지금 마루코인 사도 될까?",
        "마루코인 내년 전망 어때?",
        "Should I buy Marucoin?",
        "지금 마루코인 시세 알려줘",
    ],
)
def test_advice_and_figures_that_are_not_stored_cost_nothing(
    willing: MessagesApi, now: datetime, question: str
) -> None:
    maru()
    version = ask(question, now=now).version
    assert (version.mode, version.cost_micro_usd, version.citations) == (Mode.NONE, 0, [])
    assert willing.requests == []


def test_the_model_is_told_the_kind_of_question_and_offered_all_that_is_recorded(
    willing: MessagesApi, now: datetime
) -> None:
    unit = maru()
    news("마루코인, 새벽거래소에 상장", "상장 가격은 정해지지 않았다.")
    price = {
        "label": "마루코인 원화 가격",
        "label_en": "Marucoin price in won",
        "unit": "KRW",
        "cadence": "live",
    }
    make_series("price-maru", holder=unit, decimals=1, **price)
    observe("price-maru", now - MOMENT, 1391.5)
    ask("마루코인 시세가 지금 얼마야?", now=now)
    *results, last = willing.requests[0].body["messages"][0]["content"]
    assert "<question_kind>now: " in last["text"]
    assert "<answer_language>Korean" in last["text"]
    told = [" ".join(part["text"] for part in result["content"]) for result in results]
    assert "1,391.5" in told[0]
    assert any("도연우" in one for one in told)
    assert any("새벽거래소" in one for one in told)


FAULTS = {
    "overloaded": failed(529, "overloaded_error"),
    "limited": failed(429, "rate_limit_error"),
    "broken": failed(500, "api_error"),
    "refused request": failed(400, "invalid_request_error"),
    "empty": document(message()),
    "nothing cited": document(message(said("발행 상한은 3억 6천만 개이다."))),
    "an answer in another language": document(message(said("Nothing but words."))),
    "silence": delayed(9, document(message(said("네.")))),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_goes_wrong_upstream_is_a_503_and_nothing_is_stored(
    model: MessagesApi, now: datetime, fault: str
) -> None:
    maru()
    model.answer(FAULTS[fault])
    with pytest.raises(ModelUnavailable) as refused:
        ask(now=now)
    assert (refused.value.status_code, refused.value.default_code) == (503, "model_unavailable")
    assert not AnswerVersion.objects.exists()
    assert not Flight.objects.exists()
    assert not Reservation.objects.filter(settled_at__isnull=True).exists()
    assert SpendDay.objects.get().committed == sum(ModelCall.objects.values_list("cost_micro_usd", flat=True))
    model.answer(quoting(model))
    assert ask(now=now).version.mode == Mode.LLM


def test_a_refusal_of_the_model_is_paid_kept_and_said(model: MessagesApi, now: datetime) -> None:
    maru()
    model.answer(message(said("아니요."), stop_reason="refusal"))
    version = ask(now=now).version
    assert (version.mode, version.citations) == (Mode.NONE, [])
    assert version.cost_micro_usd == ModelCall.objects.get(outcome=Outcome.REFUSED).cost_micro_usd > 0
    assert ask(now=now).cached
    assert len(model.requests) == 1


def test_an_older_answer_is_given_in_place_of_any_503(willing: MessagesApi, now: datetime) -> None:
    assert ask(now=now).version.mode == Mode.NONE
    maru()
    later = now + FRESH_MISS
    willing.answer(failed(500, "api_error"))
    assert ask(now=later).cached
    for _ in range(5):
        pause.note_failure(later)
    assert ask(now=later).cached
    SpendDay.objects.update(answer=5_000_000)
    assert ask(now=later + timedelta(minutes=2)).cached


def test_a_pause_comes_before_any_limit(willing: MessagesApi, now: datetime) -> None:
    maru()
    for _ in range(5):
        pause.note_failure(now)
    counted = allowance()
    with pytest.raises(ModelUnavailable) as refused:
        ask(now=now, counted=counted)
    assert refused.value.retry_after is not None
    assert 1 <= refused.value.retry_after <= 31
    assert counted.used == willing.requests == []


@pytest.mark.parametrize(
    ("moment", "left"), [("2026-11-21T14:59:59+00:00", 1), ("2026-11-21T15:00:00+00:00", 86_400)]
)
def test_a_full_cap_comes_before_any_limit_and_ends_at_midnight_in_seoul(
    willing: MessagesApi, settings: Settings, moment: str, left: int
) -> None:
    maru()
    settings.LLM_DAILY_CAP_USD = 0.0
    counted = allowance()
    with pytest.raises(DailyBudgetExhausted) as refused:
        ask(now=datetime.fromisoformat(moment), counted=counted)
    assert (refused.value.default_code, refused.value.retry_after) == ("daily_budget_exhausted", left)
    assert counted.used == willing.requests == []


@pytest.fixture
def stopped_clock() -> Iterator[None]:
    """No window of the limits turns while a test counts in it."""
    with time_machine.travel(datetime(2026, 11, 21, 3, 0, tzinfo=UTC), tick=False):
        yield


@pytest.mark.usefixtures("stopped_clock")
def test_an_old_miss_that_is_kept_consumes_nothing_also_of_who_has_nothing_left(
    willing: MessagesApi, now: datetime
) -> None:
    first = ask(now=now, counted=allowance("1/m"))
    assert first.version.mode == Mode.NONE
    for hours in (1, 2):
        counted = allowance("1/m")
        kept = ask(now=now + hours * FRESH_MISS, counted=counted)
        assert (kept.version, kept.cached, counted.used) == (first.version, True, [])
    maru()
    counted = allowance("1/m")
    with pytest.raises(RateLimited):
        ask(now=now + 3 * FRESH_MISS, counted=counted)
    assert counted.headers()["RateLimit"].startswith('"minute";r=0;t=')
    assert not Flight.objects.exists()
    assert willing.requests == []


@pytest.mark.usefixtures("stopped_clock")
def test_an_old_miss_that_is_made_anew_is_counted_once(willing: MessagesApi, now: datetime) -> None:
    ask(now=now)
    maru()
    counted = allowance()
    made = ask(now=now + FRESH_MISS, counted=counted)
    assert (made.version.mode, made.cached) == (Mode.LLM, False)
    assert [usage.count for usage in counted.used] == [1]


@pytest.mark.usefixtures("stopped_clock")
def test_an_answer_whose_evidence_came_back_consumes_nothing(willing: MessagesApi, now: datetime) -> None:
    maru()
    first = ask(now=now)
    Answer.objects.update(evidence_withdrawn_at=now, checked_at=None)
    counted = allowance()
    kept = ask(now=now, counted=counted)
    assert (kept.version, kept.cached, counted.used) == (first.version, True, [])


@pytest.mark.usefixtures("stopped_clock")
def test_an_answer_that_was_stored_a_moment_before_consumes_nothing(
    willing: MessagesApi, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    maru()

    def answered_by_another() -> None:
        monkeypatch.undo()
        ask(now=now)

    before(monkeypatch, flights, "require_free", answered_by_another)
    counted = allowance()
    assert ask(now=now, counted=counted).cached
    assert counted.used == []


@pytest.mark.parametrize("seen", ["before the place is used", "at the lease"])
def test_who_meets_anothers_flight_is_told_at_once_and_consumes_nothing(
    willing: MessagesApi, now: datetime, monkeypatch: pytest.MonkeyPatch, seen: str
) -> None:
    maru()
    if seen == "at the lease":
        monkeypatch.setattr(flights, "require_free", lambda _: None)
    key, counted = validation.validated(KOREAN).question_hash, allowance()
    with flights.lease(key), pytest.raises(AnswerInProgress) as refused:
        ask(now=now, counted=counted)
    assert (refused.value.status_code, refused.value.retry_after) == (503, 3)
    assert refused.value.waits_for == f"answer:{key}"
    assert counted.used == willing.requests == []


def test_forty_questions_never_cost_more_than_the_cap_and_the_next_day_has_its_own(
    willing: MessagesApi, settings: Settings
) -> None:
    maru()
    settings.LLM_DAILY_CAP_USD = 0.02
    # Dear enough for the cap to be reached after some of them.
    usage = {"input_tokens": 2000, "output_tokens": 1000}
    willing.answer(lambda one: document(rehearsal.reply(willing.requests[-1].body) | {"usage": usage})(one))
    late = datetime.fromisoformat("2026-11-21T14:59:59+00:00")
    went = [outcome_of(f"마루코인 발행 상한은 몇 개야 {number}", late) for number in range(40)]
    paid = went.index("daily_budget_exhausted")
    assert 0 < paid < 40
    assert set(went[paid:]) == {"daily_budget_exhausted"}
    assert 0 < SpendDay.objects.get().committed <= 20_000
    assert len(willing.requests) == ModelCall.objects.count() == paid
    with pytest.raises(DailyBudgetExhausted) as refused:
        ask("마루코인 발행 상한은?", now=late)
    assert (refused.value.status_code, refused.value.retry_after) == (503, 1)
    assert ask("마루코인 발행 상한은?", now=late + MOMENT).version.mode == Mode.LLM
    assert SpendDay.objects.count() == 2


def outcome_of(question: str, now: datetime) -> str:
    try:
        return str(ask(question, now=now).version.mode)
    except DailyBudgetExhausted as refusal:
        return str(refusal.default_code)


def test_a_full_process_refuses_before_limits_and_money_and_still_gives_what_is_stored(
    willing: MessagesApi,
    now: datetime,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    maru()
    ask(ENGLISH, now=now)
    monkeypatch.setattr(answering, "ANSWERS", AnswerPlaces(1, retry_after=bulkheads.RETRY_AFTER))
    counted = allowance()
    with ExitStack() as full:
        full.enter_context(answering.ANSWERS)
        with pytest.raises(Busy) as refused:
            ask(now=now, counted=counted)
        assert (refused.value.status_code, refused.value.retry_after) == (503, 3)
        with django_assert_max_num_queries(2), pytest.raises(Busy):
            ask(now=now, counted=counted)
        assert ask(ENGLISH, now=now, counted=counted).cached
        assert ask(ENGLISH, now=now + FRESH, counted=counted).cached
    assert counted.used == []
    assert len(willing.requests) == 1
    assert ask(now=now, counted=counted).version.mode == Mode.LLM


@pytest.mark.usefixtures("stopped_clock")
def test_over_the_limit_nothing_is_asked_and_nothing_is_left_behind(
    willing: MessagesApi, now: datetime
) -> None:
    maru()
    ask(ENGLISH, now=now, counted=allowance("1/m"))
    with pytest.raises(RateLimited):
        ask(now=now, counted=allowance("1/m"))
    assert len(willing.requests) == 1
    assert not Flight.objects.exists()


def test_an_older_answer_of_the_model_is_renewed_in_the_background_once(
    willing: MessagesApi, now: datetime
) -> None:
    maru()
    first = ask(now=now)
    changed("마루코인의 발행 상한은 4억 개이다.")
    later, counted = now + FRESH, allowance()
    for _ in range(3):
        assert ask(now=later, counted=counted).version == first.version
    assert (len(willing.requests), counted.used) == (1, [])
    assert [renewal.renew(now=later) for _ in range(2)] == [1, 0]
    assert len(willing.requests) == 2
    renewed = ask(now=later)
    assert "4억 개" in renewed.version.body
    assert renewed.cached
    assert list(ModelCall.objects.order_by("pk").values_list("purpose", flat=True)) == ["answer", "renewal"]


def test_a_renewal_that_fails_is_put_off_and_keeps_no_other_waiting(
    willing: MessagesApi, now: datetime
) -> None:
    maru()
    ask(now=now)
    ask(ENGLISH, now=now)
    Answer.objects.update(checked_at=None)
    changed("마루코인의 발행 상한은 4억 개이다.", "The cap of Marucoin is 400 million coins.")
    bad = document(message(said("Nothing is cited here.")))
    willing.answer(*[quoting(willing)] * 2, bad, quoting(willing))
    assert renewal.renew(now=now) == 1
    assert len(willing.requests) == 4
    assert renewal.renew(now=now) == 0
    assert len(willing.requests) == 4


def test_seeds_stop_at_the_share_of_renewals(willing: MessagesApi, now: datetime, settings: Settings) -> None:
    maru()
    settings.LLM_DAILY_CAP_USD = 0.012
    for number in range(30):
        SeedQuestion.objects.create(text=f"마루코인 발행 상한은 몇 개야 {number}", order=number)
    made = renewal.answer_seeds(now=now)
    assert 0 < made < 30
    assert SpendDay.objects.get().renewal <= 1_800
    assert ask(now=now).version.mode == Mode.LLM


def test_a_lease_that_ran_out_makes_nobody_wait(willing: MessagesApi, now: datetime) -> None:
    maru()
    key = validation.validated(KOREAN).question_hash
    Flight.objects.create(question_hash=key, owner="0" * 32, lease_until=ClockTimestamp() - MOMENT)
    assert ask(now=now).version.mode == Mode.LLM


def test_who_lost_a_lease_ends_nobody_elses(now: datetime) -> None:
    with flights.lease("a" * 32):
        Flight.objects.update(lease_until=ClockTimestamp() - MOMENT)
        with flights.lease("a" * 32):
            Flight.objects.filter(question_hash="a" * 32).update(owner="1" * 32)
        assert flights.is_under_way("a" * 32)
    assert flights.is_under_way("a" * 32)


def taken_over() -> None:
    """The lease runs out, and somebody else takes the question."""
    assert Flight.objects.update(owner="1" * 32, lease_until=ClockTimestamp() + timedelta(seconds=40)) == 1


def test_who_lost_a_lease_before_the_call_pays_nothing(
    willing: MessagesApi, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    maru()
    before(monkeypatch, answering.drafts, "compose", taken_over)
    counted = allowance()
    with pytest.raises(AnswerInProgress) as refused:
        ask(now=now, counted=counted)
    # It was counted, and the front would have it counted again.
    assert ([usage.count for usage in counted.used], refused.value.waits_for) == ([1], None)
    assert willing.requests == []
    assert not Reservation.objects.exists()
    assert not AnswerVersion.objects.exists()


@pytest.mark.parametrize("purpose", ["answer", "renewal", "proposal"])
def test_who_lost_a_lease_during_the_call_books_it_and_stores_nothing(
    willing: MessagesApi, now: datetime, monkeypatch: pytest.MonkeyPatch, purpose: str
) -> None:
    maru()
    before(monkeypatch, model_citations, "draft", taken_over)
    with pytest.raises(AnswerInProgress):
        {"answer": ask, "renewal": answering.renew, "proposal": proposals.propose}[purpose](KOREAN, now=now)
    assert not AnswerVersion.objects.exists()
    call = ModelCall.objects.get()
    assert SpendDay.objects.get().committed == Reservation.objects.get().charged == call.cost_micro_usd > 0
    # The other one's lease is still the other one's.
    assert Flight.objects.get().owner.hex == "1" * 32


def test_who_lost_a_lease_gets_the_answer_of_the_other(
    willing: MessagesApi, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    maru()

    def answered_by_another() -> None:
        monkeypatch.undo()
        Flight.objects.update(lease_until=ClockTimestamp() - MOMENT)
        others.append(ask(now=now))

    others: list[Reply] = []
    before(monkeypatch, bulkheads.CHECKING, "turn", answered_by_another)
    mine = ask(now=now)
    assert (mine.version, mine.cached) == (others[0].version, True)
    assert AnswerVersion.objects.count() == 1
    assert len(willing.requests) == ModelCall.objects.count() == 2


def test_a_long_wait_for_a_turn_takes_nothing_from_the_lease(
    willing: MessagesApi, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def waited() -> None:
        Flight.objects.update(lease_until=ClockTimestamp() + MOMENT)

    def looked() -> None:
        left.append(Flight.objects.values_list(F("lease_until") - ClockTimestamp(), flat=True).get())

    left: list[timedelta] = []
    maru()
    before(monkeypatch, answering.drafts, "compose", waited)
    before(monkeypatch, answering.model_answers, "composing", looked)
    assert ask(now=now).version.mode == Mode.LLM
    assert left[0] > timedelta(seconds=model_calls.RETRY_NEEDS_SECONDS + 25)


def test_what_the_model_wrote_is_checked_while_another_question_has_the_turn_to_be_looked_up(
    willing: MessagesApi, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def taken_by_another() -> None:
        stack.enter_context(bulkheads.turn_to_look_up())

    maru()
    with ExitStack() as stack:
        before(monkeypatch, bulkheads.CHECKING, "turn", taken_by_another)
        assert ask(now=now).version.mode == Mode.LLM


def before(monkeypatch: pytest.MonkeyPatch, owner: object, name: str, first: Callable[[], None]) -> None:
    """Have something happen right before a step."""
    step: Callable[..., Any] = getattr(owner, name)

    def preceded(*args: Any, **kwargs: Any) -> Any:
        first()
        return step(*args, **kwargs)

    monkeypatch.setattr(owner, name, preceded)


def test_a_rehearsal_is_labelled_and_is_over_when_it_is(
    settings: Settings, now: datetime, willing: MessagesApi
) -> None:
    maru()
    settings.FAKE_LLM = True
    rehearsed = ask(now=now)
    SeedQuestion.objects.create(text=rehearsed.answer.question, lang=rehearsed.answer.lang, active=True)
    assert not Answer.objects.indexable().exists()
    assert rehearsed.version.body.startswith("[리허설]")
    assert queries.answer_page(rehearsed.answer.pk, now=now).standing is AddressStatus.PUBLIC
    settings.FAKE_LLM = False
    assert queries.answer_page(rehearsed.answer.pk, now=now).standing is AddressStatus.UNKNOWN
    real = ask(now=now)
    assert (real.version.mode, real.version.model, real.cached) == (Mode.LLM, "claude-haiku-5-5", False)
    assert "리허설" not in real.version.body


def test_a_hidden_answer_is_not_asked_of_the_model_again(willing: MessagesApi, now: datetime) -> None:
    maru()
    ask(now=now)
    curation.hide(Answer.objects.all(), "신고")
    for later in (now, now + FRESH * 2):
        with pytest.raises(AnswerHidden):
            ask(now=later)
    assert renewal.renew(now=now + FRESH * 2) == 0
    assert len(willing.requests) == 1


@pytest.mark.django_db(transaction=True)
def test_a_killed_leader_costs_one_more_call_at_most(willing: MessagesApi, now: datetime) -> None:
    maru(aliases=[])
    willing.answer(delayed(30, quoting(willing)), quoting(willing))
    leader = asked_elsewhere(willing, now)
    while not willing.requests:
        assert leader.wait(0) is None
        time.sleep(0.05)
    leader.kill()
    key = validation.validated(KOREAN).question_hash
    assert flights.is_under_way(key)
    # 40 seconds later.
    Flight.objects.update(lease_until=ClockTimestamp() - MOMENT)
    assert ask(now=now).version.mode == Mode.LLM
    assert len(willing.requests) == 2
    assert AnswerVersion.objects.count() == 1
    # What the dead one had promised is charged in full, once.
    for _ in range(2):
        leftovers.sweep(now=now + budget.RESERVATION_LASTS + MOMENT)
    outcomes = ModelCall.objects.order_by("pk").values_list("outcome", flat=True)
    assert list(outcomes) == [Outcome.ANSWERED, Outcome.LOST]
    charged = Reservation.objects.aggregate(Sum("charged"))["charged__sum"]
    assert SpendDay.objects.get().committed == charged > 0


@pytest.mark.django_db(transaction=True)
def test_a_death_at_the_end_leaves_all_of_an_answer_or_nothing(willing: MessagesApi, now: datetime) -> None:
    maru(aliases=[])
    questions = {
        step: f"마루코인 발행 상한은 몇 개야 {step}" for step in ("store", "end", "settle", "commit")
    }
    dying = [asked_elsewhere(willing, now, question, step) for step, question in questions.items()]
    assert [one.wait() for one in dying] == [-signal.SIGKILL] * 4
    assert len(willing.requests) == 4
    whole = validation.validated(questions.pop("commit")).question_hash
    assert AnswerVersion.objects.get().answer_id == whole
    assert ModelCall.objects.get().cost_micro_usd == AnswerVersion.objects.get().cost_micro_usd
    # The other three: still promised, still theirs to answer, and nothing is stored of them.
    assert Reservation.objects.filter(settled_at__isnull=True).count() == 3
    assert set(Flight.objects.values_list("pk", flat=True)) == {
        validation.validated(question).question_hash for question in questions.values()
    }
    Flight.objects.update(lease_until=ClockTimestamp() - MOMENT)
    leftovers.sweep(now=now + budget.RESERVATION_LASTS + MOMENT)
    assert not Flight.objects.exists()
    charged = Reservation.objects.values_list("charged", flat=True)
    assert SpendDay.objects.get().committed == sum(charge for charge in charged if charge is not None)
    assert ModelCall.objects.filter(outcome=Outcome.LOST).count() == 3
    assert ask(questions["settle"], now=now).version.mode == Mode.LLM


def test_a_transaction_that_fails_at_the_end_is_paid_all_the_same(
    willing: MessagesApi, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError

    maru()
    monkeypatch.setattr(answering.flights, "end", full)
    with pytest.raises(OSError, match=r"^$"):
        ask(now=now)
    monkeypatch.undo()
    assert not AnswerVersion.objects.exists()
    assert Reservation.objects.get().charged == SpendDay.objects.get().committed > 0


def test_a_lease_that_runs_is_not_swept(now: datetime) -> None:
    Flight.objects.create(question_hash="b" * 32, owner="0" * 32, lease_until=ClockTimestamp() - MOMENT)
    with flights.lease("a" * 32):
        assert flights.sweep() == 1
        assert flights.is_under_way("a" * 32)


def asked_elsewhere(
    api: MessagesApi, now: datetime, question: str = KOREAN, dies: str | None = None
) -> Started[None]:
    return processes.start(asking_process.ask, question, now, api.url, dies)
