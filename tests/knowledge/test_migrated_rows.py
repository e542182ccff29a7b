"""Databases made before: rows that a new constraint would refuse are mended before it comes."""

from importlib import import_module

import pytest
from django.db import connection

from knowledge.models import Persona, Status, Unit, UnitType
from tests.factories.knowledge import NOON, make_unit

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
