"""The desk's queue of values that a rule took for mistakes."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from desk.queues import queues
from knowledge.admin.series import HeldValueAdmin
from knowledge.models import HeldValue, Observation
from knowledge.series import recording
from tests.factories.knowledge import NOON
from tests.factories.series import make_series, observe

pytestmark = pytest.mark.django_db

LIST = reverse("admin:knowledge_heldvalue_changelist")


@pytest.fixture
def held() -> HeldValue:
    make_series("hashrate", label="해시레이트", unit="H/s", decimals=0)
    good = observe("hashrate", NOON - timedelta(hours=1), 6e20)
    return HeldValue.objects.create(
        input=good.input,
        at=NOON,
        value=6e17,
        unit="H/s",
        reason="앞 값에서 1,000배 변했습니다.",
        fetched_at=NOON,
    )


def page_of(held: HeldValue) -> str:
    return reverse("admin:knowledge_heldvalue_change", args=[held.pk])


def test_the_dashboard_says_that_a_value_waits(held: HeldValue, admin_user: User) -> None:
    counts = {queue.url: queue.count for queue in queues(admin_user, now=NOON)}
    assert counts[LIST] == 1


def test_the_page_shows_why_and_what_stands_around_it(held: HeldValue, admin_client: Client) -> None:
    page = admin_client.get(page_of(held)).content.decode()
    assert "앞 값에서 1,000배 변했습니다." in page
    assert "600,000,000,000,000,000,000" in page
    rows = admin_client.get(LIST).content.decode()
    assert "해시레이트" in rows
    for shown in (page, rows):
        assert re.search(r"(?<![\d,])600,000,000,000,000,000(?![\d,])", shown)


def test_a_number_beyond_reading_keeps_its_exponent(held: HeldValue, admin_client: Client) -> None:
    HeldValue.objects.update(value=1e300)
    assert "1e+300" in admin_client.get(page_of(held)).content.decode()


def test_an_accepted_value_is_public_and_waits_no_more(held: HeldValue, admin_client: Client) -> None:
    answer = admin_client.post(page_of(held), {"_accept": "1"}, follow=True)
    assert answer.redirect_chain[-1][0] == LIST
    assert Observation.objects.get(at=NOON).value == Decimal("6e17")
    assert not HeldValue.objects.exists()


def test_a_value_thrown_away_leaves_the_queue_and_can_be_called_back(
    held: HeldValue, admin_client: Client
) -> None:
    admin_client.post(page_of(held), {"_reject": "1"})
    assert not HeldValue.objects.awaiting().exists()
    assert not Observation.objects.filter(at=NOON).exists()
    admin_client.post(reverse("admin:knowledge_heldvalue_undo"), {"row": held.pk})
    assert HeldValue.objects.awaiting().exists()


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_many_are_decided_at_once_after_a_question(
    action: str, held: HeldValue, admin_client: Client
) -> None:
    chosen = {"action": action, "_selected_action": [held.pk]}
    assert held.reason in admin_client.post(LIST, chosen).content.decode()
    assert HeldValue.objects.awaiting().exists()
    admin_client.post(LIST, chosen | {"confirmed": "1"})
    assert not HeldValue.objects.awaiting().exists()


def test_what_another_editor_accepted_meanwhile_is_not_stored_again(
    held: HeldValue, admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page was read before, and the button pressed after the other one's."""
    monkeypatch.setattr(HeldValueAdmin, "get_object", lambda *_: held)
    recording.accept(HeldValue.objects.get(), now=NOON)
    page = admin_client.post(page_of(held), {"_accept": "1"}).content.decode()
    assert "이 값은 이미 공개했거나" in page
    assert Observation.objects.filter(at=NOON).count() == 1


def test_a_slug_never_changes_and_no_input_is_deleted_in_passing(
    held: HeldValue, admin_client: Client
) -> None:
    series = held.input.series
    assert series is not None
    page = admin_client.get(reverse("admin:knowledge_series_change", args=[series.pk])).content.decode()
    assert 'name="label"' in page
    assert 'name="slug"' not in page
    assert 'name="inputs-0-key"' in page
    assert 'name="inputs-0-DELETE"' not in page
    assert 'name="slug"' in admin_client.get(reverse("admin:knowledge_series_add")).content.decode()


@pytest.mark.parametrize("model", ["observation", "candle"])
def test_lists_of_millions_are_not_read_through_for_their_dates(
    model: str, held: HeldValue, admin_client: Client
) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert admin_client.get(reverse(f"admin:knowledge_{model}_changelist")).status_code == 200
    assert not [query for query in asked if "MIN(" in query["sql"] or "DATE_TRUNC" in query["sql"]]


def test_who_may_only_read_decides_nothing(held: HeldValue, client: Client) -> None:
    reader = User.objects.create_user("reader", is_staff=True)
    client.force_login(reader)
    assert client.post(page_of(held), {"_accept": "1"}).status_code == 403
    assert HeldValue.objects.awaiting().exists()
