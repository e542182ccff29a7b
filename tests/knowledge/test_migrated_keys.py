"""Databases made before: keys of aliases in the new normal form, with nothing lost."""

from importlib import import_module

import pytest
from django.apps import apps

from knowledge.linking import gazetteer
from knowledge.models import Alias, Unit, UnitType
from knowledge.normalise import normalise_alias
from tests.factories.knowledge import make_unit

pytestmark = pytest.mark.django_db

migration = import_module("knowledge.migrations.0006_one_key_for_one_name")


def former(unit: Unit, surface: str, norm: str, **fields: bool) -> Alias:
    """An alias under the key it had."""
    (alias,) = Alias.objects.bulk_create(
        [Alias(unit=unit, unit_type=unit.type, surface=surface, norm=norm, **fields)]
    )
    return alias


def test_keys_are_renewed_and_what_collides_is_ambiguous_and_still_there() -> None:
    paul, other = (make_unit(slug, slug, type=UnitType.PERSON) for slug in ("paul", "other"))
    topic = make_unit("topic", "주제", type=UnitType.TOPIC)
    rows = {
        "kept": former(paul, "Jean-Paul", "jeanpaul"),
        "same unit": former(paul, "Jean–Paul", "jean–paul"),
        "another type": former(topic, "Jean−Paul", "jean−paul"),
        "one": former(paul, "A\u200bB", "a\u200bb"),
        "two": former(other, "AB", "ab"),
        "off": former(other, "A—B", "a—b", active=False),
        "alone": former(other, "마당—일보", "마당—일보"),
        "nothing left": former(other, "—", "—"),
    }
    migration.renew_keys(apps, None)
    for row in rows.values():
        row.refresh_from_db()
    assert {name: row.norm for name, row in rows.items()} == {
        name: normalise_alias(row.surface) or "—" for name, row in rows.items()
    }
    assert {name for name, row in rows.items() if row.ambiguous} == {"same unit", "one", "two"}
    assert {name for name, row in rows.items() if not row.active} == {"off"}
    assert gazetteer.newest_gazetteer().linker.units("마당 일보 기사") == [other.pk]
    before = list(Alias.objects.order_by("pk").values())
    migration.renew_keys(apps, None)
    assert list(Alias.objects.order_by("pk").values()) == before


def test_the_keys_of_the_migration_are_those_of_the_linker() -> None:
    for surface in (
        "Bitcoin (BTC)",
        "ＢＴＣ",
        "제롬・파월",
        "Straße",
        "USD–T",
        "\u202eA\ufe0fB",
        "①㈜ 마당",
        "é e\u0301",
    ):
        assert migration.key_of(surface) == normalise_alias(surface)
