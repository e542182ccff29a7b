"""``manage.py migrate_back APP NAME``: back to a migration, also to one that a squashed migration stands for."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader


class EveryStep(MigrationLoader):
    """All migrations but the squashed ones: beside its own steps, such a one would make their models twice."""

    def load_disk(self) -> None:
        super().load_disk()
        self.squashed = {key for key, migration in self.disk_migrations.items() if migration.replaces}
        for key in self.squashed:
            del self.disk_migrations[key]


class Command(BaseCommand):
    help = "Undoes the migrations of an app that came after one, and those of other apps that rest on them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("app_label")
        parser.add_argument("migration_name")

    def handle(self, *args: Any, app_label: str, migration_name: str, **options: Any) -> None:
        squashed = MigrationLoader(connection).disk_migrations.get((app_label, migration_name))
        target = squashed.replaces[-1] if squashed and squashed.replaces else (app_label, migration_name)
        executor = MigrationExecutor(connection, self._tell)
        executor.loader = loader = EveryStep(connection)
        if target not in loader.graph.nodes:
            raise CommandError(f"{app_label} has no migration {migration_name}", returncode=2)
        if target not in loader.applied_migrations:
            raise CommandError(f"{app_label} never came to {migration_name}", returncode=2)
        executor.migrate([target])
        for key in loader.squashed:  # `migrate` notes them again where all of their steps are there
            executor.recorder.record_unapplied(*key)

    def _tell(self, action: str, migration: Any = None, fake: bool | None = False, /) -> None:
        if action == "unapply_start":
            self.stdout.write(f"  Undoing {migration} ...", ending="")
            self.stdout.flush()
        elif action == "unapply_success":
            self.stdout.write(" OK")
