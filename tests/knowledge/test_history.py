"""Histories: every change once, by whom, through whichever class; and the way back."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from ask.models import SeedQuestion
from knowledge import curation
from knowledge.admin.pages import desk_url
from knowledge.canon.loader import starter_paths
from knowledge.counting import fold
from knowledge.linking.store import link_documents
from knowledge.models import Alias, Entity, Event, Status, Topic, Unit, UnitType
from tests.factories.knowledge import NOON, make_document, make_persona, make_source, make_unit

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor(client: Client) -> User:
    user = User.objects.create_superuser("editor", "editor@madang.example", "-")
    client.force_login(user)
    return user


def reasons(unit: Unit) -> list[str | None]:
    """Oldest first; None is an edit like any other."""
    return list(
        Unit.history.filter(id=unit.pk).order_by("history_id").values_list("history_change_reason", flat=True)
    )


def form_of(**fields: Any) -> dict[str, Any]:
    aliases = {
        f"{inline}-{name}_FORMS": "0"
        for inline in ("aliases", "relations_from")
        for name in ("TOTAL", "INITIAL")
    }
    return (
        {"label": "비트코인", "summary": "", "summary_en": "", "website": "", "symbol": ""} | aliases | fields
    )


def revert_url(record: Any, page: str = "knowledge_entity") -> str:
    return reverse(f"admin:{page}_simple_history", args=[record.id, record.pk])


@pytest.mark.parametrize("model", [Unit, Entity, Topic, Event])
def test_a_save_through_any_class_is_one_record_of_one_table(model: type[Unit]) -> None:
    kind = {Topic: UnitType.TOPIC, Event: UnitType.EVENT}.get(model, UnitType.COMPANY)
    unit = model(slug="one", label="하나", type=kind)
    unit.save()
    unit.label = "둘"
    unit.save()
    records = Unit.history.filter(id=unit.pk).order_by("history_id")
    assert [(record.history_type, record.label) for record in records] == [("+", "하나"), ("~", "둘")]
    assert unit.history.count() == 2  # type: ignore[attr-defined]


def test_a_save_that_changes_nothing_and_the_machines_counts_leave_no_record() -> None:
    unit = make_unit()
    link_documents([make_document(make_source())])
    fold()
    unit.refresh_from_db()
    assert unit.document_count == 1
    unit.save()
    assert Unit.history.count() == 1


def test_decisions_are_recorded_with_what_they_were() -> None:
    unit, other = make_unit("btc", "비트코인", status=Status.DRAFT), make_unit("xbt", "엑스비티")
    curation.set_status(unit, Status.PUBLISHED)
    record = curation.merge(unit, other, now=NOON)
    curation.unmerge(record, now=NOON)
    curation.set_status(unit, Status.RETRACTED)
    assert reasons(unit) == [None, "published", "merge", "unmerge", "retracted"]


def test_the_desk_records_who_and_a_machine_is_nobody(client: Client, editor: User) -> None:
    unit = make_unit()
    assert client.post(desk_url(unit), form_of(summary="새 요약")).status_code == 302
    client.post(desk_url(unit, "status", "retracted"))
    answer = client.get(desk_url(unit, "history"))
    records = answer.context["page_obj"].object_list
    assert [str(record.history_user or "") for record in records] == ["editor", "editor", ""]
    assert [change["field"] for change in records[1].history_delta_changes] == ["요약"]
    html = answer.content.decode()
    assert "editor" in html
    assert "새 요약" in html
    assert "자동 (사람이 아님)" in html


def test_an_edit_is_reverted_by_one_post_that_was_shown_before(client: Client, editor: User) -> None:
    unit = make_unit(summary="옛 요약")
    client.post(desk_url(unit), form_of(summary="새 요약"))
    first = Unit.history.filter(id=unit.pk).last()
    url = revert_url(first)
    assert url in client.get(desk_url(unit, "history")).content.decode()
    shown = client.get(url).content.decode()
    assert "<del>새 요약</del>" in shown
    assert "<ins>옛 요약</ins>" in shown
    done = client.post(url, follow=True).content.decode()
    unit.refresh_from_db()
    assert unit.summary == "옛 요약"
    assert reasons(unit)[-1] == "revert"
    back = Unit.history.filter(id=unit.pk, summary="새 요약").get()
    assert revert_url(back) in done, "and the way back from going back"


def test_going_back_takes_nothing_from_the_posted_fields(client: Client, editor: User) -> None:
    unit = make_unit(summary="옛 요약")
    first = Unit.history.get()
    unit.summary = "새 요약"
    unit.save()
    client.post(revert_url(first), form_of(label="지어낸 이름", summary="지어낸 요약", status="retracted"))
    unit.refresh_from_db()
    assert (unit.label, unit.summary, unit.status) == ("비트코인", "옛 요약", "published")


@pytest.mark.parametrize("path", ["x/history/", "0/history/", "x/history/1/", "1/history/x/", "1/history/0/"])
def test_a_history_of_nothing_is_not_found(client: Client, editor: User, path: str) -> None:
    assert client.get(f"{reverse('admin:knowledge_topic_changelist')}{path}").status_code == 404


def test_a_reverted_status_is_decided_like_any_other(client: Client, editor: User) -> None:
    unit = make_unit()
    first = Unit.history.get()
    curation.set_status(unit, Status.RETRACTED)
    client.post(revert_url(first))
    unit.refresh_from_db()
    assert unit.is_public
    assert reasons(unit)[-1] == "published"


@pytest.mark.usefixtures("free_worker")
def test_a_reverted_label_links_documents_again(
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    unit = make_unit("maru", "마루코인")
    make_document(make_source(), title="마루코인 거래지원")
    Unit.objects.filter(pk=unit.pk).update(label="다른 이름")
    with django_capture_on_commit_callbacks(execute=True):
        curation.revert(Unit.history.get())
    fold()
    unit.refresh_from_db()
    assert (unit.label, unit.document_count) == ("마루코인", 1)


def test_going_back_moves_no_address_and_undoes_no_merge() -> None:
    unit, other = make_unit("btc", "비트코인"), make_unit("xbt", "엑스비티")
    first = unit.history.get()  # type: ignore[attr-defined]
    curation.merge(unit, other, now=NOON)
    Unit.objects.filter(pk=unit.pk).update(slug="btc-2")
    curation.revert(first)
    unit.refresh_from_db()
    assert (unit.slug, unit.merged_into_id) == ("btc-2", other.pk)


def test_a_revert_that_the_canon_forbids_changes_nothing(client: Client, editor: User) -> None:
    event = make_unit("e", "사건", type=UnitType.EVENT, status=Status.DRAFT, summary="하나")
    broken = Unit.history.create(
        id=event.pk, type="event", slug="e", label="다른 이름", status="published",
        history_date=NOON, history_type="~",
    )  # fmt: skip
    done = client.post(revert_url(broken, "knowledge_event"), follow=True)
    assert "발생 일시가 없는" in done.content.decode()
    event.refresh_from_db()
    assert (event.label, event.summary) == ("사건", "하나")


def test_a_deleted_alias_comes_back(client: Client, editor: User) -> None:
    unit = make_unit(aliases=["Bitcoin"])
    Alias.objects.get().delete()
    html = client.get(desk_url(unit, "history")).content.decode()
    history = reverse("admin:knowledge_alias_history", args=[Alias.history.first().id])
    assert history in html
    assert "지움" in html
    url = revert_url(Alias.history.get(history_type="+"), "knowledge_alias")
    assert url in client.get(history).content.decode()
    client.post(url)
    assert Alias.objects.get().surface == "Bitcoin"
    assert Alias.objects.get().unit == unit


def test_an_alias_that_another_took_meanwhile_does_not_come_back(client: Client, editor: User) -> None:
    make_unit(aliases=["Bitcoin"])
    Alias.objects.get().delete()
    make_unit("bch", "비트코인캐시", aliases=["Bitcoin"])
    first = Alias.history.order_by("history_id").first()
    done = client.post(revert_url(first, "knowledge_alias"), follow=True)
    assert "되돌리지 못했습니다" in done.content.decode()
    assert Alias.objects.count() == 1


def test_personas_and_seed_questions_go_back_too(client: Client, editor: User) -> None:
    creator = Entity.objects.create(slug="byeol", label="별이", type=UnitType.CREATOR)
    persona = make_persona(creator, voice="차분함")
    persona.voice = "들뜸"
    persona.save()
    client.post(revert_url(persona.history.last(), "knowledge_persona"))
    persona.refresh_from_db()
    assert persona.voice == "차분함"
    seed = SeedQuestion.objects.create(text="비트코인은 무엇인가?")
    seed.text = "이더리움은 무엇인가?"
    seed.save()
    client.post(revert_url(seed.history.last(), "ask_seedquestion"))
    renewed = SeedQuestion.objects.get()
    assert renewed.text == "비트코인은 무엇인가?"
    assert renewed.question_hash != seed.question_hash, "what follows from the text followed it"


def test_who_may_not_publish_does_not_revert_a_status(client: Client) -> None:
    user = User.objects.create_user("curator", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["view_entity", "change_entity"]))
    client.force_login(user)
    unit = make_unit(summary="옛 요약")
    first = Unit.history.get()
    Unit.objects.filter(pk=unit.pk).update(summary="새 요약")
    url = revert_url(first)
    assert 'value="되돌리기"' in client.get(url).content.decode()
    curation.set_status(unit, Status.RETRACTED)
    assert 'value="되돌리기"' not in client.get(url).content.decode()
    assert client.post(url).status_code == 403


def test_the_canons_loader_records_what_it_wrote_once() -> None:
    people = next(path for path in starter_paths() if path.name == "people.json")
    call_command("load_canon", people, verbosity=0)
    units, aliases = Unit.history.count(), Alias.history.count()
    assert units == Unit.objects.count() > 0
    assert aliases == Alias.objects.count()
    assert set(Alias.history.values_list("history_change_reason", flat=True)) == {"canon"}
    call_command("load_canon", people, verbosity=0)
    assert (Unit.history.count(), Alias.history.count()) == (units, aliases)


def test_what_stood_before_there_was_a_history_has_a_beginning() -> None:
    unit = make_unit(aliases=["Bitcoin"])
    SeedQuestion.objects.create(text="비트코인은 무엇인가?")
    for model in (Unit, Alias, SeedQuestion):
        model.history.all().delete()  # type: ignore[attr-defined]
    with connection.cursor() as cursor:
        for name in ("knowledge.migrations.0003_history", "ask.migrations.0011_seed_history"):
            cursor.execute(import_module(name).BASELINE)
    for model in (Unit, Alias, SeedQuestion):
        # The database wrote them by its own clock, which may be hours from that of `--clock`.
        model.history.update(history_date=timezone.now())  # type: ignore[attr-defined]
        row = model._base_manager.get()
        record = model.history.get(id=row.pk)  # type: ignore[attr-defined]
        assert curation.changes_back(record).changes == []
    unit.label = "다른 이름"
    unit.save()
    assert [change.new for change in curation.changes_back(unit.history.last()).changes] == ["비트코인"]


def test_a_long_history_asks_as_much_as_a_short_one(client: Client, editor: User) -> None:
    unit, other = make_unit(aliases=["하나"]), make_unit("xbt", "엑스비티")

    def change(number: int) -> None:
        unit.summary = f"요약 {number}"
        unit.save()
        Alias.objects.create(unit=unit, surface=f"별칭 {number}").delete()
        curation.unmerge(curation.merge(unit, other, now=NOON), now=NOON)

    def asked() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(desk_url(unit, "history")).status_code == 200
        return len(captured)

    change(0)
    asked()
    few = asked()
    for number in range(1, 6):
        change(number)
    assert asked() == few
