"""The four groups hold what the table says, from the first migrate on."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command

from desk import groups
from desk.groups import CURATOR, DECISIONS, GROUPS, OPERATOR, PUBLISHER, READER

pytestmark = pytest.mark.django_db


def held(name: str) -> set[str]:
    permissions = Permission.objects.filter(group__name=name).select_related("content_type")
    return {f"{each.content_type.app_label}.{each.codename}" for each in permissions}


@pytest.mark.parametrize("name", GROUPS)
def test_a_fresh_database_has_every_group_with_all_that_the_table_grants(name: str) -> None:
    assert held(name) == set(GROUPS[name])


def test_each_group_of_editors_may_all_that_the_one_before_may() -> None:
    assert READER < CURATOR < PUBLISHER
    assert READER < OPERATOR


def test_readers_only_view() -> None:
    assert {power.partition(".")[2].partition("_")[0] for power in READER} == {"view"}


def test_what_was_granted_or_taken_by_hand_is_put_right_by_the_next_migrate() -> None:
    reader = Group.objects.get(name="reader")
    reader.permissions.set([Permission.objects.get(codename="delete_unit")])
    own = Group.objects.create(name="guests")
    own.permissions.set([Permission.objects.get(codename="view_alias")])
    call_command("migrate", verbosity=0)
    assert held("reader") == set(READER)
    assert held("guests") == {"knowledge.view_alias"}


def test_a_decision_that_no_model_declares_is_made_once() -> None:
    app, _dot, codename = "knowledge.publish_unit".partition(".")
    Permission.objects.filter(codename=codename).delete()
    groups.keep_in_step()
    groups.keep_in_step()
    assert Permission.objects.filter(content_type__app_label=app, codename=codename).count() == 1
    assert f"{app}.{codename}" in held("publisher") - held("curator")


def test_every_decision_is_somebodys() -> None:
    assert set(DECISIONS) <= set().union(*GROUPS.values())


def test_every_model_of_the_desk_can_be_seen_by_some_group() -> None:
    seen = set().union(*GROUPS.values())
    unseen = {
        model._meta.label_lower
        for model in admin.site._registry
        # A list that shows another model's rows goes by that one's permissions.
        if model._meta.default_permissions
        and f"{model._meta.app_label}.view_{model._meta.model_name}" not in seen
    }
    assert unseen == set()
