"""What editors can do to answers and seeds, and what nobody can."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from ask.models import Answer, SeedQuestion
from tests.ask.records import NOON, stored_answer

pytestmark = pytest.mark.django_db

ANSWERS = reverse("admin:ask_answer_changelist")
SEEDS = reverse("admin:ask_seedquestion_changelist")


def act(client: Client, action: str, answer: Answer, **fields: str) -> Any:
    return client.post(ANSWERS, {"action": action, "_selected_action": [answer.pk], **fields})


def test_an_answer_can_be_read_and_not_rewritten(admin_client: Client) -> None:
    answer = stored_answer().answer
    page = reverse("admin:ask_answer_change", args=[answer.pk])
    html = admin_client.get(page).content.decode()
    assert "값은 5이다." in html
    assert answer.get_absolute_url() in html
    assert admin_client.post(page, {"question": "다른 말"}).status_code == 403
    assert admin_client.get(reverse("admin:ask_answer_delete", args=[answer.pk])).status_code == 403
    assert admin_client.get(reverse("admin:ask_answer_add")).status_code == 403


def test_hiding_shows_its_effect_needs_a_reason_and_is_recorded(admin_client: Client) -> None:
    answer = stored_answer().answer
    asked = act(admin_client, "hide", answer).content.decode()
    assert f"{answer.get_absolute_url()} 는 410이 되고" in asked
    assert (
        "이유를 적어 주세요"
        in act(admin_client, "hide", answer, reason="  ", confirmed="yes").content.decode()
    )
    answer.refresh_from_db()
    assert not answer.is_hidden
    act(admin_client, "hide", answer, reason="명예 훼손 신고", confirmed="yes")
    answer.refresh_from_db()
    assert (answer.is_hidden, answer.hidden_reason) == (True, "명예 훼손 신고")
    assert "명예 훼손 신고" in LogEntry.objects.get().change_message
    admin_client.post(reverse("admin:ask_answer_undo"), {"row": answer.pk})
    answer.refresh_from_db()
    assert (answer.is_hidden, answer.hidden_reason) == (False, "")


def test_who_may_only_look_may_not_hide(client: Client) -> None:
    reader = User.objects.create_user("reader", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_answer"))
    client.force_login(reader)
    answer = stored_answer().answer
    act(client, "hide", answer, reason="그냥", confirmed="yes")
    answer.refresh_from_db()
    assert not answer.is_hidden
    assert client.post(reverse("admin:ask_answer_undo"), {"row": answer.pk}).status_code == 403


def test_the_list_is_searched_by_question(admin_client: Client) -> None:
    stored_answer(question="마루코인 값은?")
    stored_answer(question="솔빛나루 값은?")
    html = admin_client.get(ANSWERS, {"q": "마루"}).content.decode()
    assert "마루코인 값은?" in html
    assert "솔빛나루" not in html


def test_an_editor_adds_a_seed(admin_client: Client) -> None:
    admin_client.post(
        reverse("admin:ask_seedquestion_add"), {"text": " 마루코인이  뭐야? ", "order": 3, "active": "on"}
    )
    seed = SeedQuestion.objects.get()
    assert (seed.text, seed.lang, seed.order) == ("마루코인이 뭐야?", "ko", 3)


def test_a_seed_asked_twice_is_explained(admin_client: Client) -> None:
    SeedQuestion.objects.create(text="마루코인이 뭐야?")
    response = admin_client.post(
        reverse("admin:ask_seedquestion_add"), {"text": "마루코인이 뭐야", "order": 3, "active": "on"}
    )
    assert "같은 질문이 이미 있습니다" in response.content.decode()
    assert SeedQuestion.objects.count() == 1


def test_a_seed_of_the_canon_is_switched_off_rather_than_deleted(admin_client: Client) -> None:
    own = SeedQuestion.objects.create(text="내 질문은?")
    canonical = SeedQuestion.objects.create(text="처음 질문은?", canon_key="0" * 32, created_at=NOON)
    for seed, status in ((own, 200), (canonical, 403)):
        page = reverse("admin:ask_seedquestion_delete", args=[seed.pk])
        assert admin_client.get(page).status_code == status
    assert admin_client.get(SEEDS).status_code == 200
