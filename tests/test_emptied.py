"""A test whose rows others could see leaves nothing to the next one, which needs no new permissions either."""

from math import inf

import pytest
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType

from knowledge.linking import gazetteer
from knowledge.linking.store import units_named
from knowledge.models import Unit
from tests import emptied
from tests.factories.knowledge import make_unit

pytestmark = pytest.mark.django_db(transaction=True)


def kept() -> list[list[int]]:
    return [sorted(model.objects.values_list("pk", flat=True)) for model in (ContentType, Permission, Group)]


@pytest.mark.parametrize("turn", [1, 2])
def test_what_a_test_commits_no_other_sees(turn: int) -> None:
    assert not Unit.objects.exists()
    assert not Group.objects.filter(name="made by a test").exists()
    make_unit()
    Group.objects.create(name="made by a test").permissions.add(Permission.objects.all()[0])


def test_rows_go_names_are_forgotten_and_what_migrate_made_stays() -> None:
    unit = make_unit()
    before = kept()
    assert units_named("비트코인") == [unit.public_id]
    emptied.empty()
    gazetteer._checked_at = -inf  # what names are is believed for a second
    assert not Unit.objects.exists()
    assert units_named("비트코인") == []
    assert kept() == before
