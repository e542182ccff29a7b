"""The database that ``seed`` fills: on the server of ``DATABASE_URL``, under a name of its own."""

import os
import re

from django.db import connection

_SUFFIX = "_seeded"
_DATABASE = re.compile(r"^(\w+://[^/?]*/)[^?]*")


def use_seeded() -> str:
    """Turn this process and its children, nothing of which has asked the database yet, to the seeded one.

    Returns its address.
    """
    settings = connection.settings_dict
    if not settings["NAME"].endswith(_SUFFIX):
        settings["NAME"] += _SUFFIX
    return pass_on(settings["NAME"])


def pass_on(name: str) -> str:
    """Have the processes that this one starts use the database of this name; its address."""
    address = _DATABASE.sub(rf"\g<1>{name}", os.environ["DATABASE_URL"])
    os.environ["DATABASE_URL"] = address
    return address


def drop() -> None:
    """Drop the seeded database, whoever is connected to it."""
    _on_server("DROP DATABASE IF EXISTS {} WITH (FORCE)")


def create() -> None:
    _on_server("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'")


def _on_server(statement: str) -> None:
    name = connection.settings_dict["NAME"]
    if not name.endswith(_SUFFIX):
        raise RuntimeError(f"{name} is not the seeded database")
    with connection._nodb_cursor() as cursor:
        cursor.execute(statement.format(connection.ops.quote_name(name)))
