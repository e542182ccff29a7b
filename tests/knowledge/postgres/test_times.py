"""Times that Postgres writes are read as Django reads them."""

from datetime import UTC, datetime

import psycopg
import pytest
from django.db import DataError, connection
from django.db.backends.postgresql.psycopg_any import BaseTzLoader

from knowledge.postgres.times import TimeLoader

pytestmark = pytest.mark.django_db

WRITTEN = (
    "2026-11-26 04:25:32+00",
    "2026-11-26 04:25:32.5+00",
    "2026-11-26 04:25:32.123456+00",
    "2026-11-26 13:25:32.000001+09",
    "1987-05-10 03:00:00+10",
    "1908-04-01 00:00:00+08:27:52",
    "1969-12-31 19:00:00-05",
    "2026-02-28 23:59:59.999999-03:30",
    "0001-01-01 00:00:00+00",
    "9999-12-31 23:59:59.999999+00",
)


@pytest.fixture
def djangos() -> BaseTzLoader:
    class Loader(BaseTzLoader):
        timezone = UTC

    connection.ensure_connection()
    return Loader(0, connection.connection)


@pytest.mark.parametrize("written", WRITTEN)
def test_a_time_is_what_django_reads(djangos: BaseTzLoader, written: str) -> None:
    read = TimeLoader(0, connection.connection).load(written.encode())
    assert read == djangos.load(written.encode())
    assert read.tzinfo is UTC


@pytest.mark.parametrize("literal", ["infinity", "-infinity", "0044-03-15 BC", "12026-01-01"])
def test_what_no_datetime_holds_is_an_error_as_before(literal: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::timestamptz", [literal])
        with pytest.raises(DataError):
            cursor.fetchone()


def test_the_services_connections_read_so() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT '2026-11-26 13:25:32.5+09'::timestamptz")
        assert cursor.fetchone() == (datetime(2026, 11, 26, 4, 25, 32, 500_000, UTC),)
        loader = cursor.connection.adapters.get_loader(psycopg.adapters.types["timestamptz"].oid, 0)
        assert loader is TimeLoader
