"""Connections beside the pool reach the same database in the same way."""

from typing import Any

import psycopg
import pytest
from django.db import connection

from archive import lock
from knowledge.postgres import own


@pytest.mark.django_db
def test_a_connection_of_ones_own_is_not_taken_from_the_pool() -> None:
    parameters = own.parameters("madang publications")
    assert "pool" not in parameters
    with psycopg.connect(**parameters) as ear:
        row = ear.execute("SELECT current_database(), current_setting('application_name')").fetchone()
    assert row == (connection.settings_dict["NAME"], "madang publications")


def test_it_keeps_every_option_of_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    tls = {"sslmode": "verify-full", "sslrootcert": "/etc/ssl/db.pem", "connect_timeout": 9}
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", tls)
    assert tls.items() <= own.parameters("madang seal").items()


@pytest.mark.django_db
def test_a_network_that_swallows_packets_is_noticed_within_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}

    def connect(**parameters: Any) -> None:
        seen.update(parameters)
        raise psycopg.OperationalError

    monkeypatch.setattr(psycopg, "connect", connect)
    with pytest.raises(psycopg.OperationalError), lock.sealing_alone():
        pass
    assert seen["connect_timeout"] <= 5
    assert seen["tcp_user_timeout"] <= 15_000
