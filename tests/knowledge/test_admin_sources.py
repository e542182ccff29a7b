"""Sources on the desk: how they stand, run now, pause, delete by source, and what is shown to nobody."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

from knowledge import tasks
from knowledge.ingestion.health import history
from knowledge.ingestion.health.states import SourceState, with_state
from knowledge.linking.store import link_documents
from knowledge.models import (
    ClusterDocument,
    ClusterStatus,
    Document,
    EventCluster,
    FetchCause,
    FetchRun,
    RunOutcome,
    Source,
    UnitType,
)
from knowledge.sources.http.client import HttpClient
from tests.factories.knowledge import NOON, make_document, make_source, make_unit
from tests.fakes.replay import Replay, replay_server  # noqa: F401  a fixture

pytestmark = pytest.mark.django_db

LIST = "admin:knowledge_source_changelist"
HOSTILE = "</title><script>alert(1)</script><img src=x onerror=alert(1)>\u202e{{ 7|add:7 }}"
FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>t</title>
<item><guid>1</guid><title>One</title><link>https://paper.example/1</link></item></channel></rss>"""


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    return client


def someone(client: Client, *permissions: str) -> Client:
    user = User.objects.create_user("someone", is_staff=True)
    names = [name.split(".")[1] for name in permissions]
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    assert all(user.has_perm(name) for name in permissions), "the permissions must exist"
    client.force_login(user)
    return client


def url(source: Source, step: str = "change") -> str:
    return reverse(f"admin:knowledge_source_{step}", args=[source.pk])


def run(
    source: Source, outcome: str = RunOutcome.OK, *, ago: timedelta = timedelta(), **fields: Any
) -> FetchRun:
    cause = fields.pop("cause", FetchCause.TIMEOUT if outcome == RunOutcome.FAILED else "")
    started = timezone.now() - ago
    return FetchRun.objects.create(source=source, started_at=started, outcome=outcome, cause=cause, **fields)


def text(response: Any) -> str:
    return str(response.content.decode())


def said(response: Any) -> str:
    return " ".join(str(message) for message in response.context["messages"])


# How a source stands.

STATES = {
    SourceState.PAUSED: {"enabled": False, "consecutive_failures": 3, "last_cause": "timeout"},
    SourceState.KEY: {"needs_key": True},
    SourceState.FAILING: {"consecutive_failures": 2, "last_cause": "timeout", "last_success_at": NOON},
    SourceState.PARTLY: {"last_cause": "status", "last_success_at": NOON},
    SourceState.NEVER: {},
    SourceState.OK: {"last_success_at": NOON},
    SourceState.TRANSIENT: {
        "adapter": "youtube_rss",
        "consecutive_failures": 2,
        "last_cause": "status",
        "last_success_at": NOON - timedelta(hours=71),
    },
}


@pytest.mark.parametrize("state", list(SourceState))
def test_every_state_is_shown_and_can_be_filtered_by(state: SourceState, desk: Client) -> None:
    for known, fields in STATES.items():
        make_source(known.value, name=f"출처-{known.value}", **fields)
    Source.objects.filter(slug="transient").update(last_success_at=timezone.now() - timedelta(hours=71))
    shown = desk.get(reverse(LIST), {"state": state.value})
    assert [row.slug for row in shown.context["cl"].result_list] == [state.value]
    assert str(state.label) in text(shown)


@pytest.mark.parametrize("hours", [1, 71, 73])
@pytest.mark.parametrize("cause", ["status", "timeout"])
@pytest.mark.parametrize("adapter", ["youtube_rss", "rss"])
def test_a_bad_day_is_a_refusal_of_youtubes_within_three_days(hours: int, cause: str, adapter: str) -> None:
    last = NOON - timedelta(hours=hours)
    make_source(adapter=adapter, consecutive_failures=1, last_cause=cause, last_success_at=last)
    state = with_state(Source.objects.all(), NOON).values_list("state", flat=True).get()
    bad_day = (hours < 72, cause, adapter) == (True, "status", "youtube_rss")
    assert (state == SourceState.TRANSIENT) is bad_day


