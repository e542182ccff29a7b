"""Every list of the desk asks the database the same number of questions, however long it is."""

from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories.desk import world

pytestmark = pytest.mark.django_db
FEW, MANY = 2, 9
LISTED = [model for model in apps.get_models() if admin.site.is_registered(model)]


def more(number: int) -> None:
    world(number)
    User.objects.create_user(f"user{number}")
    Group.objects.create(name=f"group{number}")


def questions(desk: Client, model: type[Model], **query: Any) -> int:
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    with CaptureQueriesContext(connection) as asked:
        assert desk.get(address, query).status_code == 200, address
    return len(asked)


@pytest.mark.slow
def test_every_list_asks_a_constant_number_of_questions(client: Client) -> None:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    for number in range(FEW):
        more(number + 1)
    for model in LISTED:
        questions(client, model)  # what is remembered from the first answer on
    few = {model._meta.label: questions(client, model) for model in LISTED}
    searched = {model._meta.label: questions(client, model, q="1") for model in LISTED}
    for number in range(FEW, MANY):
        more(number + 1)
    grown = [model for model in LISTED if model._default_manager.count() >= MANY - FEW]
    assert len(grown) >= 15, "the world must grow in most lists"
    assert {model._meta.label: questions(client, model) for model in LISTED} == few
    assert {model._meta.label: questions(client, model, q="1") for model in LISTED} == searched
