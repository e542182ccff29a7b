"""An index that another one begins with is written with every row and read for no question."""

import pytest
from django.apps import apps
from django.db import connection

pytestmark = pytest.mark.django_db

REDUNDANT = """
SELECT one.indexrelid::regclass::text, other.indexrelid::regclass::text
FROM pg_index one JOIN pg_index other ON other.indrelid = one.indrelid AND other.indexrelid <> one.indexrelid
WHERE one.indrelid = ANY (%s::regclass[]) AND NOT one.indisunique
  AND one.indpred IS NULL AND other.indpred IS NULL
  AND other.indkey::text || ' ' LIKE one.indkey::text || ' %%'
  AND other.indclass::text || ' ' LIKE one.indclass::text || ' %%'
"""


def test_no_index_is_the_beginning_of_another() -> None:
    models = apps.get_app_config("knowledge").get_models()
    # The tables of Django's own many-to-many relations have the indexes that Django gives them.
    tables = [model._meta.db_table for model in models if not model._meta.proxy]
    with connection.cursor() as cursor:
        cursor.execute(REDUNDANT, [tables])
        assert cursor.fetchall() == []
