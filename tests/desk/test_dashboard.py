"""The first page of the desk: what needs a decision, since when, and what is out of order."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from archive.days import ONE_DAY, yesterday
from archive.models import Sealing, Snapshot
from ask import budget
from ask.citation_audits import AuditedQuery, CitationAudit
from ask.ledger import ModelCall, Outcome, Reservation, SpendDay
from ask.models import Answer, AnswerVersion, Lang, Mode, SeedQuestion
from knowledge.linking.store import link_documents
from knowledge.models import (
    Alias,
    ClusterStatus,
    EventCluster,
    FetchCause,
    FetchRun,
    PersonaPost,
    PossibleMerge,
    RunOutcome,
    Source,
    Status,
    UnitType,
)
from tests.factories.knowledge import NOON, make_document, make_persona, make_source, make_unit

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stopped_at_noon")]

HOSTILE = "</title><script>alert(1)</script><img src=x onerror=alert(1)>"


def page(client: Client) -> str:
    response = client.get(reverse("admin:index"))
    assert response.status_code == 200
    return str(response.content.decode())


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    return client


def someone(client: Client, *permissions: str) -> Client:
    user = User.objects.create_user("someone", is_staff=True)
    names = [name.split(".")[1] for name in permissions]
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    client.force_login(user)
    return client


def queue(client: Client, title: str) -> Any:
    shown = client.get(reverse("admin:index")).context["dashboard"]
    return next(queue for queue in shown.queues if str(queue.title) == title)


def candidate(*, hours: int = 1, status: str = ClusterStatus.OPEN) -> EventCluster:
    at = NOON - timedelta(hours=hours)
    return EventCluster.objects.create(status=status, label="후보", first_document_at=at, last_document_at=at)


def failed_run(source: Source, *, ago: timedelta = timedelta(hours=1), detail: str = "no answer") -> FetchRun:
    return FetchRun.objects.create(
        source=source,
        started_at=NOON - ago,
        outcome=RunOutcome.FAILED,
        cause=FetchCause.TIMEOUT,
        detail=detail,
    )


def proposal(question: str, *, ago: timedelta) -> SeedQuestion:
    seed = SeedQuestion.objects.create(text=question)
    answer = Answer.objects.create(
        question_hash=seed.question_hash, question=question, lang=Lang.KOREAN, created_at=NOON
    )
    versions = [
        AnswerVersion.objects.create(
            answer=answer, mode=Mode.EXTRACTIVE, body="본문", citations=[{"label": "a", "url": "/", "type": "entity"}],
            evidence_fingerprint="f", prompt_version="p", generated_at=at,
        )
        for at in (NOON - timedelta(days=9), NOON - ago)
    ]  # fmt: skip
    answer.current = versions[0]
    answer.save()
    return seed


def post(number: int, *, hours: int) -> PersonaPost:
    creator = make_unit(f"p{number}", f"페르소나{number}", type=UnitType.CREATOR)
    persona = make_persona(creator, glyph=chr(0x25A0 + number))
    at = NOON - timedelta(hours=hours)
    return PersonaPost.objects.create(persona=persona, slug=f"p{number}", body="글", published_at=at)


def fill(numbers: range) -> None:
    """Rows of everything that the page counts or lists."""
    for number in numbers:
        source = make_source(
            f"s{number}", name=f"출처{number}", consecutive_failures=number % 3, last_cause="timeout"
        )
        failed_run(source)
        unit = make_unit(f"u{number}", f"단위{number}")
        Alias.objects.create(unit=unit, surface=f"모호한{number}", ambiguous=True)
        make_unit(f"c{number}", f"크리에이터{number}", type=UnitType.CREATOR, status=Status.DRAFT)
        link_documents(
            [make_document(source, str(number), title=f"모호한{number} 비트코인", fetched_at=NOON)]
        )
        one, other = candidate(hours=number + 1), candidate(hours=number + 2)
        PossibleMerge.objects.create(one=one, other=other, noted_at=NOON)
        post(number, hours=number + 1)
        proposal(f"질문 {number}?", ago=timedelta(hours=number + 1))
        SeedQuestion.objects.create(text=f"아직 답이 없는 질문 {number}?")
        day = budget.spend_day(NOON) - timedelta(days=number)
        SpendDay.objects.create(day=day, answer=1000)
        failed_call(day)
        snapshot(yesterday(NOON) - ONE_DAY * (2 * number + 1))
        failed_seal(day)
        audit(day)


def failed_call(day: date) -> ModelCall:
    reservation = Reservation.objects.create(
        day_id=day,
        purpose="answer",
        model="m",
        amount=1,
        created_at=NOON,
        expires_at=NOON,
        settled_at=NOON,
        charged=1,
    )
    return ModelCall.objects.create(
        reservation=reservation, purpose="answer", model="m", started_at=NOON, milliseconds=9,
        outcome=Outcome.THROTTLED, status=429,
    )  # fmt: skip


def failed_seal(day: date, failure: str = "OSError: disk full") -> Sealing:
    return Sealing.objects.create(
        day=day, began_at=NOON, failed_at=NOON - timedelta(hours=2), failure=failure
    )


def snapshot(day: date, status: str = "complete") -> Snapshot:
    return Snapshot.objects.create(
        day=day, status=status, late=False, rehearsal=False, size=9, sha256="0" * 64, sealed_at=NOON
    )


def audit(day: date) -> None:
    run = CitationAudit.objects.create(date=day, model="m", tool="t", started_at=NOON)
    AuditedQuery.objects.create(
        audit=run, question="q", question_hash="h", repeats=3, errors=0, retrieved_repeats=2, cited_repeats=2,
        cited=True, urls=["https://madang.example/"], asked_at=NOON,
    )  # fmt: skip


# Queues.


def test_with_nothing_to_decide_it_says_so_kindly_and_the_lists_are_still_there(desk: Client) -> None:
    shown = page(desk)
    assert "지금 결정을 기다리는 것이 없습니다" in shown
    assert "아직 재지 않았습니다" in shown
    assert "실패하는 출처가 없습니다" in shown
    assert reverse("admin:knowledge_alias_changelist") in shown.split('class="desk-apps"')[1]


@pytest.mark.parametrize(
    ("title", "hours"),
    [
        ("사건 후보", 51),
        ("병합 후보", 5),
        ("모호한 언급", 4),
        ("크리에이터 초안", None),
        ("페르소나 글 초안", 7),
        ("승인할 새 답변", 6),
        ("답이 없는 시드 질문", None),
    ],
)
def test_a_queue_says_how_many_and_since_when_and_its_list_shows_as_many(
    title: str, hours: int | None, desk: Client
) -> None:
    one, other = candidate(hours=51), candidate()
    candidate(status=ClusterStatus.GATHERING, hours=99), candidate(status=ClusterStatus.EXPIRED, hours=99)
    PossibleMerge.objects.create(one=one, other=other, noted_at=NOON - timedelta(hours=5))
    link = make_unit("link", "체인링크", aliases=[])
    Alias.objects.create(unit=link, surface="링크", ambiguous=True)
    at = NOON - timedelta(hours=4)
    link_documents(
        [make_document(make_source(), title="체인링크와 링크 코인 시세", published_at=at, fetched_at=at)]
    )
    make_unit("draft", "초안", type=UnitType.CREATOR, status=Status.DRAFT)
    post(1, hours=7)
    proposal("왜 올랐나요?", ago=timedelta(hours=6))
    SeedQuestion.objects.create(text="아무도 답하지 않은 질문?")
    found = queue(desk, title)
    assert found.count == (2 if title == "사건 후보" else 1)
    if hours:
        assert found.oldest == NOON - timedelta(hours=hours)
    listed = desk.get(found.url).context["cl"].result_count
    assert listed == found.count, f"{found.url} lists {listed}"
    assert f'href="{found.url.replace("&", "&amp;")}"' in page(desk)


def test_the_age_of_the_oldest_is_said_in_words(desk: Client) -> None:
    candidate(hours=50)
    assert re.search(r"가장 오래된 것 2일, 2시간 전", page(desk).replace("\xa0", " "))


# Who sees what.

PARTS = {
    "intake": "knowledge.view_source",
    "money": "ask.view_spendday",
    "audit": "ask.view_citationaudit",
    "city": "archive.view_snapshot",
}


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_there_only_for_those_who_may_see_its_rows(part: str, client: Client) -> None:
    failed_run(make_source(name="비밀출처", consecutive_failures=1, last_cause="timeout"))
    shown = someone(client, PARTS[part]).get(reverse("admin:index")).context["dashboard"]
    assert [name for name in PARTS if getattr(shown, name) is not None] == [part]
    assert (shown.queues, shown.failures) == ([], None)


def test_an_editor_without_any_permission_sees_no_figures(client: Client) -> None:
    fill(range(1))
    shown = page(someone(client))
    assert "출처0" not in shown
    assert "desk-queues" not in shown


@pytest.mark.parametrize(
    ("permission", "seen"),
    [
        ("knowledge.view_fetchrun", "no answer"),
        ("ask.view_modelcall", "HTTP 429"),
        ("archive.view_sealing", "disk full"),
    ],
)
def test_failures_are_those_that_the_editor_may_see(permission: str, seen: str, client: Client) -> None:
    fill(range(1))
    failures = someone(client, permission).get(reverse("admin:index")).context["dashboard"].failures
    assert len(failures) == 1
    assert seen in failures[0].why


def test_every_failure_leads_to_where_it_is_written_down(desk: Client) -> None:
    fill(range(1))
    failures = desk.get(reverse("admin:index")).context["dashboard"].failures
    assert [desk.get(failure.url).status_code for failure in failures] == [200, 200, 200]
    assert [failure.at for failure in failures] == sorted((row.at for row in failures), reverse=True)


# Sources, money, city.


def test_a_failing_source_stands_first_with_its_cause(desk: Client) -> None:
    make_source("a", name="가", last_success_at=NOON)
    bad = make_source("b", name="나", last_success_at=NOON, consecutive_failures=4, last_cause="dns")
    make_source("c", name="다", enabled=False)
    intake = desk.get(reverse("admin:index")).context["dashboard"].intake
    assert [row.source.name for row in intake.rows] == ["나", "가", "다"]
    assert [row.source for row in intake.troubled] == [bad]
    assert [(state, count) for state, _label, count in intake.counts] == [
        ("failing", 1),
        ("ok", 1),
        ("paused", 1),
    ]
    assert "실패 중 · 이름 풀이 실패" in page(desk)


def test_that_nothing_can_be_reached_is_said_once_and_the_sources_are_folded(desk: Client) -> None:
    make_source("a", name="가", last_success_at=NOON)
    make_source("b", name="나", consecutive_failures=4, last_cause="dns")
    assert "네트워크에 연결되지 않아" not in page(desk)
    Source.objects.update(consecutive_failures=1, last_cause="dns")
    text = page(desk)
    assert text.count("네트워크에 연결되지 않아") == 1
    assert (
        text.index("네트워크에 연결되지 않아")
        < text.index("출처별로 보기")
        < text.index("실패 중 · 이름 풀이 실패")
    )


def test_spend_stands_against_the_cap_with_the_renewals_share(desk: Client, settings: Any) -> None:
    settings.LLM_DAILY_CAP_USD = 2
    SpendDay.objects.create(day=budget.spend_day(NOON), answer=500_000, renewal=150_000)
    SpendDay.objects.create(day=budget.spend_day(NOON) - timedelta(days=13), answer=100_000)
    SpendDay.objects.create(day=budget.spend_day(NOON) - timedelta(days=14), answer=900_000)
    money = desk.get(reverse("admin:index")).context["dashboard"].money
    assert (money.committed, money.cap, money.share, money.renewal_share) == ("0.6500", "2.0000", 32, 50)
    assert "14일 동안 쓴 돈: 0.7500달러, 하루 한도 2.0000달러" in page(desk)


def test_gaps_are_named_up_to_yesterday_and_a_missing_file_is_said(desk: Client) -> None:
    last = yesterday(NOON)
    snapshot(last - ONE_DAY * 3, "partial"), snapshot(last - ONE_DAY)
    Sealing.objects.create(day=last, began_at=NOON, failed_at=NOON, failure="OSError: disk full")
    city = desk.get(reverse("admin:index")).context["dashboard"].city
    assert city.gaps == [last, last - ONE_DAY * 2]
    assert city.last.day in (last - ONE_DAY, last - ONE_DAY * 3)
    assert "파일 없는 날 2일" in str(city.days)


def test_the_audit_trend_is_shown_as_it_was_measured(desk: Client) -> None:
    audit(date(2026, 11, 16))
    shown = page(desk)
    assert "2026-11-16" in shown
    assert "아직 재지 않았습니다" not in shown


# Whatever is stored.


def test_it_asks_as_many_questions_for_much_data_as_for_little(desk: Client) -> None:
    def questions() -> int:
        with CaptureQueriesContext(connection) as asked:
            page(desk)
        return len(asked)

    fill(range(2))
    few = questions()
    fill(range(2, 12))
    assert questions() == few


def test_hostile_text_of_sources_and_failures_stays_text(desk: Client) -> None:
    source = make_source(name=HOSTILE, consecutive_failures=1, last_cause="parse")
    failed_run(source, detail=HOSTILE)
    failed_seal(yesterday(NOON), HOSTILE)
    shown = page(desk)
    assert "<script>alert" not in shown
    assert "<img src=x" not in shown
    assert shown.count("&lt;script&gt;alert") >= 4


def test_it_has_neither_inline_script_nor_style(desk: Client) -> None:
    fill(range(2))
    inside = page(desk).split('class="desk-dashboard"')[1].split('class="desk-apps"')[0]
    assert not re.search(r"<script|<style|\sstyle=|\son[a-z]+=", inside)
