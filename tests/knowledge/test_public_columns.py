"""A column that readers see is watched by the triggers, or a change of it would never be published."""

import re

import pytest
from django.db.models import Model

from knowledge.models import Alias, EventUnit, Persona, PersonaPost, Pulse, Unit
from knowledge.models.personas import PersonaPostUnit

# What no reader sees, or what follows from other columns; whoever adds a column decides, here or in a migration.
COUNTED = {"document_count", "video_count"}
NOT_PUBLIC = {
    # When a unit was first public follows from its status, and is told by feeds alone.
    Unit: {
        *("id", "prefix", "canon_sha256", "asked_as", "reader_questions"),
        *("created_at", "updated_at", "public_since", *COUNTED),
    },
    # A label's row follows from its unit, which tells of a rename itself.
    Alias: {"id", "unit_type", "norm", "lang", "case_sensitive", "ambiguous", "blocked_contexts", "is_label"},
    Persona: {"id", "voice", "canon_sha256"},
}
WATCHED_BY = {
    "unit_updated": Unit,
    "unit_own_updated_at": Unit,
    "alias_updated": Alias,
    "persona_updated": Persona,
}


def columns(model: type[Model]) -> set[str]:
    return {str(field.column) for field in model._meta.concrete_fields}


def source_of(trigger: str, model: type[Model]) -> str:
    (declared,) = (found for found in model._meta.triggers if found.name == trigger)  # type: ignore[attr-defined]
    return str(declared.func)


def unwatched(trigger: str, model: type[Model], named: set[str]) -> set[str]:
    """The columns of which the trigger does not compare the old value with the new one."""
    old_and_new = (("o", "n"), ("OLD", "NEW"))
    words = set(source_of(trigger, model).replace("(", " ").replace(")", " ").replace(",", " ").split())
    return {
        name for name in named if not any({f"{o}.{name}", f"{n}.{name}"} <= words for o, n in old_and_new)
    }


@pytest.mark.parametrize(("trigger", "model"), WATCHED_BY.items())
def test_every_public_column_is_watched(trigger: str, model: type[Model]) -> None:
    assert columns(model) >= NOT_PUBLIC[model], "a column that is gone needs no exception"
    public = columns(model) - NOT_PUBLIC[model]
    assert unwatched(trigger, model, public) == set()
    assert unwatched(trigger, model, {*public, "a_new_column"}) == {"a_new_column"}


def test_counts_are_watched_as_counts() -> None:
    assert unwatched("unit_updated", Unit, COUNTED) == set()


@pytest.mark.parametrize(
    ("trigger", "model"),
    [
        ("note_updated", Pulse),
        ("note_updated", PersonaPost),
        ("note_updated", PersonaPostUnit),
        ("eventunit_updated", EventUnit),
    ],
)
def test_these_are_compared_as_whole_rows(trigger: str, model: type[Model]) -> None:
    statements = " ".join(source_of(trigger, model).split())
    assert re.search(r"SELECT \S+ FROM new_rows.* EXCEPT SELECT \S+ FROM old_rows", statements)
    assert re.search(r"SELECT \S+ FROM old_rows.* EXCEPT SELECT \S+ FROM new_rows", statements)
