"""What the migrations of the archive do with data that older versions left."""

import ast
from importlib import import_module
from pathlib import Path

import pytest
from django.db import connection

import archive
from archive import capture
from archive.models import Signal
from tests.archive.made import DAY, MIDNIGHT, say

FOLDER = Path(archive.__file__).parent / "migrations"


def test_a_migration_does_not_depend_on_code_that_changes() -> None:
    for path in sorted(FOLDER.glob("0*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("archive")), path


@pytest.mark.django_db
def test_a_signal_stored_with_a_time_that_cannot_be_read_is_mended_and_stops_no_seal() -> None:
    migration = import_module("archive.migrations.0004_readable_signals")
    signal = say("market")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE archive_signal DROP CONSTRAINT signal_generated_at_readable")
        cursor.execute("UPDATE archive_signal SET generated_at = '0001-01-01 00:00:00 BC'")
        cursor.execute(migration.MEND)
    assert Signal.objects.get().generated_at == signal.received_at
    assert capture.seal(DAY, now=MIDNIGHT, compose=None).status == "partial"
