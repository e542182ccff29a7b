"""Where the test database is, for processes of their own."""

import os
import re
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection


def address_of_test_database() -> str:
    """The address of this test run's database: the one in the environment, with the name Django gave it."""
    address = os.environ["DATABASE_URL"]
    return re.sub(r"^(\w+://[^/?]*/)[^?]*", rf"\g<1>{connection.settings_dict['NAME']}", address)


def own_backend(connected: psycopg.Connection[Any]) -> int:
    """The process of a connection's backend; skips the test where this process may not tell it anything."""
    process = Path("/proc", str(connected.info.backend_pid))
    if not connected.info.host.startswith("/") or not process.exists():
        pytest.skip("Postgres is not reached by a Unix socket of this machine")
    if os.geteuid() not in (0, process.stat().st_uid):
        pytest.skip("Postgres is another user's")
    return connected.info.backend_pid
