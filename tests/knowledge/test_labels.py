"""A label is a row of its unit's aliases: the database keeps it, and nothing but the linker and look-ups sees it."""

from importlib import import_module
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from knowledge.linking import gazetteer
from knowledge.models import Alias, OutboxEntry, Status, Unit, UnitType
from knowledge.normalise import normalise_alias
from knowledge.queries import records
from tests.factories.knowledge import NOON, make_unit

pytestmark = pytest.mark.django_db

migration = import_module("knowledge.migrations.0008_labels_are_aliases")


def labels() -> dict[str, str]:
    """The rows of labels, each by its unit's slug; one that two rows claim would raise."""
    rows = list(Alias.names.filter(is_label=True).values_list("unit__slug", "surface"))
    assert len(rows) == len(dict(rows))
    return dict(rows)


def execute(statement: str, *parameters: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters or None)


def test_whoever_writes_a_unit_its_label_is_a_row() -> None:
    unit = make_unit("btc", "비트코인")
    Unit.objects.bulk_create([Unit(type=UnitType.ASSET, slug=f"a{n}", label=f"자산 {n}") for n in range(2)])
    assert labels() == {"btc": "비트코인", "a0": "자산 0", "a1": "자산 1"}
    unit.label = "비트"
    unit.save()
    Unit.objects.filter(slug="a0").update(label="같은 이름")
    execute("UPDATE knowledge_unit SET label = '같은 이름' WHERE slug = 'a1'")
    assert labels() == {"btc": "비트", "a0": "같은 이름", "a1": "같은 이름"}


def test_the_row_of_a_label_goes_with_its_unit_and_no_sooner() -> None:
    unit, other = make_unit("btc", "비트코인", aliases=["BTC"]), make_unit("eth", "이더리움")
    Alias.names.all().delete()
    assert labels() == {"btc": "비트코인", "eth": "이더리움"}
    Alias.names.update(surface="딴 이름", active=False, ambiguous=True, is_label=False, unit=other)
    assert labels() == {"btc": "비트코인", "eth": "이더리움"}
    assert not Alias.names.filter(active=False).exists()
    with pytest.raises(IntegrityError), transaction.atomic():
        Alias.objects.bulk_create([Alias(unit=unit, surface="둘째", norm="둘째", is_label=True)])
    execute("SET CONSTRAINTS ALL IMMEDIATE")
    execute("SET CONSTRAINTS ALL DEFERRED")
    execute("TRUNCATE knowledge_alias CASCADE")
    assert labels() == {"btc": "비트코인", "eth": "이더리움"}
    unit.delete()
    execute("DELETE FROM knowledge_unit WHERE slug = 'eth'")
    assert labels() == {}
    execute("SET CONSTRAINTS ALL IMMEDIATE")


@pytest.mark.parametrize("label", ["비트코인", "Jean–Paul (BTC)", "Straße Σίσυφος", "(·-)", "이" * 200])
def test_a_label_has_the_key_that_an_alias_would_have(label: str) -> None:
    make_unit("x", label)
    assert Alias.names.get(is_label=True).norm == normalise_alias(label)


def test_a_rename_makes_the_key_anew_although_the_aliases_were_read_before() -> None:
    make_unit("x", "가나", aliases=["다라"])
    unit = Unit.objects.prefetch_related("aliases").get()
    unit.label = "Straße"
    unit.save()
    assert Alias.names.get(is_label=True).norm == "strasse"


def test_a_rename_leaves_an_alias_that_equals_the_old_label_and_is_noted_once() -> None:
    unit = make_unit("btc", "비트코인", aliases=["비트코인"])
    OutboxEntry.objects.all().delete()
    Unit.objects.filter(pk=unit.pk).update(label="비트")
    assert [change.scope for change in OutboxEntry.objects.all()] == ["entity"]
    assert [record["aliases"] for record in records.entities(NOON)] == [["비트코인"]]
    assert list(unit.aliases.values_list("surface", flat=True)) == ["비트코인"]


def test_a_label_is_no_alias_for_readers_and_editors() -> None:
    unit = make_unit("btc", "비트코인", aliases=["BTC"])
    make_unit("xbt", "엑스비티", merged_into=unit, aliases=["XBT"])
    assert [record["aliases"] for record in records.entities(NOON)] == [["BTC", "엑스비티", "XBT"]]
    assert {alias.surface for alias in Alias.objects.all()} == {"BTC", "XBT"}
    assert {record.surface for record in Alias.history.all()} == {"BTC", "XBT"}


def test_two_units_may_have_one_label_and_an_alias_of_another_may_equal_it() -> None:
    for slug in ("one", "two"):
        make_unit(slug, "마루", type=UnitType.COMPANY)
    make_unit("three", "바루", type=UnitType.COMPANY, aliases=["마루"])
    found = gazetteer.newest_gazetteer().names.called("마루")
    assert sorted(name.source for name in found) == ["alias", "label", "label"]


def test_an_alias_with_the_labels_norm_is_the_word_on_it_and_events_have_headlines() -> None:
    judged = make_unit("judged", "마루 은행", type=UnitType.COMPANY)
    Alias.objects.create(unit=judged, surface="마루은행", ambiguous=True)
    silent = make_unit("silent", "바루", type=UnitType.COMPANY)
    Alias.objects.create(unit=silent, surface="바루", active=False)
    make_unit("crash", "가루 폭락", type=UnitType.EVENT, occurred_at=NOON, aliases=["가루사태"])
    make_unit("plain", "사루", type=UnitType.COMPANY)
    linked = Alias.names.linked().values_list("surface", flat=True)
    assert set(linked) == {"마루은행", "가루사태", "사루"}
    assert gazetteer.norms_of(silent) == {"바루"}


def test_an_alias_that_a_unit_has_already_is_refused_in_a_sentence(admin_client: Any) -> None:
    unit = make_unit("btc", "비트코인", aliases=["BTC"])
    page = admin_client.post(
        "/admin/knowledge/alias/add/", {"unit": unit.pk, "surface": "BTC", "blocked_contexts": "[]"}
    )
    assert page.status_code == 200
    assert page.context["adminform"].form.non_field_errors()
    assert unit.aliases.count() == 1


def test_a_database_made_before_gets_a_row_for_every_label() -> None:
    unit = make_unit("btc", "비트코인", aliases=["비트코인", "BTC"])
    make_unit("xbt", "비트코인", status=Status.RETRACTED, aliases=[])
    make_unit("strasse", "Straße", type=UnitType.PERSON)
    make_unit("long", "긴 이름 " * 40, type=UnitType.EVENT)
    execute("SET CONSTRAINTS ALL IMMEDIATE")
    execute("ALTER TABLE knowledge_alias DISABLE TRIGGER USER")
    Alias.names.filter(is_label=True).delete()
    execute("ALTER TABLE knowledge_alias ENABLE TRIGGER USER")
    assert labels() == {}
    before = list(Alias.objects.order_by("pk").values())
    with connection.schema_editor(atomic=False) as editor:
        migration.fill(None, editor)
    assert labels() == {unit.slug: unit.label for unit in Unit.objects.all()}
    assert Alias.names.get(unit__slug="strasse", is_label=True).norm == "strasse"
    assert list(Alias.objects.order_by("pk").values()) == before
    assert {alias.surface for alias in unit.aliases.all()} == {"비트코인", "BTC"}
