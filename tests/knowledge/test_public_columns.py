"""A column that readers see is watched by the triggers, or a change of it would never be published."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import Model

from knowledge.models import Alias, EventUnit, Persona, PersonaPost, Pulse, Unit

pytestmark = pytest.mark.django_db

# What no reader sees, or what follows from other columns; whoever adds a column decides, here or in a migration.
COUNTED = {"document_count", "video_count"}
NOT_PUBLIC = {
    Unit: {"id", "prefix", "canon_sha256", "created_at", "updated_at", *COUNTED},
    # A label's row follows from its unit, which tells of a rename itself.
    Alias: {"id", "unit_type", "norm", "lang", "case_sensitive", "ambiguous", "blocked_contexts", "is_label"},
    Persona: {"id", "voice", "canon_sha256"},
}
WATCHED_BY = {
    "knowledge_unit_updated": Unit,
    "knowledge_unit_own_updated_at": Unit,
    "knowledge_alias_updated": Alias,
    "knowledge_persona_changed": Persona,
}


def columns(model: type[Model]) -> set[str]:
    return {str(field.column) for field in model._meta.concrete_fields}


def source_of(function: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT prosrc FROM pg_proc WHERE proname = %s", [function])
        return str(cursor.fetchone()[0])


def unwatched(function: str, named: set[str]) -> set[str]:
    """The columns of which the function does not compare the old value with the new one."""
    old_and_new = (("o", "n"), ("OLD", "NEW"))
    words = set(source_of(function).replace("(", " ").replace(")", " ").replace(",", " ").split())
    return {
        name for name in named if not any({f"{o}.{name}", f"{n}.{name}"} <= words for o, n in old_and_new)
    }


@pytest.mark.parametrize("function", WATCHED_BY)
def test_every_public_column_is_watched(function: str) -> None:
    model = WATCHED_BY[function]
    assert columns(model) >= NOT_PUBLIC[model], "a column that is gone needs no exception"
    public = columns(model) - NOT_PUBLIC[model]
    assert unwatched(function, public) == set()
    assert unwatched(function, {*public, "a_new_column"}) == {"a_new_column"}


def test_counts_are_watched_as_counts() -> None:
    assert unwatched("knowledge_unit_updated", COUNTED) == set()


@pytest.mark.parametrize("model", [Pulse, PersonaPost, PersonaPost.units.through, EventUnit])
def test_these_are_compared_as_whole_rows(model: type[Model]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT p.proname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid"
            " WHERE t.tgrelid = %s::regclass AND NOT t.tgisinternal AND t.tgtype & 16 > 0",
            [model._meta.db_table],
        )
        (watchers,) = cursor.fetchall()
    assert "EXCEPT SELECT" in source_of(watchers[0])
