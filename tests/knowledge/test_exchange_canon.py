"""The starter canon goes out as files and comes back without a change."""

import pytest

from knowledge.exchange.formats import CSV, JSON
from knowledge.exchange.resources import AliasResource, RelationResource, UnitResource
from knowledge.models import Alias, Relation, Unit
from tests.knowledge.exchanged import counts, exported, tried

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("canon"), pytest.mark.slow]

RESOURCES = {Unit: UnitResource, Alias: AliasResource, Relation: RelationResource}


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.soak)])
def test_what_the_canon_exports_imports_without_a_change(every: int) -> None:
    for model, resource in RESOURCES.items():
        present = model._default_manager.count()
        # Rows of either form are read by the same code, so one form carries more of them.
        for form, step in ((CSV, every), (JSON, max(every, present // 50))):
            asked = len(range(0, present, step))
            assert asked >= 10
            content = exported(resource, form, every=step)
            assert counts(tried(resource, content, form, may_publish=False)) == (0, 0, asked, 0)
