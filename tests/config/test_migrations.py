"""An empty database is made in one step an app, an older one by the steps it lacks; both come to the same."""

import re
from collections.abc import Iterable, Iterator

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from pytest_django.plugin import DjangoDbBlocker

from config.management.commands.migrate_back import EveryStep
from tests.migrated import connected_to

Key = tuple[str, str]
SQUASHED = {
    ("archive", "0001_squashed_0006_plain_words"),
    ("ask", "0001_squashed_0019_plain_words"),
    ("knowledge", "0001_squashed_0047_detector_run"),
}
# The last ones of the first version that was given out.
FIRST_VERSION = {
    "archive": "0003_watch_snapshots",
    "ask": "0012_answer_declined",
    "knowledge": "0004_decisions_remembered",
}
# Made beside the models and named after them: a renamed table keeps the names that its constraints and indexes had.
CATALOGUE = (
    "SELECT table_name, ordinal_position - (SELECT count(*) FROM pg_attribute a WHERE attisdropped AND"
    " attrelid = table_name::regclass AND attnum BETWEEN 1 AND ordinal_position), column_name, udt_name,"
    " character_maximum_length, is_nullable, column_default, is_identity, generation_expression"
    " FROM information_schema.columns WHERE table_schema = 'public'",
    "SELECT conrelid::regclass::text, replace(pg_get_constraintdef(oid), ' NOT VALID', ''), condeferrable, condeferred"
    " FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'",
    r"SELECT tablename, regexp_replace(indexdef, 'INDEX \S+ ON', 'INDEX ON') FROM pg_indexes"
    " WHERE schemaname = 'public'",
    "SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    "SELECT proname, pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'"
    " AND (prorettype <> 'trigger'::regtype OR EXISTS (SELECT FROM pg_trigger WHERE tgfoid = pg_proc.oid))",
)


def plan(monkeypatch: pytest.MonkeyPatch, applied: Iterable[Key]) -> list[Key]:
    """What would be migrated where these migrations were."""
    with monkeypatch.context() as patched:
        patched.setattr(MigrationRecorder, "applied_migrations", lambda _self: dict.fromkeys(applied))
        executor = MigrationExecutor(connection)
    whole = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [(migration.app_label, migration.name) for migration, _backwards in whole]


def steps() -> set[Key]:
    disk = MigrationLoader(None).disk_migrations
    return {step for migration in disk.values() for step in map(tuple, migration.replaces)}


def of_first_version() -> set[Key]:
    others = {key for key in MigrationLoader(None).disk_migrations if key[0] not in FIRST_VERSION}
    return others | {(app, name) for app, name in steps() if name <= FIRST_VERSION[app]}


@pytest.mark.django_db
def test_an_empty_database_takes_the_squashed_migrations(monkeypatch: pytest.MonkeyPatch) -> None:
    found = set(plan(monkeypatch, ()))
    assert found >= SQUASHED
    assert not found & steps()


@pytest.mark.django_db
def test_a_database_of_the_first_version_takes_the_steps_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    found = plan(monkeypatch, of_first_version())
    assert steps() - of_first_version() <= set(found)
    assert not SQUASHED & set(found)
    dropping = found.index(("knowledge", "0017_triggers_beside_models"))
    assert all(
        found.index((app, name)) < dropping
        for app, name in found
        if "0013_trig" in name or "0005_trig" in name
    )


@pytest.mark.django_db
def test_a_database_that_took_all_steps_has_the_squashed_migrations(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not {*plan(monkeypatch, of_first_version() | steps())} & (SQUASHED | steps())


@pytest.mark.django_db
def test_nobody_goes_back_to_what_there_never_was() -> None:
    with pytest.raises(CommandError, match="knowledge has no migration 0099_none"):
        call_command("migrate_back", "knowledge", "0099_none")


@pytest.fixture
def empty(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A database without a table, in place of the test's own."""
    name = "every_step"
    with django_db_blocker.unblock():
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            cursor.execute(f"CREATE DATABASE {name}")
        with connected_to(name):
            yield
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def catalogue() -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    with connection.cursor() as cursor:
        for query in CATALOGUE:
            cursor.execute(query)
            found += [row for row in cursor.fetchall() if not re.search(r"_seq\d*$", str(row[0]))]
    return sorted(found, key=repr)


@pytest.mark.soak
@pytest.mark.usefixtures("empty")
def test_squashed_migrations_make_what_their_steps_make_and_lead_back_by_them() -> None:
    call_command("migrate", verbosity=0)
    made = catalogue()
    for app, name in FIRST_VERSION.items():
        call_command("migrate_back", app, name)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'knowledge_observation'"
        )
        assert ("series_id",) in cursor.fetchall(), "as the first version knew it"
    assert not SQUASHED & {*MigrationRecorder(connection).applied_migrations()}
    call_command("migrate", verbosity=0)
    assert catalogue() == made
    assert {*MigrationRecorder(connection).applied_migrations()} >= SQUASHED


@pytest.mark.soak
@pytest.mark.usefixtures("empty")
def test_steps_alone_make_what_squashed_migrations_make() -> None:
    executor = MigrationExecutor(connection)
    executor.loader = EveryStep(connection)
    for target in ([("knowledge", "0002_triggers")], executor.loader.graph.leaf_nodes()):
        executor.migrate(target)
        executor.loader.build_graph()
    by_steps = catalogue()
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    call_command("migrate", verbosity=0)
    assert catalogue() == by_steps
