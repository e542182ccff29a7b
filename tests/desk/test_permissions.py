"""Who may do what, asked over HTTP of every page of the desk."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.test import Client, RequestFactory
from django.urls import reverse

from archive.sisters import six_services
from desk.groups import DECISIONS, GROUPS
from knowledge.models import Source, Status, Topic

pytestmark = pytest.mark.django_db

MODELS = sorted(model._meta.label_lower for model in admin.site._registry)
OPEN, CLOSED = 200, 403
ACTIONS = ("add", "change", "delete")


def member(name: str) -> User:
    user = User.objects.create_user(name, is_staff=True)
    user.groups.add(Group.objects.get(name=name))
    return user


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(member(name))
    return client


# Who looks at, adds, changes and deletes the rows of each model, by initials: reader, curator, publisher, operator.
# Written out here, so that a slip in the groups' own table is seen.
MATRIX = {
    label: dict(zip(("view", *ACTIONS), initials, strict=True))
    for label, *initials in map(
        str.split,
        """
archive.sealing              rcpo   -      -      -
archive.signal               rcpo   -      -      -
archive.sisterservice        rcpo   -      o      -
archive.snapshot             rcpo   -      -      -
ask.answer                   rcpo   -      p      -
ask.citationaudit            rcpo   -      -      -
ask.modelcall                o      -      -      -
ask.seedquestion             rcpo   cp     cp     p
ask.spendday                 rcpo   -      -      -
auth.group                   o      -      -      -
auth.user                    o      -      -      -
axes.accessattempt           o      -      -      o
knowledge.alias              rcpo   cp     cp     cp
knowledge.candle             rcpo   -      -      -
knowledge.clusterdocument    rcpo   -      cp     -
knowledge.document           rcpo   -      p      -
knowledge.entity             rcpo   cp     cp     -
knowledge.event              rcpo   cp     cp     -
knowledge.eventcluster       rcpo   -      cp     -
knowledge.fetchrun           rcpo   -      -      -
knowledge.heldvalue          rcpo   -      -      -
knowledge.market             rcpo   o      o      o
knowledge.marketcandidate    rcpo   -      -      -
knowledge.mention            rcpo   -      -      -
knowledge.observation        rcpo   -      -      -
knowledge.persona            rcpo   cp     cp     p
knowledge.personapost        rcpo   cp     cp     cp
knowledge.possiblemerge      rcpo   -      cp     -
knowledge.premium            rcpo   -      -      -
knowledge.pulse              rcpo   -      p      -
knowledge.relation           rcpo   cp     cp     -
knowledge.series             rcpo   o      o      o
knowledge.seriesinput        rcpo   o      o      o
knowledge.source             rcpo   o      o      o
knowledge.topic              rcpo   cp     cp     -
knowledge.unit               rcpo   cp     cp     -
knowledge.unitmerge          rcpo   -      -      -
otp_totp.totpdevice          o      -      -      -
""".strip().splitlines(),
    )
}


def granted(group: str, action: str, label: str) -> bool:
    return group[0] in MATRIX[label][action]


def test_every_model_of_the_desk_is_in_the_matrix() -> None:
    assert {*MATRIX, "knowledge.creator"} == set(MODELS)  # a creator goes by the permissions of units


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize("action", ["view", *ACTIONS])
def test_a_member_holds_what_the_matrix_grants_and_nothing_else(name: str, action: str) -> None:
    one = member(name)
    held = {label for label in MATRIX if one.has_perm(label.replace(".", f".{action}_"))}
    assert held == {label for label in MATRIX if granted(name, action, label)}


@pytest.mark.parametrize("name", GROUPS)
def test_every_list_opens_for_whom_the_table_grants_a_look_and_for_nobody_else(name: str) -> None:
    client = signed_in(name)
    for label in MODELS:
        if label == "knowledge.creator":  # goes by the permissions of units
            continue
        answer = client.get(reverse(f"admin:{label.replace('.', '_')}_changelist"))
        assert answer.status_code == (OPEN if granted(name, "view", label) else CLOSED), label


@pytest.mark.parametrize("name", GROUPS)
def test_no_group_may_add_change_or_delete_beyond_the_table(name: str) -> None:
    request: Any = RequestFactory().get("/admin/")
    request.user = member(name)
    for model, page in admin.site._registry.items():
        if model._meta.label_lower == "knowledge.creator":
            continue
        for action in ACTIONS:
            allowed = getattr(page, f"has_{action}_permission")(request)
            assert not allowed or granted(name, action, model._meta.label_lower), (model, action)


@pytest.mark.parametrize("name", GROUPS)
def test_the_forms_for_new_rows_open_by_the_table(name: str) -> None:
    client = signed_in(name)
    may_add = {"knowledge.topic", "knowledge.alias", "knowledge.persona", "ask.seedquestion"}
    for label in sorted(may_add | {"auth.user", "auth.group", "knowledge.eventcluster", "ask.answer"}):
        answer = client.get(reverse(f"admin:{label.replace('.', '_')}_add"))
        wanted = label in may_add and granted(name, "add", label)
        assert answer.status_code == (OPEN if wanted else CLOSED), label


DECIDES = {
    "knowledge.publish_unit": {"publisher"},
    "knowledge.merge_unit": {"publisher"},
    "knowledge.decide_candidate": {"curator", "publisher"},
    "knowledge.import_unit": {"publisher"},
    "knowledge.export_unit": {"curator", "publisher"},
    "knowledge.run_source": {"operator"},
    "ask.accept_answer": {"publisher"},
    "ask.hide_answer": {"publisher"},
    "archive.test_service": {"operator"},
}


@pytest.mark.parametrize(("decision", "groups"), DECIDES.items())
def test_each_decision_is_its_groups(decision: str, groups: set[str]) -> None:
    assert {name for name in GROUPS if member(name).has_perm(decision)} == groups


def test_every_decision_is_in_the_matrix_above() -> None:
    assert set(DECISIONS) == set(DECIDES)


@pytest.mark.parametrize("name", GROUPS)
def test_actions_are_offered_to_whom_the_decision_is_given(name: str) -> None:
    client = signed_in(name)
    offered = {
        "knowledge_entity": ("publish", "knowledge.publish_unit"),
        "knowledge_eventcluster": ("reject", "knowledge.decide_candidate"),
        "ask_answer": ("hide", "ask.hide_answer"),
        "axes_accessattempt": ("lift", "axes.delete_accessattempt"),
    }
    for page, (action, power) in offered.items():
        answer = client.get(reverse(f"admin:{page}_changelist"))
        if answer.status_code == CLOSED:
            assert power not in GROUPS[name]
            continue
        form = answer.context.get("action_form")
        names = {value for value, _label in form.fields["action"].choices} if form else set()
        if answer.context["cl"].result_count == 0:
            page_admin = answer.context["cl"].model_admin
            names = set(page_admin.get_actions(answer.wsgi_request))
        matching = {each for each in names if action in each}
        assert bool(matching) == (power in GROUPS[name]), (page, names)


@pytest.mark.parametrize("name", ["reader", "curator", "operator"])
def test_a_plain_change_publishes_nothing(name: str) -> None:
    topic = Topic.objects.create(prefix="topic", type="topic", slug="shade", label="그늘")
    client = signed_in(name)
    page = reverse("admin:knowledge_topic_change", args=[topic.pk])
    client.post(page, {"label": "볕", "status": Status.PUBLISHED, "summary": "", "_save": "1"})
    topic.refresh_from_db()
    assert topic.status == Status.DRAFT


def test_without_a_group_an_account_opens_nothing() -> None:
    client = Client()
    client.force_login(User.objects.create_user("nobody", is_staff=True))
    for label in MODELS:
        assert client.get(reverse(f"admin:{label.replace('.', '_')}_changelist")).status_code == CLOSED, label


def test_readers_of_the_public_site_do_not_get_in() -> None:
    client = Client()
    client.force_login(User.objects.create_user("somebody"))
    assert client.get(reverse("admin:index")).status_code == 302


# Each page where something is decided, as (method, page, arguments), and who may open it.
DECISION_PAGES = {
    ("get", "knowledge_topic_status", "topic", "published"): {"publisher"},
    ("get", "knowledge_topic_merge", "topic"): {"publisher"},
    ("get", "knowledge_topic_split", "topic"): {"publisher"},
    ("get", "knowledge_topic_import"): {"publisher"},
    ("get", "knowledge_topic_export"): {"curator", "publisher"},
    ("get", "knowledge_alias_import"): {"publisher"},
    ("get", "knowledge_alias_collisions"): {"reader", "curator", "publisher", "operator"},
    ("get", "knowledge_source_delete_documents", "source"): {"operator"},
    ("post", "knowledge_source_pause", "source"): {"operator"},
    ("post", "knowledge_source_resume", "source"): {"operator"},
    ("post", "knowledge_source_run", "source"): {"operator"},
}


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize("page", DECISION_PAGES)
def test_a_page_of_decisions_opens_for_its_groups_only(name: str, page: tuple[str, ...]) -> None:
    rows = {
        "topic": Topic.objects.create(type="topic", slug="shade", label="그늘").pk,
        "source": Source.objects.create(
            slug="paper", name="신문", kind="news", adapter="rss", url="https://p.example/"
        ).pk,
    }
    method, view, *arguments = page
    client = signed_in(name)
    address = reverse(f"admin:{view}", args=[rows.get(argument, argument) for argument in arguments])
    answer = getattr(client, method)(address)
    done = 302 if method == "post" else OPEN
    assert answer.status_code == (done if name in DECISION_PAGES[page] else CLOSED)


@pytest.mark.parametrize("name", ["reader", "curator", "publisher"])
def test_a_sister_service_is_tested_by_operators_only(name: str) -> None:
    service = six_services()["market"]
    address = reverse("admin:archive_sisterservice_test", args=[service.pk])
    assert signed_in(name).post(address).status_code == CLOSED


def test_a_refusal_says_what_to_do_next() -> None:
    page = signed_in("reader").get(reverse("admin:knowledge_topic_import")).content.decode()
    assert "이 계정에는 권한이 없습니다" in page
    assert 'href="/admin/"' in page
