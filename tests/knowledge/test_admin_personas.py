"""Creators, persona posts and pulses: let in, kept out, and back again."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from knowledge.models import (
    Creator,
    Persona,
    PersonaPost,
    Pulse,
    Status,
    Unit,
    UnitType,
)
from tests.factories.knowledge import NOON, make_document, make_persona, make_pulse, make_source, make_unit

pytestmark = pytest.mark.django_db


def page(row: Model) -> str:
    return reverse(f"admin:knowledge_{row._meta.model_name}_change", args=[row.pk])


def listing(model: type[Model]) -> str:
    return reverse(f"admin:knowledge_{model._meta.model_name}_changelist")


def creator(number: int, **fields: Any) -> Unit:
    fields = {"type": UnitType.CREATOR, "status": Status.DRAFT} | fields
    unit = make_unit(f"c{number}", f"차트읽는밤 {number}", **fields)
    source = make_source(f"ch{number}", name=f"채널 {number}", kind="video", creator=unit)
    make_document(source, str(number), title=f"오늘의 차트 {number}")
    return unit


@pytest.fixture
def persona() -> Persona:
    return make_persona(make_unit("jangbu", "장부지기", type=UnitType.CREATOR))


def post_of(persona: Persona, number: int = 1) -> PersonaPost:
    return PersonaPost.objects.create(
        persona=persona, slug=f"p{number}", body=f"글 {number}", published_at=NOON - timedelta(hours=number)
    )


def form_of(post: PersonaPost, **fields: str) -> dict[str, Any]:
    given = {"persona": post.persona_id, "slug": post.slug, "body": post.body, "status": post.status}
    return {**given, "published_at_0": "2026-11-20", "published_at_1": "12:00:00", **fields}


def test_a_draft_creator_is_shown_with_what_it_published_and_let_in(admin_client: Client) -> None:
    first, second = creator(1), creator(2)
    html = admin_client.get(page(Creator.objects.get(pk=first.pk))).content.decode()
    for shown in ("채널 1", "오늘의 차트 1", "https://paper.example/1", "/creator/c1"):
        assert shown in html
    response = admin_client.post(page(Creator.objects.get(pk=second.pk)), {"_publish": "1"})
    assert response.headers["Location"] == page(Creator.objects.get(pk=first.pk))
    second.refresh_from_db()
    assert second.status == Status.PUBLISHED
    admin_client.post(reverse("admin:knowledge_creator_undo"), {"row": second.pk})
    second.refresh_from_db()
    assert second.status == Status.DRAFT


def test_creators_are_published_in_bulk_after_a_page_that_says_where(admin_client: Client) -> None:
    units = [creator(1), creator(2)]
    data = {"action": "publish", "_selected_action": [unit.pk for unit in units]}
    asked = admin_client.post(listing(Creator), data).content.decode()
    assert "/creator/c1 페이지가 생깁니다" in asked
    admin_client.post(listing(Creator), {**data, "confirmed": "yes"})
    assert Unit.objects.published().filter(type=UnitType.CREATOR).count() == 2
    assert "차트읽는밤" not in admin_client.get(listing(Creator)).content.decode()


def test_a_post_is_published_under_its_disclosure_and_the_next_draft_is_shown(
    admin_client: Client, persona: Persona
) -> None:
    first, second = post_of(persona, 1), post_of(persona, 2)
    html = admin_client.get(page(first)).content.decode()
    for shown in ("◆ 장부지기 · AI persona", persona.disclosure, persona.disclosure_en, "/creator/jangbu"):
        assert shown in html
    response = admin_client.post(page(first), form_of(first, _publish="1", body="고친 글"))
    assert response.headers["Location"] == page(second)
    first.refresh_from_db()
    assert (first.status, first.body) == (Status.PUBLISHED, "고친 글")
    admin_client.post(reverse("admin:knowledge_personapost_undo"), {"row": first.pk})
    first.refresh_from_db()
    assert first.status == Status.DRAFT


def test_a_post_of_a_persona_that_is_not_public_is_refused_with_the_whole_bulk(
    admin_client: Client, persona: Persona
) -> None:
    hidden = make_unit("hidden", "숨은이", type=UnitType.CREATOR, status=Status.DRAFT)
    other = make_persona(hidden, glyph="◇")
    posts = [post_of(persona, 1), post_of(other, 2)]
    data = {"action": "publish", "_selected_action": [post.pk for post in posts], "confirmed": "yes"}
    html = admin_client.post(listing(PersonaPost), data).content.decode()
    assert "아무것도 바뀌지 않았습니다" in html
    assert "공개되어 있지 않아" in html
    assert not PersonaPost.objects.exclude(status=Status.DRAFT).exists()
    assert not LogEntry.objects.exists()


def test_who_may_not_publish_edits_a_post_and_leaves_it_a_draft(client: Client, persona: Persona) -> None:
    curator = User.objects.create_user("curator", is_staff=True)
    for name in ("view_personapost", "change_personapost", "view_unit"):
        curator.user_permissions.add(Permission.objects.get(codename=name))
    client.force_login(curator)
    post = post_of(persona)
    client.post(page(post), form_of(post, body="고친 글", status="published"))
    post.refresh_from_db()
    assert (post.body, post.status) == ("고친 글", Status.DRAFT)
    assert client.post(page(post), form_of(post, _publish="1")).status_code == 403
    unit = Creator.objects.get(pk=creator(9).pk)
    assert client.post(page(unit), {"_publish": "1"}).status_code == 403
    for name in ("personapost", "creator", "pulse"):
        assert client.post(reverse(f"admin:knowledge_{name}_undo"), {"row": post.pk}).status_code == 403
    post.refresh_from_db()
    assert post.status == Status.DRAFT


def test_pulses_are_retracted_together_and_shown_again(admin_client: Client) -> None:
    asset = make_unit()
    odd = [{"url": "javascript:hit()"}]
    pulses = [make_pulse(asset, str(number), sources=odd) for number in range(2)]
    data = {"action": "retract", "_selected_action": [pulse.pk for pulse in pulses], "confirmed": "yes"}
    admin_client.post(listing(Pulse), data)
    assert not Pulse.objects.published().exists()
    assert LogEntry.objects.count() == 2
    admin_client.post(reverse("admin:knowledge_pulse_undo"), {"row": [pulse.pk for pulse in pulses]})
    assert Pulse.objects.published().count() == 2
    html = admin_client.get(page(pulses[0])).content.decode()
    assert 'href="javascript' not in html
    assert "javascript:hit()" in html


@pytest.mark.parametrize("model", [Creator, PersonaPost])
def test_a_list_asks_as_many_questions_for_sixty_rows_as_for_ten(
    model: type[Model], admin_client: Client, persona: Persona
) -> None:
    def grow(numbers: range) -> None:
        for number in numbers:
            creator(number)
            post_of(persona, number)

    def questions() -> list[int]:
        asked = []
        action = {
            "action": "publish",
            "_selected_action": list(model._default_manager.values_list("pk", flat=True)),
        }
        for data in (None, action):
            with CaptureQueriesContext(connection) as captured:
                address = listing(model)
                response = admin_client.post(address, data) if data else admin_client.get(address)
                assert response.status_code == 200
            asked.append(len(captured))
        return asked

    grow(range(1, 11))
    few = questions()
    grow(range(11, 61))
    assert questions() == few


@pytest.fixture
def curator(client: Client) -> Client:
    """May draft and delete, and make nothing public."""
    user = User.objects.create_user("curator", password="x", is_staff=True)
    allowed = [f"{verb}_personapost" for verb in ("add", "change", "delete", "view")]
    user.user_permissions.set(Permission.objects.filter(codename__in=[*allowed, "view_persona", "view_unit"]))
    client.force_login(user)
    return client


@pytest.mark.parametrize("status", [Status.PUBLISHED, Status.RETRACTED])
def test_what_was_made_public_is_rewritten_and_deleted_by_publishers_only(
    status: Status, curator: Client, persona: Persona
) -> None:
    draft, post = post_of(persona, 1), post_of(persona, 2)
    PersonaPost.objects.filter(pk=post.pk).update(status=status)
    post.refresh_from_db()
    assert "글 2" in curator.get(page(post)).content.decode()
    assert curator.post(page(post), form_of(post, body="다른 글")).status_code == 403
    delete = reverse("admin:knowledge_personapost_delete", args=[post.pk])
    assert curator.post(delete, {"post": "yes"}).status_code == 403
    both = {"action": "delete_selected", "_selected_action": [draft.pk, post.pk], "post": "yes"}
    assert curator.post(listing(PersonaPost), both).status_code == 403
    assert set(PersonaPost.objects.values_list("body", "status")) == {("글 1", "draft"), ("글 2", status)}
    assert curator.post(page(draft), form_of(draft, body="고친 초안")).status_code == 302
    only = {"action": "delete_selected", "_selected_action": [draft.pk], "post": "yes"}
    assert curator.post(listing(PersonaPost), only).status_code == 302
    assert PersonaPost.objects.get() == post
