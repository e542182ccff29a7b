"""What a unit is called on English pages: its own column, that of editors and of the starter canon."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.translation import override

from knowledge.canon import loader
from knowledge.exchange.formats import CSV
from knowledge.exchange.resources import UnitResource
from knowledge.models import Unit, UnitType
from tests.factories.knowledge import NOON, make_unit

pytestmark = pytest.mark.django_db
RECORD: dict[str, Any] = {
    "type": "topic",
    "slug": "crypto-tax",
    "label": "가상자산 과세",
    "summary": "지어낸 설명이다.",
    "aliases": [],
}
TITLED = {"units": [{**RECORD, "label_en": "Crypto tax"}]}


def test_a_unit_is_called_by_its_title_on_english_pages_and_by_its_label_elsewhere() -> None:
    titled, bare = make_unit(label_en="Bitcoin"), make_unit("bare", "이름뿐")
    assert (titled.shown_label, bare.shown_label) == ("비트코인", "이름뿐")
    with override("en"):
        assert (titled.shown_label, bare.shown_label) == ("Bitcoin", "이름뿐")


def test_the_canon_brings_titles_to_units_of_before_and_keeps_an_editors() -> None:
    loader.load([{"units": [RECORD]}], now=NOON)
    # The migration filled it in: nobody's edit.
    Unit.objects.update(label_en="Tax on crypto")
    assert loader.load([{"units": [RECORD]}], now=NOON)["units"] == {"unchanged": 1}
    assert loader.load([TITLED], now=NOON)["units"] == {"updated": 1}
    assert loader.load([TITLED], now=NOON)["units"] == {"unchanged": 1}
    unit = Unit.objects.get()
    assert unit.label_en == "Crypto tax"
    unit.label_en = "Taxation"
    unit.save()
    assert loader.load([TITLED], now=NOON)["units"] == {"kept": 1}
    assert Unit.objects.get().label_en == "Taxation"


def test_a_title_of_an_editor_outlives_a_record_without_one() -> None:
    loader.load([{"units": [RECORD]}], now=NOON)
    Unit.objects.update(label_en="Crypto tax")
    newer = {**RECORD, "summary": "다시 지어낸 설명이다."}
    assert loader.load([{"units": [newer]}], now=NOON)["units"] == {"updated": 1}
    assert Unit.objects.get().label_en == "Crypto tax"


def test_titles_go_out_in_a_file_and_come_back() -> None:
    make_unit(label_en="Bitcoin")
    content = CSV().export_data(UnitResource().export(Unit.objects.all()))
    Unit.objects.update(label_en="")
    UnitResource().import_data(CSV().create_dataset(content.encode()))
    assert Unit.objects.get().label_en == "Bitcoin"


def test_an_editor_writes_a_title_and_the_history_has_it(client: Client) -> None:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    unit = make_unit("crypto-tax", "가상자산 과세", type=UnitType.TOPIC)
    posted = {"label": unit.label, "label_en": " Crypto  tax\u200b"}
    posted |= {f"aliases-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL")}
    assert client.post(f"/admin/knowledge/topic/{unit.pk}/change/", posted).status_code == 302
    assert Unit.objects.get().label_en == "Crypto tax"
    assert [one.label_en for one in unit.history.all()] == ["Crypto tax", ""]
