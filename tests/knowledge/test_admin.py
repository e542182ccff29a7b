"""The editors' desk: every page opens, lists ask the database a fixed number of questions, actions decide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from knowledge import curation
from knowledge.linking.service import link_documents
from knowledge.models import (
    Candle,
    ClusterDocument,
    ClusterStatus,
    Document,
    EventCluster,
    FetchRun,
    Market,
    Observation,
    Persona,
    PersonaPost,
    PossibleMerge,
    Premium,
    Pulse,
    RunOutcome,
    Series,
    Source,
    Status,
    Topic,
    UnitType,
)
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db

MODELS = [model for model in apps.get_app_config("knowledge").get_models() if admin.site.is_registered(model)]
EACH_MODEL = pytest.mark.parametrize("model", MODELS, ids=[model.__name__ for model in MODELS])


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    return client


def page(model: type[Model], name: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}", args=args)


def world(number: int) -> None:
    """One row of everything that has a page, told apart by a number."""
    asset = make_unit(f"a{number}", f"자산{number}", symbol=f"A{number}", aliases=[f"에이{number}"])
    make_unit(f"t{number}", f"주제{number}", type=UnitType.TOPIC)
    event = make_unit(f"e{number}", f"사건{number}", type=UnitType.EVENT, occurred_at=NOON)
    event.event_units.create(unit=asset)
    curation.merge(make_unit(f"o{number}", f"옛자산{number}"), asset, now=NOON)
    creator = make_unit(f"c{number}", f"페르소나{number}", type=UnitType.CREATOR)
    persona = Persona.objects.create(
        entity=creator,
        glyph=chr(0x25A0 + number),
        voice="차분함",
        disclosure="AI 페르소나",
        disclosure_en="AI persona",
    )
    post = PersonaPost.objects.create(persona=persona, slug=f"p{number}", body="글", published_at=NOON)
    post.units.add(asset)
    source = make_source(f"s{number}", name=f"매체{number}", creator=creator)
    FetchRun.objects.create(source=source, started_at=NOON, outcome=RunOutcome.OK)
    document = make_document(source, str(number), title=f"자산{number} 소식")
    link_documents([document])
    series = Series.objects.create(key=f"k{number}", source=source)
    Observation.objects.create(series=series, at=NOON, value=1.0, fetched_at=NOON)
    market = Market.objects.create(venue="upbit", symbol=f"KRW-A{number}", asset=asset)
    Candle.objects.create(market=market, interval="1h", at=NOON, open=1, high=1, low=1, close=1, volume=1)
    legs = {
        "upbit_krw": 1,
        "upbit_at": NOON,
        "binance_usd": 1,
        "binance_at": NOON,
        "usdkrw": 1,
        "usdkrw_at": NOON,
    }
    Premium.objects.create(asset=asset, at=NOON, value=0.1, **legs)
    Pulse.objects.create(
        key=f"pulse{number}", asset=asset, direction="up", magnitude_pct=5.0, started_at=NOON, detected_at=NOON,
        horizon_hours=1, confidence=0.5, summary="상승",
    )  # fmt: skip
    cluster, other = candidate(document), candidate()
    PossibleMerge.objects.create(one=cluster, other=other, noted_at=NOON)


def candidate(*documents: Document) -> EventCluster:
    cluster = EventCluster.objects.create(
        status=ClusterStatus.OPEN, label="후보", first_document_at=NOON, last_document_at=NOON
    )
    for document in documents:
        ClusterDocument.objects.create(cluster=cluster, document=document)
    return cluster


@EACH_MODEL
def test_every_page_opens(model: type[Model], desk: Client) -> None:
    world(1)
    assert model._default_manager.exists(), "the test's world must have a row of everything"
    assert desk.get(page(model, "changelist")).status_code == 200
    assert desk.get(page(model, "changelist"), {"q": "자산1"}).status_code == 200
    for row in model._default_manager.all():
        assert desk.get(page(model, "change", row.pk)).status_code == 200
    model_admin = admin.site.get_model_admin(model)
    request = type("Request", (), {"user": User.objects.get()})
    expected = 200 if model_admin.has_add_permission(request) else 403  # type: ignore[arg-type]
    assert desk.get(page(model, "add")).status_code == expected


def test_every_list_asks_as_many_questions_for_many_rows_as_for_few(desk: Client) -> None:
    def questions() -> dict[str, int]:
        asked = {}
        for model in MODELS:
            with CaptureQueriesContext(connection) as captured:
                assert desk.get(page(model, "changelist")).status_code == 200
            asked[model.__name__] = len(captured)
        return asked

    for number in (1, 2):
        world(number)
    few = questions()
    for number in range(3, 8):
        world(number)
    assert questions() == few


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
    bitcoin.refresh_from_db()
    assert (Document.objects.published().count(), bitcoin.document_count) == (0, 0)
    act(desk, Document, "restore", document)
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
    topic.refresh_from_db()
    assert topic.document_count == 1
