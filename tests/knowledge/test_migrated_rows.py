"""Databases made before: rows that a new constraint would refuse are mended before it comes."""

from datetime import UTC, datetime, timedelta
from importlib import import_module

import pytest
from django.db import connection

from knowledge.models import Alias, Observation, Persona, Premium, SeriesInput, Status, Unit, UnitType
from tests.factories.knowledge import NOON, make_unit
from tests.factories.series import observe

pytestmark = pytest.mark.django_db


def lacking(table: str, *constraints: str) -> None:
    """The table as it was before these constraints."""
    with connection.cursor() as cursor:
        for name in constraints:
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")


def mended(migration: str, model: type[Persona | Unit], *constraints: str) -> None:
    """Run what a migration does to rows, then put the constraints back, which checks every row."""
    with connection.cursor() as cursor:
        # Rows of a database that there was have no event waiting for their commit.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(import_module(f"knowledge.migrations.{migration}").MEND)
    with connection.schema_editor() as editor:
        for constraint in model._meta.constraints:
            if constraint.name in constraints:
                editor.add_constraint(model, constraint)


def test_a_published_event_without_a_time_gets_the_one_readers_knew_it_by() -> None:
    lacking("knowledge_unit", "unit_published_event_has_time")
    dated = make_unit("dated", "때 있는 사건", type=UnitType.EVENT, occurred_at=NOON)
    public, draft = (
        make_unit(status.value, "사건", type=UnitType.EVENT, status=status)
        for status in (Status.PUBLISHED, Status.DRAFT)
    )
    Unit.objects.filter(pk=public.pk).update(occurred_at=None)
    mended("0018_merges_and_times_of_events", Unit, "unit_published_event_has_time")
    for event in (dated, public, draft):
        event.refresh_from_db()
    assert (dated.occurred_at, public.occurred_at, draft.occurred_at) == (NOON, public.created_at, None)


def test_a_persona_that_did_not_say_what_it_is_does_so() -> None:
    constraints = ("persona_glyph_present", "persona_disclosure_present")
    lacking("knowledge_persona", *constraints)
    wholly, partly, not_at_all = (
        Persona.objects.create(
            entity_id=make_unit(slug, slug, type=UnitType.CREATOR).pk,
            glyph=glyph,
            disclosure=korean,
            disclosure_en=english,
        )
        for slug, glyph, korean, english in (
            ("wholly", "◈", "AI입니다.", "An AI."),
            ("partly", "◇", "AI입니다.", " "),
            ("not-at-all", " ", "\n", " "),
        )
    )
    mended("0021_personas_say_what_they_are", Persona, *constraints)
    for persona in (wholly, partly, not_at_all):
        persona.refresh_from_db()
    assert (wholly.glyph, wholly.disclosure, wholly.disclosure_en) == ("◈", "AI입니다.", "An AI.")
    assert (partly.glyph, partly.disclosure) == ("◇", "AI입니다.")
    assert not_at_all.glyph == f"🤖{not_at_all.pk}"
    assert "AI 페르소나" in not_at_all.disclosure
    assert "AI persona" in partly.disclosure_en == not_at_all.disclosure_en


def test_days_that_began_in_london_begin_where_the_publisher_is() -> None:
    """What was stored and what is fetched again must be one point."""
    bank, fed, europe = (
        observe(key, datetime(2026, 8, 28, tzinfo=UTC), 1.0) for key in ("731Y001/0000001", "DGS10", "USDKRW")
    )
    prices = [observe("CPIAUCSL", datetime(2026, month, 1, tzinfo=UTC), 1.0) for month in (9, 10)]
    chain = observe("defi.tvl", datetime(2026, 8, 28, tzinfo=UTC), 1.0)
    block = observe("bitcoin.height", datetime(2026, 8, 28, tzinfo=UTC), 1.0)
    migration = import_module("knowledge.migrations.0025_calendar_periods")
    with connection.cursor() as cursor:
        for statement in (migration.CALENDAR_PERIODS, migration.CHAIN_DAYS):
            cursor.execute(statement)
    found = [bank, fed, europe, *prices, chain, block]
    for value in found:
        value.refresh_from_db()
    assert [(f"{value.at:%m-%d %H:%M}", value.period) for value in found] == [
        ("08-27 15:00", "2026-08-28"),
        ("08-28 04:00", "2026-08-28"),
        ("08-27 22:00", "2026-08-28"),
        ("09-01 04:00", "2026-09"),
        ("10-01 04:00", "2026-10"),
        ("08-28 00:00", "2026-08-28"),
        ("08-28 00:00", ""),
    ]


def test_premiums_that_are_stored_are_values_of_their_series() -> None:
    asset = make_unit("btc", "비트코인")
    legs = {
        "upbit_krw": 1,
        "upbit_at": NOON,
        "binance_usd": 1,
        "binance_at": NOON,
        "usdkrw": 1,
        "usdkrw_at": NOON,
    }
    Premium.objects.create(asset=asset, at=NOON, value=0.0123, **legs)
    with connection.cursor() as cursor:
        cursor.execute(import_module("knowledge.migrations.0025_calendar_periods").PREMIUMS)
    value = Observation.objects.get(input__key="premium:btc")
    assert (value.at, float(value.value)) == (NOON, 1.23)


def test_a_premium_is_stored_once_and_none_is_lost() -> None:
    for key, at in (
        ("KIMCHI_PREMIUM/btc", NOON),
        ("premium:btc", NOON),
        ("KIMCHI_PREMIUM/eth", NOON),
        ("KIMCHI_PREMIUM/eth", NOON - timedelta(hours=1)),
        ("premium:eth", NOON),
    ):
        observe(key, at, 1.0)
    with connection.cursor() as cursor:
        cursor.execute(import_module("knowledge.migrations.0036_former_premiums").MEND)
    assert set(SeriesInput.objects.values_list("key", flat=True)) == {
        "premium:btc",
        "KIMCHI_PREMIUM/eth",
        "premium:eth",
    }
    alone = Observation.objects.get(input__key="KIMCHI_PREMIUM/eth")
    assert (alone.at, Observation.objects.count()) == (NOON - timedelta(hours=1), 3)


def test_a_unit_is_called_in_english_by_its_first_english_name() -> None:
    named = make_unit("ape", "에이프코인", symbol="APE")
    for surface, lang in (("에이프", "ko"), ("APE", "en"), ("ApeCoin", "en"), ("Ape Token", "en")):
        Alias.objects.create(unit=named, surface=surface, lang=lang)
    ticker = make_unit("xrp", "리플", symbol="XRP")
    Alias.objects.create(unit=ticker, surface="XRP", lang="en")
    premium = make_unit("premium", "김치 프리미엄", type=UnitType.TOPIC)
    Alias.objects.create(unit=premium, surface="kimchi premium", lang="en")
    latin, korean = make_unit("okx", "OKX"), make_unit("nameless", "이름 없는 것")
    chosen = make_unit("chosen", "고른 것", label_en="Chosen")
    Alias.objects.create(unit=chosen, surface="Another", lang="en")
    korean.history.update(label_en="")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(import_module("knowledge.migrations.0041_english_titles").MEND)
    units = (named, ticker, premium, latin, korean, chosen)
    for unit in units:
        unit.refresh_from_db()
    titles = ["ApeCoin", "XRP", "Kimchi premium", "OKX", "", "Chosen"]
    assert [unit.label_en for unit in units] == titles
    assert [unit.history.latest().label_en for unit in units] == titles