def test_days_are_those_of_seoul_and_waiting_for_a_key_is_no_failure() -> None:
    source = make_source()
    for at, outcome, cause in [
        (NOON.replace(hour=15), RunOutcome.FAILED, "timeout"),  # 00:00 of the next day in Seoul
        (NOON.replace(hour=14, minute=59), RunOutcome.UNCHANGED, ""),
        (NOON, RunOutcome.NEEDS_KEY, ""),
        (NOON - timedelta(days=1), RunOutcome.PARTLY, "status"),
        (NOON - timedelta(days=14), RunOutcome.OK, ""),  # one day too old
    ]:
        FetchRun.objects.create(source=source, started_at=at, outcome=outcome, cause=cause)
    days = history.days_of([source.pk], now=NOON + timedelta(days=1))[source.pk]
    assert len(days) == 14
    assert [(str(day.day), day.good, day.failed, day.state) for day in days[-3:]] == [
        ("2026-11-19", 1, 1, "warn"),
        ("2026-11-20", 1, 0, "ok"),
        ("2026-11-21", 0, 1, "fail"),
    ]
    assert {day.state for day in days[:-3]} == {"empty"}


def test_the_strip_says_in_words_what_it_shows(desk: Client) -> None:
    source = make_source()
    run(source), run(source, RunOutcome.FAILED)
    page = text(desk.get(reverse(LIST)))
    assert "14일: 성공 1회, 실패 1회, 수집 없는 날 13일" in page
    assert 'class="cell warn"' in page


def test_the_list_asks_as_many_questions_for_many_sources_as_for_few(desk: Client) -> None:
    def fill(numbers: range) -> None:
        for number in numbers:
            source = make_source(f"s{number}", name=f"출처{number}")
            run(source), make_document(source, str(number))

    def questions() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert desk.get(reverse(LIST)).status_code == 200
        return len(asked)

    fill(range(2))
    few = questions()
    fill(range(2, 30))
    assert questions() == few


def test_the_page_shows_the_last_twenty_runs_with_cause_time_and_items(desk: Client) -> None:
    source = make_source()
    for number in range(25):
        ago = timedelta(minutes=number)
        run(
            source,
            RunOutcome.FAILED,
            ago=ago,
            detail=f"detail-{number:02}",
            milliseconds=1200 + number,
            fetched=7,
        )
    page = text(desk.get(url(source)))
    assert "detail-19" in page
    assert "detail-20" not in page
    assert "시간 초과" in page
    assert "1219 ms" in page


# Run now.


@pytest.fixture
def paper(replay: Replay, http: HttpClient, monkeypatch: pytest.MonkeyPatch) -> Source:
    monkeypatch.setattr(tasks, "http_client", lambda: http)
    replay.serve("/rss", FEED)
    return make_source(url=replay.url("/rss"), last_success_at=None)


@pytest.mark.usefixtures("free_worker")
def test_run_now_takes_the_way_of_beat_and_shows_what_came_of_it(desk: Client, paper: Source) -> None:
    shown = desk.post(url(paper, "run"), follow=True)
    assert Document.objects.get().title == "One"
    assert "방금 수집한 결과" in text(shown)
    assert "수집 1, 신규 1" in text(shown)
    assert LogEntry.objects.filter(object_id=paper.pk).count() == 1


@pytest.mark.usefixtures("free_worker")
def test_a_run_that_fails_says_why(desk: Client, paper: Source) -> None:
    Source.objects.update(url=paper.url.replace("/rss", "/gone"))
    shown = text(desk.post(url(paper, "run"), follow=True))
    assert "오류 상태 코드" in shown
    assert "HTTP 404" in shown


def test_while_no_worker_answers_the_page_looks_again_and_says_what_may_be_wrong(desk: Client) -> None:
    source = make_source()
    waiting = desk.post(url(source, "run"), follow=True)
    assert 'http-equiv="refresh"' in text(waiting)
    assert "수집을 맡겼습니다" in text(waiting)
    source.refresh_from_db()
    assert source.next_fetch_at is not None
    assert source.next_fetch_at > timezone.now(), "claimed: beat does not send it a second time"
    asked = timezone.now() - timedelta(minutes=1)
    late = text(desk.get(url(source), {"asked": asked.isoformat()}))
    assert "작업자(worker)가 돌고 있는지" in late
    over = text(desk.get(url(source), {"asked": (asked - timedelta(minutes=5)).isoformat()}))
    assert 'http-equiv="refresh"' not in over
    assert "결과가 오지 않았습니다" in over


