"""The editors' desk: every page opens, lists ask the database a fixed number of questions, actions decide."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from knowledge.counting import fold
from knowledge.linking.store import link_documents
from knowledge.models import (
    Document,
    Entity,
    Event,
    Pulse,
    SeriesInput,
    Source,
    Status,
    Topic,
    UnitType,
)
from tests.factories.desk import world
from tests.factories.knowledge import make_document, make_source, make_unit

pytestmark = pytest.mark.django_db

MODELS = [model for model in apps.get_app_config("knowledge").get_models() if admin.site.is_registered(model)]


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    return client


def page(model: type[Model], name: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}", args=args)


def test_every_page_opens(desk: Client) -> None:
    world(1)
    request = type("Request", (), {"user": User.objects.get()})
    for model in MODELS:
        assert model._default_manager.exists(), "the test's world must have a row of everything"
        assert desk.get(page(model, "changelist")).status_code == 200, model
        assert desk.get(page(model, "changelist"), {"q": "자산1"}).status_code == 200, model
        for row in model._default_manager.all():
            assert desk.get(page(model, "change", row.pk)).status_code == 200, row
        may_add = admin.site.get_model_admin(model).has_add_permission(request)  # type: ignore[arg-type]
        assert desk.get(page(model, "add")).status_code == (200 if may_add else 403), model


def act(desk: Client, model: type[Model], action: str, *rows: Model, **fields: str) -> Any:
    data = {"action": action, "_selected_action": [row.pk for row in rows], **fields}
    response = desk.post(page(model, "changelist"), data, follow=True)
    assert response.status_code == 200
    return [str(message) for message in response.context["messages"]]


def test_a_document_is_withdrawn_by_its_form_and_shown_again_by_an_action(desk: Client) -> None:
    bitcoin = make_unit()
    document = make_document(make_source())
    link_documents([document])
    inline = {f"mentions-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL")}
    response = desk.post(page(Document, "change", document.pk), {"withdrawn": "on", **inline})
    assert response.status_code == 302
    fold()
    bitcoin.refresh_from_db()
    assert (Document.objects.published().count(), bitcoin.document_count) == (0, 0)
    act(desk, Document, "restore", document)
    fold()
    bitcoin.refresh_from_db()
    assert bitcoin.document_count == 1
    act(desk, Document, "withdraw", document)
    assert not Document.objects.published().exists()


@pytest.mark.parametrize("model", [Source, Document], ids=["source", "document"])
def test_what_would_come_back_is_not_deleted(model: type[Model], desk: Client) -> None:
    row = make_document(make_source())
    target = row if model is Document else row.source
    assert desk.post(page(model, "delete", target.pk), {"post": "yes"}).status_code == 403
    assert model._default_manager.exists()


def test_an_editor_retracts_a_pulse(desk: Client) -> None:
    world(1)
    act(desk, Pulse, "retract", Pulse.objects.get(), confirmed="yes")
    assert Pulse.objects.get().status == Status.RETRACTED


@pytest.mark.usefixtures("free_worker")
def test_a_changed_label_links_documents_again(
    desk: Client, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    topic = make_unit("listing", "상장", type=UnitType.TOPIC)
    make_document(make_source(), title="마루코인 거래지원")
    fields = {"label": "마루코인", "summary": "", "summary_en": "", "website": "", "status": "published"}
    inline = {f"aliases-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL")}
    with django_capture_on_commit_callbacks(execute=True):
        response = desk.post(page(Topic, "change", topic.pk), {**fields, **inline})
        assert response.status_code == 302, response.context["errors"]
    fold()
    topic.refresh_from_db()
    assert topic.document_count == 1


def test_every_field_of_a_units_page_says_its_name(desk: Client) -> None:
    event = make_unit("halving", "반감기", type=UnitType.EVENT, aliases=["Halving"])
    shown = desk.get(page(Event, "change", event.pk)).content.decode()
    fields = {
        found["name"]: found["rest"]
        for found in re.finditer(
            r'<(?:input|select)(?! type="hidden") [^>]*?name="(?P<name>[^"]+)"(?P<rest>[^>]*)>', shown
        )
    }
    assert {"aliases-0-surface", "aliases-0-DELETE", "occurred_at_0", "event_units-0-unit"} <= fields.keys()
    labelled = set(re.findall(r'<label[^>]* for="id_([^"]+)"', shown))
    nameless = {name for name, rest in fields.items() if "aria-label=" not in rest and name not in labelled}
    assert not {name for name in nameless if name.startswith(("aliases-", "occurred_at", "event_units-"))}


def test_a_lists_filters_are_folded_until_one_is_chosen(desk: Client) -> None:
    make_unit()
    folded = '<details class="desk-filters" data-filter-title="desk-filters">'
    assert folded in desk.get(page(Entity, "changelist")).content.decode()
    chosen = desk.get(page(Entity, "changelist"), {"status__exact": "published"}).content.decode()
    assert '<details class="desk-filters" open>' in chosen
    assert "desk-filters" not in desk.get(page(SeriesInput, "changelist")).content.decode()
