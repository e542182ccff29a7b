"""Decisions about units at the desk: told before, made at once, undone by the link that is offered."""

import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from knowledge.admin import queues
from knowledge.admin.pages import desk_url
from knowledge.counting import fold
from knowledge.linking.store import link_documents
from knowledge.models import Alias, Status, Unit, UnitMerge, UnitType
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db

HOSTILE = '<script>alert("별")</script>'
LISTS = {"entity": UnitType.ASSET, "topic": UnitType.TOPIC, "event": UnitType.EVENT, "unitmerge": None}


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    return client


@pytest.fixture
def curator(client: Client) -> Client:
    """May edit units, but decide nothing about them."""
    user = User.objects.create_user("curator", is_staff=True)
    models = ("unit", "entity", "topic", "event", "alias", "eventunit", "unitmerge")
    codenames = [f"{verb}_{model}" for verb in ("view", "add", "change", "delete") for model in models]
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client.force_login(user)
    return client


def page(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200, url
    return response.content.decode()


def decide(client: Client, url: str, **fields: Any) -> str:
    """Post a decision; the page that follows it."""
    response = client.post(url, fields, follow=True)
    assert response.status_code == 200, url
    return response.content.decode()


def offered(html: str, text: str) -> str:
    """The address of the link that is offered in a message."""
    message = html[html.index('<ul class="messagelist">') :]
    found = re.search(rf'<a href="([^"]+)">{text}</a>', message)
    assert found, message[:500]
    return found[1].replace("&amp;", "&")


def form_of(unit: Unit, **fields: Any) -> dict[str, Any]:
    """What the browser posts of a unit's page whose aliases and relations stay."""
    names = ("label", "summary", "summary_en", "website", "symbol")
    aliases = {
        f"{inline}-{name}_FORMS": "0"
        for inline in ("aliases", "relations_from")
        for name in ("TOTAL", "INITIAL")
    }
    return {name: getattr(unit, name) for name in names} | aliases | fields


def status_of(unit: Unit) -> str:
    return str(Unit.objects.values_list("status", flat=True).get(pk=unit.pk))


def test_a_retraction_is_told_made_and_undone(desk: Client) -> None:
    unit = make_unit("btc", "비트코인", aliases=["Bitcoin"])
    url = desk_url(unit, "status", "retracted")
    told = page(desk, url)
    assert "/asset/btc" in told
    assert "410" in told
    assert "sitemap" in told
    assert status_of(unit) == Status.PUBLISHED, "looking changes nothing"
    done = decide(desk, url)
    assert desk.get("/asset/btc").status_code == 410
    undo = offered(done, "되돌리기")
    assert "200" in page(desk, undo)
    decide(desk, undo)
    assert desk.get("/asset/btc").status_code == 200


def test_what_was_a_draft_when_it_was_retracted_comes_back_as_a_draft(desk: Client) -> None:
    unit = make_unit("btc", "비트코인", status=Status.DRAFT)
    decide(desk, desk_url(unit, "status", "retracted"))
    assert desk_url(unit, "status", "draft") in page(desk, desk_url(unit))
    decide(desk, desk_url(unit, "status", "draft"))
    assert status_of(unit) == Status.DRAFT


def test_an_event_without_a_date_says_why_it_cannot_be_published(desk: Client) -> None:
    event = make_unit("later", "언젠가", type=UnitType.EVENT, status=Status.DRAFT)
    url = desk_url(event, "status", "published")
    assert "발생 일시가 없는" in page(desk, url)
    assert "발생 일시가 없는" in decide(desk, url)
    assert status_of(event) == Status.DRAFT


def test_a_merge_is_told_made_and_undone(desk: Client) -> None:
    survivor, loser = make_unit("btc", "비트코인"), make_unit("xbt", "엑스비티", aliases=["XBT코인"])
    source = make_source()
    link_documents(
        [make_document(source, str(n), title=title) for n, title in enumerate(("비트코인", "엑스비티"))]
    )
    url = f"{desk_url(loser, 'merge')}?into={survivor.pk}"
    told = page(desk, url)
    assert "XBT코인" in told
    assert "/asset/btc" in told
    assert "1 → <strong>2</strong>" in told
    assert "1 → <strong>0</strong>" in told
    done = decide(desk, url, into=survivor.pk, note="같은 것")
    assert desk.get("/asset/xbt").status_code == 308
    assert UnitMerge.objects.get().note == "같은 것"
    fold()
    survivor.refresh_from_db()
    assert survivor.document_count == 2
    undo = offered(done, "되돌리기")
    assert "2 → <strong>1</strong>" in page(desk, undo)
    undone = decide(desk, undo)
    assert desk.get("/asset/xbt").status_code == 200
    assert offered(undone, "다시 병합") == url


def test_the_survivor_can_be_named_by_its_public_id(desk: Client) -> None:
    survivor, loser = make_unit("btc", "비트코인"), make_unit("xbt", "엑스비티")
    assert "무엇이 바뀌는지" in page(desk, desk_url(loser, "merge"))
    told = page(desk, f"{desk_url(loser, 'merge')}?public_id=asset:btc")
    assert str(survivor) in told
    assert "병합하기" in told
    assert "그런 항목이 없습니다" in page(desk, f"{desk_url(loser, 'merge')}?public_id=asset:nothing")


def test_two_chosen_units_are_merged_into_the_one_that_more_is_written_about(desk: Client) -> None:
    less, more = make_unit("a", "가나"), make_unit("b", "다라")
    Unit.objects.filter(pk=more.pk).update(document_count=5)
    chosen = {"action": "merge_two", "_selected_action": [more.pk, less.pk]}
    response = desk.post(reverse("admin:knowledge_entity_changelist"), chosen)
    assert response["Location"] == f"{desk_url(less, 'merge')}?into={more.pk}"
    turned = f"{desk_url(more, 'merge')}?into={less.pk}"
    assert turned in page(desk, response["Location"])
    one = decide(
        desk, reverse("admin:knowledge_entity_changelist"), action="merge_two", _selected_action=less.pk
    )
    assert "꼭 둘을" in one


def test_units_of_two_kinds_are_refused_before_they_are_merged(desk: Client) -> None:
    asset, topic = make_unit("btc", "비트코인"), make_unit("etf", "현물", type=UnitType.TOPIC)
    told = page(desk, f"{desk_url(asset, 'merge')}?into={topic.pk}")
    assert "종류가 다른" in told
    assert "병합하기" not in told
    assert "종류가 다른" in decide(desk, desk_url(asset, "merge"), into=topic.pk)
    assert not UnitMerge.objects.exists()


def test_several_are_published_all_or_none(desk: Client) -> None:
    good = make_unit("now", "지금", type=UnitType.EVENT, status=Status.DRAFT, occurred_at=NOON)
    bad = make_unit("later", "언젠가", type=UnitType.EVENT, status=Status.DRAFT)
    url = reverse("admin:knowledge_event_changelist")
    both: dict[str, Any] = {"action": "publish", "_selected_action": [good.pk, bad.pk]}
    asked = decide(desk, url, **both)
    assert "발생 일시가 없는" in asked
    assert "모두 공개 (" not in asked, "what would be refused is not offered"
    assert "아무것도 바뀌지 않았습니다" in decide(desk, url, confirmed="yes", **both)
    assert status_of(good) == Status.DRAFT
    one: dict[str, Any] = {"action": "publish", "_selected_action": [good.pk]}
    asked = decide(desk, url, **one)
    assert "/event/now" in asked
    assert "모두 공개 (1)" in asked
    assert status_of(good) == Status.DRAFT
    decide(desk, url, confirmed="yes", **one)
    assert status_of(good) == Status.PUBLISHED
    assert Unit.history.filter(id=good.pk).first().history_change_reason == "published"


def test_units_that_stand_there_already_are_passed_over(desk: Client) -> None:
    public, draft = make_unit("a", "가나"), make_unit("b", "다라", status=Status.DRAFT)
    url = reverse("admin:knowledge_entity_changelist")
    chosen: dict[str, Any] = {"action": "publish", "_selected_action": [public.pk, draft.pk]}
    assert "이미 그 상태라 그대로 둡니다" in decide(desk, url, **chosen)
    assert "1개를 공개했습니다" in decide(desk, url, confirmed="yes", **chosen)
    assert status_of(draft) == Status.PUBLISHED
    assert LogEntry.objects.get().object_id == str(draft.pk)


def test_no_more_units_are_decided_at_once_than_a_page_shows(
    desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "BULK_LIMIT", 1)
    units = [make_unit("a", "가나"), make_unit("b", "다라")]
    chosen: dict[str, Any] = {"action": "retract", "_selected_action": [unit.pk for unit in units]}
    url = reverse("admin:knowledge_entity_changelist")
    assert "한 번에 1건까지" in decide(desk, url, confirmed="yes", **chosen)
    assert {status_of(unit) for unit in units} == {Status.PUBLISHED}


def test_names_are_split_off_to_a_new_unit_and_merged_back(desk: Client) -> None:
    unit = make_unit("ripple", "리플사", type=UnitType.COMPANY, aliases=["리플", "엑스알피"])
    source = make_source()
    texts = ("리플 소식", "엑스알피 소식", "리플과 엑스알피")
    link_documents([make_document(source, str(n), title=text) for n, text in enumerate(texts)])
    alias = Alias.objects.get(surface="엑스알피")
    assert "엑스알피" in page(desk, desk_url(unit, "split"))
    fields = {"aliases": [alias.pk], "label": "엑스알피", "slug": "xrp-coin", "public": "on"}
    told = desk.get(desk_url(unit, "split"), fields).content.decode()
    assert "/entity/xrp-coin" in told
    assert "3 → <strong>2</strong>" in told
    assert "0 → <strong>2</strong>" in told
    done = decide(desk, desk_url(unit, "split"), **fields)
    fresh = Unit.objects.get(slug="xrp-coin")
    alias.refresh_from_db()
    assert (alias.unit_id, fresh.status, fresh.type) == (fresh.pk, Status.PUBLISHED, UnitType.COMPANY)
    undo = offered(done, "되돌리기")
    assert undo == f"{desk_url(fresh, 'merge')}?into={unit.pk}"
    decide(desk, undo, into=unit.pk)
    fresh.refresh_from_db()
    assert fresh.merged_into_id == unit.pk


def test_names_are_split_off_to_a_present_unit_and_back(desk: Client) -> None:
    unit, other = make_unit("a", "가나", aliases=["나나"]), make_unit("b", "다라")
    alias = Alias.objects.get()
    done = decide(desk, desk_url(unit, "split"), aliases=alias.pk, into=other.pk)
    alias.refresh_from_db()
    assert alias.unit_id == other.pk
    undo = offered(done, "되돌리기")
    assert "나나" in page(desk, undo)
    decide(desk, undo, aliases=alias.pk, into=unit.pk)
    alias.refresh_from_db()
    assert alias.unit_id == unit.pk


def test_a_split_says_what_it_needs(desk: Client) -> None:
    unit, other = make_unit("a", "가나", aliases=["나나"]), make_unit("b", "다라")
    alias = Alias.objects.get()
    nowhere = desk.get(desk_url(unit, "split"), {"aliases": alias.pk}).content.decode()
    both = {"aliases": alias.pk, "into": other.pk, "label": "새것", "slug": "new"}
    assert "이름과 슬러그를 함께" in nowhere
    assert "이름과 슬러그를 함께" in desk.get(desk_url(unit, "split"), both).content.decode()
    taken = {"aliases": alias.pk, "label": "새것", "slug": "b"}
    assert "이미" in decide(desk, desk_url(unit, "split"), **taken)
    alias.refresh_from_db()
    assert alias.unit_id == unit.pk


def test_a_units_page_explains_where_it_stands_and_where_it_is_used(desk: Client) -> None:
    unit = make_unit("btc", "비트코인")
    event = make_unit("e", "사건", type=UnitType.EVENT, occurred_at=NOON)
    event.event_units.create(unit=unit)
    link_documents([make_document(make_source())])
    html = page(desk, desk_url(unit))
    assert "사이트맵에 있습니다" in html
    assert "문서 1" in html
    assert "사건 1" in html
    draft = make_unit("draft", "초안단위", status=Status.DRAFT)
    html = page(desk, desk_url(draft))
    assert "사이트맵에 없습니다" in html
    assert "초안입니다" in html
    assert "/preview/" in html


def test_a_curator_edits_drafts_and_decides_nothing(curator: Client) -> None:
    draft, public = make_unit("draft", "초안", status=Status.DRAFT), make_unit("btc", "비트코인")
    assert (
        curator.post(desk_url(draft), form_of(draft, label="새 이름", status="published")).status_code == 302
    )
    draft.refresh_from_db()
    assert (draft.label, draft.status) == ("새 이름", Status.DRAFT)
    changed = form_of(public, label="다른 이름", symbol="XXX", slug="other", summary="더 나은 요약")
    assert curator.post(desk_url(public), changed).status_code == 302
    public.refresh_from_db()
    assert (public.label, public.symbol, public.slug) == ("비트코인", "", "btc")
    assert public.summary == "더 나은 요약"


def test_no_name_is_saved_with_characters_that_nobody_sees(desk: Client) -> None:
    unit = make_unit("btc", "비트코인", summary="첫 줄\n둘째 줄")
    seen = form_of(
        unit, label="\u202e비\u200b트\u2069 코인\ufeff", summary="첫\u202e 줄\r\n둘째\u200b 줄"
    ) | {
        "aliases-TOTAL_FORMS": "1",
        "aliases-0-unit": str(unit.pk),
        "aliases-0-surface": "비트\u200b\u2067",
        "aliases-0-blocked_contexts": "[]",
        "aliases-0-active": "on",
        "aliases-0-ambiguous": "on",
    }
    assert desk.post(desk_url(unit), seen).status_code == 302
    unit.refresh_from_db()
    assert (unit.label, unit.summary.split()) == ("비트 코인", ["첫", "줄", "둘째", "줄"])
    assert unit.aliases.get().surface == "비트"
    assert desk.post(desk_url(unit), form_of(unit, label="\u200b\u202e")).status_code == 200
    unit.refresh_from_db()
    assert unit.label == "비트 코인"


@pytest.mark.parametrize("allowed", ["publish_unit", "merge_unit", None])
def test_each_decision_asks_for_its_own_permission(allowed: str | None, curator: Client) -> None:
    if allowed:
        User.objects.get().user_permissions.add(Permission.objects.get(codename=allowed))
    one, two = make_unit("a", "가나", aliases=["나나"]), make_unit("b", "다라")
    record = UnitMerge.objects.create(loser=one, survivor=two, merged_at=NOON)
    needs = {
        desk_url(one, "status", "retracted"): "publish_unit",
        desk_url(one, "merge"): "merge_unit",
        desk_url(one, "split"): "merge_unit",
        reverse("admin:knowledge_unitmerge_undo", args=[record.pk]): "merge_unit",
    }
    shown = page(curator, desk_url(one))
    for url, needed in needs.items():
        expected = 200 if needed == allowed else 403
        assert curator.get(url).status_code == expected, url
        if expected == 403:
            assert curator.post(url).status_code == 403, url
            assert f'href="{url}"' not in shown
    actions = page(curator, reverse("admin:knowledge_entity_changelist"))
    assert ('value="publish"' in actions) == (allowed == "publish_unit")
    assert ('value="merge_two"' in actions) == (allowed == "merge_unit")
    forged = {"action": "retract", "_selected_action": [one.pk], "confirmed": "yes"}
    curator.post(reverse("admin:knowledge_entity_changelist"), forged)
    one.refresh_from_db()
    assert (one.status == Status.RETRACTED) == (allowed == "publish_unit")


def test_hostile_texts_are_shown_as_texts(desk: Client) -> None:
    one = make_unit("a", HOSTILE, summary=HOSTILE, aliases=[HOSTILE + "1"])
    two = make_unit("b", HOSTILE + "둘")
    alias = Alias.objects.get()
    decide(desk, desk_url(one), **form_of(one, summary=HOSTILE + "!"))
    pages = [
        desk_url(one),
        desk_url(one, "history"),
        desk_url(one, "status", "retracted"),
        f"{desk_url(one, 'merge')}?into={two.pk}",
        f"{desk_url(one, 'split')}?aliases={alias.pk}&into={two.pk}",
        reverse(
            "admin:knowledge_entity_simple_history", args=[one.pk, Unit.history.filter(id=one.pk).last().pk]
        ),
        reverse("admin:knowledge_entity_changelist"),
    ]
    merged = decide(desk, desk_url(one, "merge"), into=two.pk, note=HOSTILE)
    record = UnitMerge.objects.get()
    pages += [
        reverse("admin:knowledge_unitmerge_changelist"),
        f"/admin/knowledge/unitmerge/{record.pk}/undo/",
    ]
    for html in [merged, *(page(desk, url) for url in pages)]:
        assert "<script>alert" not in html
        assert "&lt;script&gt;alert" in html


@pytest.mark.parametrize("model", LISTS)
def test_lists_and_pages_ask_as_much_for_many_as_for_few(model: str, desk: Client) -> None:
    kind = LISTS[model]

    def grow(number: int) -> Unit:
        fields = {"occurred_at": NOON} if kind == UnitType.EVENT else {}
        unit = make_unit(f"u{number}", f"단위{number}", type=kind or UnitType.ASSET, **fields)
        loser = make_unit(f"l{number}", f"옛{number}", type=unit.type, aliases=[f"옛이름{number}"], **fields)
        loser.merged_into = unit
        loser.save()
        UnitMerge.objects.create(loser=loser, survivor=unit, merged_at=NOON)
        return unit

    def asked(url: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            page(desk, url)
        return len(captured)

    url = reverse(f"admin:knowledge_{model}_changelist")
    first = grow(0)
    page(desk, url)
    few = asked(url)
    units = [grow(number) for number in range(1, 9)]
    assert asked(url) == few
    if kind is None:
        return
    pages = [desk_url(first, name) for name in ("change", "history")] + [
        desk_url(first, "status", "retracted")
    ]
    for page_url in pages:  # what is looked up once a process is known by now
        page(desk, page_url)
    before = [asked(page_url) for page_url in pages]
    for unit in units:  # the first one now speaks for all
        Unit.objects.filter(merged_into=unit).update(merged_into=first)
        unit.merged_into = first
        unit.save()
    assert [asked(page_url) for page_url in pages] == before


def test_who_may_split_but_not_publish_makes_a_draft(curator: Client) -> None:
    User.objects.get().user_permissions.add(Permission.objects.get(codename="merge_unit"))
    unit = make_unit("a", "가나", aliases=["나나"])
    fields = {"aliases": Alias.objects.get().pk, "label": "새것", "slug": "new", "public": "on"}
    decide(curator, desk_url(unit, "split"), **fields)
    assert status_of(Unit.objects.get(slug="new")) == Status.DRAFT


def test_a_decision_made_twice_says_so(desk: Client) -> None:
    unit = make_unit()
    assert "이미 그 상태입니다" in decide(desk, desk_url(unit, "status", "published"))
    assert desk.get(desk_url(unit, "status", "nonsense")).status_code == 404
