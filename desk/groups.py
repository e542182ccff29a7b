"""Four groups of editors, said once: who may do what.

``keep_in_step`` makes the database agree after every migrate: what is added to one of the four by hand goes, and
groups of other names are left alone. Each group holds all that it may do, so an editor needs one group, and two for
the work of two.
"""

from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import transaction

# What editors look after, and what machines wrote for them to judge.
UNITS = ("knowledge.unit", "knowledge.entity", "knowledge.topic", "knowledge.event")
DRAFTED = (
    *UNITS,
    "knowledge.alias",
    "knowledge.eventunit",
    "knowledge.relation",
    "knowledge.persona",
    "knowledge.personapost",
)
SEEDS = ("ask.seedquestion",)
CANDIDATES = ("knowledge.eventcluster", "knowledge.clusterdocument", "knowledge.possiblemerge")
JUDGED = (
    *("knowledge.unitmerge", "knowledge.mention", "knowledge.heldvalue", "knowledge.marketcandidate"),
    *("knowledge.pulse", "ask.answer", "ask.answerversion"),
)
NUMBERS = (
    "knowledge.series",
    "knowledge.seriesinput",
    "knowledge.observation",
    "knowledge.market",
    "knowledge.candle",
    "knowledge.premium",
)
INTAKE = ("knowledge.source", "knowledge.fetchrun", "knowledge.document")
AUDITS = ("ask.citationaudit", "ask.auditedquery", "ask.spendday")
CITY = ("archive.sisterservice", "archive.signal", "archive.snapshot", "archive.sealing")
BOOKS = ("ask.modelcall", "ask.reservation", "ask.switchedoffmodel", "ask.flight")
ACCOUNTS = ("auth.user", "auth.group", "otp_totp.totpdevice", "axes.accessattempt")

# Decisions that are more than a change of a row: the model each belongs to, and its name in lists of permissions.
DECISIONS = {
    "knowledge.publish_unit": ("knowledge.unit", "항목을 공개하고 철회"),
    "knowledge.merge_unit": ("knowledge.unit", "항목을 병합하고 나누고 되돌리기"),
    "knowledge.decide_candidate": ("knowledge.unit", "사건 후보를 결정"),
    "knowledge.import_unit": ("knowledge.unit", "항목과 별칭 들여오기"),
    "knowledge.export_unit": ("knowledge.unit", "항목과 별칭 내보내기"),
    "knowledge.run_source": ("knowledge.unit", "출처를 지금 수집"),
    "ask.accept_answer": ("ask.answer", "만든 답변 승인"),
    "ask.hide_answer": ("ask.answer", "답변을 숨기고 다시 보이기"),
    "archive.test_service": ("archive.sisterservice", "자매 서비스를 시험"),
}


def may(actions: str, *models: str) -> frozenset[str]:
    """Permissions as Django writes them: ``may("view add", "knowledge.alias")``."""
    return frozenset(
        f"{app}.{action}_{name}"
        for app, _dot, name in (model.partition(".") for model in models)
        for action in actions.split()
    )


READER = may("view", *DRAFTED, *SEEDS, *CANDIDATES, *JUDGED, *NUMBERS, *INTAKE, *AUDITS, *CITY)
CURATOR = (
    READER
    | may("add change", *DRAFTED, *SEEDS)
    | may("delete", "knowledge.alias", "knowledge.eventunit", "knowledge.personapost")
    | may("change", *CANDIDATES)
    | {"knowledge.decide_candidate", "knowledge.export_unit"}
)
PUBLISHER = (
    CURATOR
    | may("change", "knowledge.document", "knowledge.pulse", "ask.answer")
    | may("delete", *SEEDS, "knowledge.persona")
    | {
        "knowledge.publish_unit",
        "knowledge.merge_unit",
        "knowledge.import_unit",
        "ask.accept_answer",
        "ask.hide_answer",
    }
)
OPERATOR = (
    READER
    | may("view", *BOOKS, *ACCOUNTS)
    | may(
        "add change delete",
        "knowledge.source",
        "knowledge.series",
        "knowledge.seriesinput",
        "knowledge.market",
    )
    | may("change", "archive.sisterservice")
    | may("delete", "axes.accessattempt")
    | {"knowledge.run_source", "archive.test_service"}
)
GROUPS = {"reader": READER, "curator": CURATOR, "publisher": PUBLISHER, "operator": OPERATOR}


@transaction.atomic
def keep_in_step(**_signal: Any) -> None:
    """Make the four groups hold what the table says, and nothing more."""
    for name, (model, title) in DECISIONS.items():
        _ensure(name, model, title)
    rows = {
        f"{permission.content_type.app_label}.{permission.codename}": permission
        for permission in Permission.objects.select_related("content_type")
    }
    for name, wanted in GROUPS.items():
        group, _created = Group.objects.get_or_create(name=name)
        group.permissions.set(_found(rows, wanted))


def _found(rows: dict[str, Permission], wanted: Iterable[str]) -> list[Permission]:
    """Permissions that are there; a migration to an older state may lack some of their models."""
    return [rows[name] for name in wanted if name in rows]


def _ensure(name: str, model: str, title: str) -> None:
    """A decision that its model's Meta declares is there already, made by Django before this runs."""
    app, _dot, codename = name.partition(".")
    if Permission.objects.filter(content_type__app_label=app, codename=codename).exists():
        return
    content_type = ContentType.objects.get_for_model(apps.get_model(model), for_concrete_model=False)
    Permission.objects.create(content_type=content_type, codename=codename, name=title)
