"""Connections beside the pool: for listening, for a lock of one's own, for a look whether Postgres answers."""

from typing import Any

from django.db import connection

# Django's own parameters that a plain connection does not take.
POOLED_ONLY = ("context", "cursor_factory", "prepare_threshold")


def parameters(application: str) -> dict[str, Any]:
    """How a plain psycopg connection reaches Django's database: TLS and every other option of its address included."""
    found = connection.get_connection_params().items()
    plain = {name: value for name, value in found if name not in POOLED_ONLY}
    return {**plain, "autocommit": True, "application_name": application}