def test_without_a_broker_the_editor_is_told_and_the_source_is_due(
    desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_args: Any, **_options: Any) -> None:
        raise OperationalError("redis://:hunter2@broker")

    monkeypatch.setattr(tasks.ingest_source, "apply_async", away)
    source = make_source()
    shown = desk.post(url(source, "run"), follow=True)
    assert "대기열" in said(shown)
    assert "hunter2" not in text(shown)
    assert list(Source.objects.due(timezone.now())) == [source]


def test_a_paused_source_is_run_only_by_being_resumed(desk: Client) -> None:
    source = make_source(enabled=False)
    assert "먼저 다시 켜세요" in said(desk.post(url(source, "run"), follow=True))
    source.refresh_from_db()
    assert (source.enabled, source.next_fetch_at) == (False, None)
    desk.post(url(source, "run"), {"resume": "1"})
    source.refresh_from_db()
    assert source.enabled


@pytest.mark.parametrize("asked", ["", "x", "2026-13-45T00:00:00Z", "2026-11-20", "2999-01-01T00:00:00Z"])
def test_a_strange_moment_in_the_address_is_as_if_nothing_had_been_asked(asked: str, desk: Client) -> None:
    shown = desk.get(url(make_source()), {"asked": asked})
    assert shown.status_code == 200
    assert "refresh" not in text(shown)


# Pause, resume.


def test_pause_and_resume_from_the_page_and_from_the_list(desk: Client) -> None:
    source = make_source()
    assert "멈췄습니다" in said(desk.post(url(source, "pause"), follow=True))
    assert not Source.objects.due(timezone.now()).exists()
    filters = {"_changelist_filters": "state=paused"}
    back = desk.post(
        f"{url(source, 'resume')}?_changelist_filters=state%3Dpaused", {"from": "list", **filters}
    )
    assert back["Location"] == f"{reverse(LIST)}?state=paused"
    assert list(Source.objects.due(timezone.now())) == [source]
    assert [entry.change_message for entry in LogEntry.objects.order_by("pk")] == ["paused", "resumed"]


@pytest.mark.parametrize("step", ["run", "pause", "resume"])
def test_a_step_needs_a_post_and_the_permission(step: str, client: Client) -> None:
    source = make_source()
    reader = someone(client, "knowledge.view_source", "knowledge.change_source")
    assert reader.post(url(source, step)).status_code == 403
    assert reader.get(url(source, step)).status_code == 405
    source.refresh_from_db()
    assert (source.enabled, source.next_fetch_at) == (True, None)
    page = text(reader.get(url(source))) + text(reader.get(reverse(LIST)))
    assert f"/{step}/" not in page


def test_the_operator_sees_the_buttons(client: Client) -> None:
    operator, source = someone(client, "knowledge.view_source", "knowledge.run_source"), make_source()
    assert url(source, "pause") in text(operator.get(url(source)))
    assert f'formaction="{url(source, "run")}' in text(operator.get(reverse(LIST)))
    assert operator.post(url(source, "pause")).status_code == 302
    source.refresh_from_db()
    assert not source.enabled


# Delete by source.


def test_deleting_by_source_shows_its_effect_first_and_needs_one_confirmation(desk: Client) -> None:
    make_unit()
    source, other = make_source(), make_source("other")
    documents = [make_document(source, "1"), make_document(source, "2"), make_document(other, "3")]
    link_documents(documents)
    event = make_unit("e", "사건", type=UnitType.EVENT, occurred_at=NOON)
    for status, row, happened in [
        (ClusterStatus.PUBLISHED, documents[0], event),
        (ClusterStatus.OPEN, documents[1], None),
    ]:
        cluster = EventCluster.objects.create(
            status=status, label="l", first_document_at=NOON, last_document_at=NOON, event=happened
        )
        ClusterDocument.objects.create(cluster=cluster, document=row)
    shown = desk.get(url(source, "delete_documents"))
    assert shown.context["effect"] == {
        "documents": 2,
        "mentions": 2,
        "units": 1,
        "events": 1,
        "candidates": 1,
    }
    assert Document.objects.count() == 3
    assert "2건을 삭제했습니다" in said(desk.post(url(source, "delete_documents"), follow=True))
    source.refresh_from_db()
    assert not source.enabled
    assert list(Document.objects.values_list("source__slug", flat=True)) == ["other"]


