"""The triggers that the database has are those that the models declare, and so are the functions they call."""

from copy import copy

import pgtrigger
import pytest
from django.core.management import call_command
from django.db import connection

from config.management.commands.migrate_back import EveryStep
from knowledge.models import Unit
from knowledge.models.triggers import SQL

pytestmark = pytest.mark.django_db


def rows(statement: str) -> set[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return set(cursor.fetchall())


def triggers() -> set[tuple[str, str]]:
    return rows("SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal")


def functions() -> set[tuple[str, str]]:
    return rows(
        r"SELECT proname, pg_get_functiondef(oid) FROM pg_proc"
        r" WHERE proname ~ '^(knowledge|ask|archive)_' AND prokind = 'f'"
    )


def test_every_trigger_is_declared_beside_its_model() -> None:
    assert {name for name, _definition in triggers()} == {
        trigger.get_pgid(model) for model, trigger in pgtrigger.registered()
    }


def test_a_changed_trigger_wants_a_migration(monkeypatch: pytest.MonkeyPatch) -> None:
    call_command("makemigrations", check_changes=True, dry_run=True, verbosity=0)
    trigger = next(trigger for trigger in Unit._meta.triggers if trigger.name == "label_rename")
    monkeypatch.setattr(trigger, "func", "RETURN NULL;")
    with pytest.raises(SystemExit):
        call_command("makemigrations", check_changes=True, dry_run=True, verbosity=0)


def test_the_functions_that_triggers_call_are_those_of_the_migrations() -> None:
    migrated = functions()
    for name, _definition in migrated:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER FUNCTION {name} RENAME TO of_migrations_{name}")
    with connection.cursor() as cursor:
        cursor.execute((SQL / "functions.sql").read_text(encoding="utf-8"))
    assert functions() == migrated, "a changed function needs a migration that makes it anew"


def test_the_triggers_can_be_taken_back_and_put_again() -> None:
    now, known = triggers(), {name for name, _definition in functions()}
    loader = EveryStep(connection)
    brought = loader.get_migration("knowledge", "0017_triggers_beside_models")
    state = loader.project_state([("knowledge", "0016_relinking")])
    with connection.schema_editor() as editor:
        brought.unapply(state.clone(), editor)
    former = {name for name, _definition in triggers()}
    assert former & {"unit_updated", "pgtrigger_unit_updated_4f0cf"} == {"unit_updated"}
    with connection.schema_editor() as editor:
        brought.apply(state, editor)
    # A function that a later migration made anew is again as it was then.
    assert (triggers(), {name for name, _definition in functions()}) == (now, known)


def test_a_column_that_triggers_look_at_can_be_made_longer() -> None:
    label = Unit._meta.get_field("label")
    longer = copy(label)
    longer.max_length = 300
    before = triggers()
    with connection.schema_editor() as editor:
        editor.alter_field(Unit, label, longer)
    assert triggers() == before
