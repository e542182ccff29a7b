"""What labelled questions are asked of: the records of this database, or a world of its own that vanishes.

Either is one transaction that is rolled back.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime

from django.core.management import CommandError
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from knowledge.canon import loader
from knowledge.evaluation.observations import record_observations
from knowledge.evaluation.scratch import scratch_tables
from knowledge.models import Unit
from knowledge.search import indexing
from knowledge.sources.base import ObservationItem


def require_migrated() -> None:
    """Raises CommandError where this database has not the tables that are asked."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError("This database is not migrated: run `manage.py migrate` first.")


def is_empty() -> bool:
    """Whether this database has no record to answer from."""
    return not Unit.objects.published().exists()


@contextmanager
def own_records() -> Iterator[None]:
    """The records as this database has them, in a transaction that Postgres lets write nothing."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
        try:
            yield
        finally:
            transaction.set_rollback(True)


@contextmanager
def starter_canon(observations: Iterable[ObservationItem] = (), *, now: datetime) -> Iterator[None]:
    """The starter canon as it is delivered, with these values of its series, whatever the database has.

    Raises MalformedFileError for a value that its series would not take.
    """
    with scratch_tables(triggers=True):
        loader.load(map(loader.read, loader.starter_paths()), now=now)
        indexing.refresh_everything()
        record_observations(observations, now=now)
        yield