@pytest.mark.parametrize("method", ["get", "post"])
def test_deleting_by_source_needs_its_permission(method: str, client: Client) -> None:
    document = make_document(make_source())
    operator = someone(client, "knowledge.view_source", "knowledge.change_source", "knowledge.run_source")
    assert getattr(operator, method)(url(document.source, "delete_documents")).status_code == 403
    assert "delete_documents" not in text(operator.get(url(document.source)))
    assert Document.objects.exists()


# What is shown to nobody.

KEYED = "https://user:pass@data.example/v1/hunter2/list?apiKey=s3cr3t&series=A&token=t0k3n"


@pytest.mark.parametrize("permission", ["knowledge.view_source", "knowledge.change_source"])
def test_keys_in_addresses_are_shown_to_nobody(permission: str, client: Client, settings: Any) -> None:
    settings.ECOS_API_KEY = "hunter2"
    source = make_source(url=KEYED, adapter="ecos", key_setting="ECOS_API_KEY")
    pages = someone(client, permission)
    shown = text(pages.get(url(source))) + text(pages.get(reverse(LIST)))
    assert "series=A" in shown
    assert "있음" in shown
    for secret in ("hunter2", "s3cr3t", "t0k3n", "user:pass"):
        assert secret not in shown


def test_who_may_only_look_cannot_guess_a_key_by_searching(client: Client) -> None:
    make_source(url=KEYED)
    found = someone(client, "knowledge.view_source").get(reverse(LIST), {"q": "s3cr3t"})
    assert not found.context["cl"].result_list


def form_of(desk: Client, source: Source) -> dict[str, Any]:
    form = desk.get(url(source)).context["adminform"].form
    return {name: form[name].value() for name in form.fields if form[name].value() not in (None, False)} | {
        "settings": "{}"
    }


def test_saving_what_is_shown_keeps_the_key(desk: Client) -> None:
    source = make_source(url=KEYED)
    fields = form_of(desk, source)
    assert "s3cr3t" not in fields["url"]
    assert desk.post(url(source), {**fields, "name": "새 이름"}).status_code == 302
    source.refresh_from_db()
    assert (source.name, source.url) == ("새 이름", KEYED)


def test_a_changed_address_must_say_its_key_again(desk: Client) -> None:
    source = make_source(url=KEYED)
    fields = form_of(desk, source)
    refused = desk.post(url(source), {**fields, "url": fields["url"].replace("list", "all")})
    assert "가려진 곳" in text(refused)
    desk.post(url(source), {**fields, "url": "https://data.example/v2?apiKey=n3w"})
    source.refresh_from_db()
    assert source.url == "https://data.example/v2?apiKey=n3w"


def test_hostile_text_of_a_source_its_runs_and_its_documents_stays_text(desk: Client) -> None:
    source = make_source(name=HOSTILE[:120], consecutive_failures=1, last_cause="parse")
    run(source, RunOutcome.FAILED, detail=HOSTILE, cause="parse")
    document = make_document(source, title=HOSTILE, summary=HOSTILE, author=HOSTILE)
    pages = [
        reverse(LIST),
        url(source),
        url(source, "delete_documents"),
        f"{url(source)}?asked={(timezone.now() - timedelta(seconds=5)).isoformat().replace('+', '%2B')}",
        reverse("admin:knowledge_fetchrun_changelist"),
        reverse("admin:knowledge_fetchrun_change", args=[FetchRun.objects.get().pk]),
        reverse("admin:knowledge_document_changelist"),
        reverse("admin:knowledge_document_change", args=[document.pk]),
    ]
    for page in pages:
        shown = text(desk.get(page))
        assert "<script>alert" not in shown, page
        assert "<img src=x" not in shown, page
        assert "&lt;script&gt;alert" in shown, page


def test_the_document_count_leads_to_the_documents(desk: Client) -> None:
    source, other = make_source(), make_source("other")
    for number, owner in enumerate([source, source, other]):
        make_document(owner, str(number))
    page = text(desk.get(reverse(LIST)))
    assert f'?source__id__exact={source.pk}">2</a>' in page
    found = desk.get(reverse("admin:knowledge_document_changelist"), {"source__id__exact": source.pk})
    assert len(found.context["cl"].result_list) == 2
