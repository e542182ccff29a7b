"""Where the test database is, for processes of their own."""

import os
import re

from django.db import connection


def address_of_test_database() -> str:
    """The address of this test run's database: the one in the environment, with the name Django gave it."""
    address = os.environ["DATABASE_URL"]
    return re.sub(r"^(\w+://[^/?]*/)[^?]*", rf"\g<1>{connection.settings_dict['NAME']}", address)
