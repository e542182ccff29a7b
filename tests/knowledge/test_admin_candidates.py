"""The queues of candidates, pairs and doubtful mentions: decided on their page, in bulk, and undone."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from knowledge.counting import fold
from knowledge.events import drafts
from knowledge.events.announcements import announce
from knowledge.linking.store import link_documents
from knowledge.models import (
    Alias,
    ClusterDocument,
    ClusterStatus,
    Document,
    EventCluster,
    Mention,
    MentionReview,
    PossibleMerge,
    SeriesInput,
    Status,
    Unit,
    UnitType,
)
from tests.factories.knowledge import NOON, make_document, make_pulse, make_source, make_unit
from tests.factories.series import make_series, observe

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    return client


def candidate(
    *ids: str, status: ClusterStatus = ClusterStatus.OPEN, at: timedelta = timedelta()
) -> EventCluster:
    cluster = EventCluster.objects.create(
        status=status,
        label=f"비트코인 급등 {ids[0]}",
        first_document_at=NOON + at,
        last_document_at=NOON + at,
    )
    for one in ids:
        source = make_source(f"s-{one}", name=f"매체 {one}")
        document = make_document(source, one, title=f"비트코인 급등 {one}", published_at=NOON + at)
        ClusterDocument.objects.create(cluster=cluster, document=document)
    link_documents([member.document for member in cluster.members.all()])
    return cluster


def page(row: Model) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def listing(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def draft_of(cluster: EventCluster, **fields: Any) -> dict[str, Any]:
    draft = drafts.draft(cluster)
    given = {
        "_publish": "1",
        "label": draft.label,
        "slug": draft.slug,
        "occurred_at": "2026-11-20T12:00",
        "units": [unit.pk for unit in draft.units],
    }
    return given | fields


def act(desk: Client, model: type[Model], action: str, *rows: Model, **fields: str) -> Any:
    """What the list answers to an action: the page of the question, or the list with its messages."""
    data = {"action": action, "_selected_action": [row.pk for row in rows], **fields}
    response = desk.post(listing(model), data, follow=True)
    assert response.status_code == 200
    return response


def only(*permissions: str) -> User:
    """An editor who may look at candidates, and do no more than this."""
    user = User.objects.create_user("curator", is_staff=True)
    for name in ("view_eventcluster", "view_possiblemerge", "view_mention", *permissions):
        known = Permission.objects.filter(codename=name, content_type__app_label="knowledge").first()
        # The desk's own permissions are made after a migration; a test may come before it.
        user.user_permissions.add(
            known
            or Permission.objects.create(
                codename=name, name=name, content_type=ContentType.objects.get_for_model(Unit)
            )
        )
    return user


def test_a_page_shows_what_would_come_of_a_candidate(desk: Client) -> None:
    bitcoin = make_unit()
    cluster = candidate("1", "2")
    make_pulse(bitcoin, detected_at=NOON + HOUR, direction="up", magnitude_pct=7.5)
    near = make_unit("2026-11-19-btc", "어제의 급등", type=UnitType.EVENT, occurred_at=NOON - 24 * HOUR)
    near.event_units.create(unit=bitcoin)
    html = desk.get(page(cluster)).content.decode()
    for shown in (
        "/event/2026-11-20-btc",
        "매체 1",
        "매체 2",
        "https://paper.example/1",
        "어제의 급등",
        "+7.5",
    ):
        assert shown in html


def test_a_candidate_is_published_as_the_editor_wants_it_and_the_next_one_is_shown(desk: Client) -> None:
    bitcoin, ether = make_unit(), make_unit("eth", "이더리움")
    waiting, cluster = candidate("3", at=-HOUR), candidate("1", "2")
    wanted = draft_of(
        cluster, label="큰 급등", slug="2026-11-20-surge", units=[], named="asset:eth", summary="요약."
    )
    response = desk.post(page(cluster), wanted, follow=True)
    assert response.redirect_chain[-1][0] == page(waiting)
    fold()
    event = Unit.objects.get(type=UnitType.EVENT)
    assert (event.label, event.slug, event.summary, event.status, event.document_count) == (
        "큰 급등",
        "2026-11-20-surge",
        "요약.",
        Status.PUBLISHED,
        2,
    )
    assert [link.unit for link in event.event_units.all()] == [ether]
    assert bitcoin not in [link.unit for link in event.event_units.all()]
    assert LogEntry.objects.get().change_message == "published: event:2026-11-20-surge"
    assert 'href="/event/2026-11-20-surge"' in response.content.decode()


def test_a_publication_is_undone_by_the_messages_button(desk: Client) -> None:
    cluster = candidate("1", "2")
    html = desk.post(page(cluster), draft_of(cluster), follow=True).content.decode()
    undo = reverse("admin:knowledge_eventcluster_undo")
    assert f'action="{undo}"' in html
    response = desk.post(undo, {"row": cluster.pk}, follow=True)
    assert response.redirect_chain[-1][0] == page(cluster)
    cluster.refresh_from_db()
    assert cluster.status == ClusterStatus.OPEN
    assert Unit.objects.get(type=UnitType.EVENT).status == Status.DRAFT


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("slug", "Not A Slug", "소문자"),
        ("slug", "taken", "이 주소는 다른 사건의 것입니다"),
        ("label", " ", "필수"),
        ("named", "asset:nothing", "그런 항목이 없습니다"),
        ("occurred_at", "어제", "올바른"),
    ],
)
def test_what_cannot_be_published_is_said_beside_the_form(
    desk: Client, field: str, value: str, problem: str
) -> None:
    make_unit("taken", "다른 사건", type=UnitType.EVENT, occurred_at=NOON)
    cluster = candidate("1", "2")
    assert problem in desk.post(page(cluster), draft_of(cluster, **{field: value})).content.decode()
    cluster.refresh_from_db()
    assert (cluster.status, LogEntry.objects.count()) == (ClusterStatus.OPEN, 0)


@pytest.mark.parametrize("how", ["slug", "event"])
def test_a_candidate_is_added_to_a_public_event(desk: Client, how: str) -> None:
    event = make_unit("surge", "급등", type=UnitType.EVENT, occurred_at=NOON)
    cluster = candidate("1", "2")
    value = event.pk if how == "event" else event.slug
    desk.post(page(cluster), {"_add": "1", how: value})
    fold()
    event.refresh_from_db()
    assert event.document_count == 2


def test_nothing_is_added_to_what_is_no_public_event(desk: Client) -> None:
    make_unit("draft", "초안", type=UnitType.EVENT, occurred_at=NOON, status=Status.DRAFT)
    cluster = candidate("1", "2")
    for slug in ("draft", "nothing", ""):
        html = desk.post(page(cluster), {"_add": "1", "slug": slug}).content.decode()
        assert "공개된 사건을 고르거나" in html
    cluster.refresh_from_db()
    assert cluster.status == ClusterStatus.OPEN


def test_a_rejection_needs_a_reason_and_is_undone(desk: Client) -> None:
    cluster, following = candidate("1"), candidate("2", at=-HOUR)
    assert "이유가 필요합니다" in desk.post(page(cluster), {"_reject": "1", "reason": " "}).content.decode()
    response = desk.post(page(cluster), {"_reject": "1", "reason": "광고·홍보"})
    assert response.headers["Location"] == page(following)
    cluster.refresh_from_db()
    assert (cluster.status, cluster.reason) == (ClusterStatus.REJECTED, "광고·홍보")
    desk.post(reverse("admin:knowledge_eventcluster_undo"), {"row": cluster.pk})
    cluster.refresh_from_db()
    assert (cluster.status, cluster.reason) == (ClusterStatus.OPEN, "")


def test_after_the_last_candidate_the_list_is_shown(desk: Client) -> None:
    cluster = candidate("1")
    response = desk.post(page(cluster), {"_reject": "1", "reason": "광고"}, follow=True)
    assert response.redirect_chain[-1][0] == listing(EventCluster)
    assert "기다리는 것이 없습니다" in response.content.decode()


def test_ticked_documents_are_split_off_or_removed(desk: Client) -> None:
    cluster = candidate("1", "2", "3")
    one, two, _three = (member.document_id for member in cluster.members.order_by("document_id"))
    desk.post(page(cluster), {"_split": "1", "document": [one]})
    assert (cluster.members.count(), EventCluster.objects.filter(status=ClusterStatus.OPEN).count()) == (2, 2)
    desk.post(page(cluster), {"_remove": "1", "document": [two]})
    assert cluster.members.count() == 1
    assert Document.objects.get(pk=two).membership.cluster.status == ClusterStatus.GATHERING
    assert "일부만" in desk.post(page(cluster), {"_remove": "1"}).content.decode()


def test_who_may_decide_but_not_publish_rejects_and_publishes_nothing(client: Client) -> None:
    cluster = candidate("1", "2")
    client.force_login(only("decide_candidate"))
    html = client.get(page(cluster)).content.decode()
    assert 'name="_publish"' not in html
    assert 'name="_reject"' in html
    assert client.post(page(cluster), draft_of(cluster)).status_code == 403
    assert client.post(page(cluster), {"_add": "1", "slug": "x"}).status_code == 403
    client.post(page(cluster), {"_reject": "1", "reason": "광고"})
    cluster.refresh_from_db()
    assert cluster.status == ClusterStatus.REJECTED


def test_who_may_only_look_decides_nothing(client: Client) -> None:
    client.force_login(only())
    cluster = candidate("1", "2")
    pair = PossibleMerge.objects.create(one=cluster, other=candidate("3"), noted_at=NOON)
    document = cluster.members.order_by("pk").values_list("document_id", flat=True)[0]
    for button in ("_publish", "_add", "_reject", "_split", "_remove"):
        assert client.post(page(cluster), {button: "1", "document": document}).status_code == 403, button
    for button in ("_join", "_dismiss"):
        assert client.post(page(pair), {button: "1"}).status_code == 403, button
    for name in ("eventcluster", "possiblemerge", "mention"):
        undone = client.post(reverse(f"admin:knowledge_{name}_undo"), {"row": cluster.pk})
        assert undone.status_code == 403, name
    client.post(
        listing(EventCluster), {"action": "publish", "_selected_action": [cluster.pk], "confirmed": "yes"}
    )
    cluster.refresh_from_db()
    assert (cluster.status, cluster.members.count()) == (ClusterStatus.OPEN, 2)


def test_many_are_published_after_a_page_that_says_what_will_be(desk: Client) -> None:
    make_unit()
    one, two = candidate("1"), candidate("2")
    asked = act(desk, EventCluster, "publish", one, two).content.decode()
    assert "/event/2026-11-20-btc ·" in asked
    assert "/event/2026-11-20-btc-2 ·" in asked
    assert not Unit.objects.filter(type=UnitType.EVENT).exists()
    done = act(desk, EventCluster, "publish", one, two, confirmed="yes").content.decode()
    assert "2건을 공개했습니다." in done
    assert Unit.objects.published().filter(type=UnitType.EVENT).count() == 2
    assert LogEntry.objects.count() == 2
    desk.post(reverse("admin:knowledge_eventcluster_undo"), {"row": [one.pk, two.pk]})
    assert EventCluster.objects.filter(status=ClusterStatus.OPEN).count() == 2


def test_one_refusal_means_that_nothing_is_done(desk: Client) -> None:
    one, two = candidate("1"), candidate("2")
    EventCluster.objects.filter(pk=two.pk).update(status=ClusterStatus.EXPIRED)
    data = {"action": "publish", "_selected_action": [one.pk, two.pk], "confirmed": "yes"}
    html = desk.post(f"{listing(EventCluster)}?status__exact=all", data).content.decode()
    assert "아무것도 바뀌지 않았습니다" in html
    assert "이미 결정된 후보입니다" in html
    assert (Unit.objects.filter(type=UnitType.EVENT).count(), LogEntry.objects.count()) == (0, 0)


def test_a_row_that_left_the_list_meanwhile_stops_the_rest(desk: Client) -> None:
    one, two = candidate("1"), candidate("2")
    EventCluster.objects.filter(pk=two.pk).update(status=ClusterStatus.EXPIRED)
    html = act(desk, EventCluster, "reject", one, two, confirmed="yes", reason="광고").content.decode()
    assert "그사이 목록에서 빠졌습니다" in html
    one.refresh_from_db()
    assert one.status == ClusterStatus.OPEN


def test_many_are_rejected_for_one_reason(desk: Client) -> None:
    one, two = candidate("1"), candidate("2")
    assert "이유를 적어" in act(desk, EventCluster, "reject", one, two, confirmed="yes").content.decode()
    act(desk, EventCluster, "reject", one, two, confirmed="yes", reason="같은 광고")
    assert set(EventCluster.objects.values_list("status", "reason")) == {("rejected", "같은 광고")}


def test_too_many_at_once_are_refused(desk: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowledge.admin.queues.BULK_LIMIT", 1)
    one, two = candidate("1"), candidate("2")
    html = act(desk, EventCluster, "publish", one, two, confirmed="yes").content.decode()
    assert "한 번에 1건까지" in html
    assert not Unit.objects.filter(type=UnitType.EVENT).exists()


def test_candidates_are_joined_from_the_list_and_split_again(desk: Client) -> None:
    one, two = candidate("1"), candidate("2")
    for fields in ({}, {"confirmed": "yes"}):
        assert "둘 이상 고르세요." in act(desk, EventCluster, "join", one, **fields).content.decode()
    assert not LogEntry.objects.exists()
    assert "옮겨 가고" in act(desk, EventCluster, "join", one, two).content.decode()
    act(desk, EventCluster, "join", one, two, confirmed="yes")
    assert EventCluster.objects.get().members.count() == 2
    act(desk, ClusterDocument, "split", ClusterDocument.objects.get(document__external_id="2"))
    assert EventCluster.objects.count() == 2


def test_a_pair_is_told_apart_and_that_is_undone(desk: Client) -> None:
    first = PossibleMerge.objects.create(one=candidate("1"), other=candidate("2"), noted_at=NOON)
    second = PossibleMerge.objects.create(one=candidate("3"), other=candidate("4"), noted_at=NOON - HOUR)
    html = desk.get(page(first)).content.decode()
    for shown in ("매체 1", "매체 2", "비트코인 급등 1", "비트코인 급등 2"):
        assert shown in html
    response = desk.post(page(first), {"_dismiss": "1"}, follow=True)
    assert response.redirect_chain[-1][0] == page(second)
    first.refresh_from_db()
    assert first.dismissed_at is not None
    desk.post(reverse("admin:knowledge_possiblemerge_undo"), {"row": first.pk})
    first.refresh_from_db()
    assert first.dismissed_at is None


def test_a_pair_is_joined_and_the_next_one_that_is_left_is_shown(desk: Client) -> None:
    one, two, three = candidate("1"), candidate("2"), candidate("3")
    pair = PossibleMerge.objects.create(one=one, other=two, noted_at=NOON)
    PossibleMerge.objects.create(one=two, other=three, noted_at=NOON - HOUR)
    response = desk.post(page(pair), {"_join": "1"}, follow=True)
    left = PossibleMerge.objects.get()
    assert (left.one, left.other, response.redirect_chain[-1][0]) == (one, three, page(left))
    assert one.members.count() == 2


def test_a_candidate_like_a_published_one_becomes_part_of_its_event(desk: Client) -> None:
    one, two = candidate("1"), candidate("2")
    pair = PossibleMerge.objects.create(one=one, other=two, noted_at=NOON)
    desk.post(page(one), draft_of(one))
    html = desk.get(page(pair)).content.decode()
    assert 'name="_join"' not in html
    desk.post(page(pair), {"_add": "1"})
    fold()
    event = Unit.objects.get(type=UnitType.EVENT)
    assert (event.document_count, event.clusters.count()) == (2, 2)


def test_pairs_that_overlap_are_not_joined_in_bulk(desk: Client) -> None:
    one, two, three = candidate("1"), candidate("2"), candidate("3")
    first = PossibleMerge.objects.create(one=one, other=two, noted_at=NOON)
    second = PossibleMerge.objects.create(one=two, other=three, noted_at=NOON)
    html = act(desk, PossibleMerge, "join", first, second, confirmed="yes").content.decode()
    assert "한 쌍씩 결정하세요" in html
    assert EventCluster.objects.count() == 3
    act(desk, PossibleMerge, "dismiss", first, second, confirmed="yes")
    assert not PossibleMerge.objects.awaiting().exists()


@pytest.fixture
def doubtful() -> list[Mention]:
    doge = make_unit("doge", "도지코인")
    Alias.objects.create(unit=doge, surface="도지", ambiguous=True)
    source = make_source()
    documents = [
        make_document(source, str(number), title=f"강아지 도지 거래량 {number}", fetched_at=timezone.now())
        for number in range(3)
    ]
    link_documents(documents)
    return list(Mention.objects.order_by("-document__fetched_at"))


def test_a_doubtful_mention_is_refused_in_its_document_and_that_is_undone(
    desk: Client, doubtful: list[Mention]
) -> None:
    mention, following, _third = doubtful
    html = desk.get(page(mention)).content.decode()
    assert "강아지 <mark>도지</mark> 거래량" in html
    assert "<mark>도지</mark>" in desk.get(listing(Mention)).content.decode()
    response = desk.post(page(mention), {"_refuse": "1"})
    assert response.headers["Location"] == page(following)
    fold()
    assert Unit.objects.get(slug="doge").document_count == 2
    undo, verdict = reverse("admin:knowledge_mention_undo"), {"row": MentionReview.objects.get().pk}
    assert "되돌렸습니다." in desk.post(undo, verdict, follow=True).content.decode()
    assert "되돌렸습니다." not in desk.post(undo, verdict, follow=True).content.decode(), "once is enough"
    logged = LogEntry.objects.get(change_message="verdict undone")
    assert (logged.object_repr, str(logged.content_type)) == ("도지: 아님", "지식 | 언급의 판정")
    fold()
    assert Unit.objects.get(slug="doge").document_count == 3


def test_mentions_are_confirmed_in_bulk_and_leave_the_queue(desk: Client, doubtful: list[Mention]) -> None:
    asked = act(desk, Mention, "confirm", *doubtful).content.decode()
    assert asked.count("도지코인 · asset:doge") == 3
    act(desk, Mention, "confirm", *doubtful, confirmed="yes")
    assert (MentionReview.objects.count(), Mention.objects.count()) == (3, 3)
    assert "<mark>" not in desk.get(listing(Mention)).content.decode()
    assert "<mark>" in desk.get(listing(Mention), {"status__exact": "all"}).content.decode()


def test_an_alias_is_kept_away_from_a_word(desk: Client, doubtful: list[Mention]) -> None:
    assert (
        "그런 말이 없습니다"
        in desk.post(page(doubtful[0]), {"_block": "1", "context": "고양이"}).content.decode()
    )
    desk.post(page(doubtful[0]), {"_block": "1", "context": "강아지"})
    assert Alias.objects.get(surface="도지").blocked_contexts == ["강아지"]


@pytest.mark.parametrize("model", [EventCluster, PossibleMerge, Mention])
def test_a_queue_asks_as_many_questions_for_sixty_rows_as_for_ten(model: type[Model], desk: Client) -> None:
    doge = make_unit("doge", "도지코인")
    Alias.objects.create(unit=doge, surface="도지", ambiguous=True)
    source = make_source(name="매체")

    def grow(numbers: range) -> None:
        for number in numbers:
            document = make_document(
                source, str(number), title=f"도지 시세 {number}", fetched_at=timezone.now()
            )
            one, other = (
                EventCluster.objects.create(
                    status=ClusterStatus.OPEN, label="후보", first_document_at=NOON, last_document_at=NOON
                )
                for _ in range(2)
            )
            ClusterDocument.objects.create(cluster=one, document=document)
            PossibleMerge.objects.create(one=one, other=other, noted_at=NOON)
        link_documents(Document.objects.select_related("source"))

    def questions() -> list[int]:
        row = model._default_manager.order_by("pk")[0]
        asked = []
        for address in (listing(model), page(row)):
            with CaptureQueriesContext(connection) as captured:
                assert desk.get(address).status_code == 200
            asked.append(len(captured))
        action = {EventCluster: "publish", PossibleMerge: "dismiss", Mention: "refuse"}[model]
        with CaptureQueriesContext(connection) as captured:
            act(desk, model, action, *model._default_manager.all()[:60])
        return [*asked, len(captured)]

    grow(range(10))
    few = questions()
    grow(range(10, 60))
    assert questions() == few


def announced_cut() -> EventCluster:
    """A base rate that was cut on the day of noon, as its candidate."""
    holder = make_unit("bok-rate", "기준금리 주제", type=UnitType.TOPIC)
    series = make_series(
        "bok-base-rate", holder=holder, label="한국은행 기준금리", label_en="Base rate", event_on="change"
    )
    source = make_source("ecos", name="한국은행", homepage="https://bank.example")
    SeriesInput.objects.update(source=source)
    for back, value in ((1, 2.5), (0, 2.25)):
        at = NOON - timedelta(days=back)
        observe("bok-base-rate", at, value, period=f"{at:%Y-%m-%d}")
    announce(now=NOON)
    return EventCluster.objects.get(announced__series=series)


def test_a_candidate_of_a_value_shows_what_it_was_what_it_is_when_and_by_whom(desk: Client) -> None:
    cluster = announced_cut()
    assert "수치" in desk.get(listing(EventCluster)).content.decode()
    html = desk.get(page(cluster)).content.decode()
    for shown in (
        "2.50%",
        "<strong>2.25%</strong>",
        "2026-11-20",
        "https://bank.example",
        "/number/bok-base-rate",
    ):
        assert shown in html
    assert "/event/2026-11-20-bok-base-rate" in html
    assert "매체" not in html  # nothing is said of documents that there are none of


def test_candidates_of_values_are_published_together_with_those_of_documents(desk: Client) -> None:
    make_unit()
    clusters = [announced_cut(), candidate("1", "2")]
    asked = act(desk, EventCluster, "publish", *clusters).content.decode()
    assert "/event/2026-11-20-bok-base-rate · 수치" in asked
    act(desk, EventCluster, "publish", *clusters, confirmed="1")
    event = Unit.objects.get(type=UnitType.EVENT, slug="2026-11-20-bok-base-rate")
    assert event.is_public
    assert event.summary.endswith("2.50%에서 2.25%로 인하됐다(0.25%p). 출처: 한국은행.")
    assert [link.unit.slug for link in event.event_units.all()] == ["bok-rate"]
    html = desk.get(event.get_absolute_url()).content.decode()
    assert "2.50%에서 2.25%로" in html
