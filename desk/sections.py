"""The order of the desk: what waits for a decision first, what machines wrote last."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Section(NamedTuple):
    """A heading of the list of models, with ``app_label.ModelName`` in the order they stand under it."""

    name: str
    title: Promise
    models: tuple[str, ...]


SECTIONS = (
    Section(
        "decisions",
        _("결정을 기다리는 것"),
        (
            "knowledge.EventCluster",
            "knowledge.PossibleMerge",
            "knowledge.Mention",
            "knowledge.HeldValue",
            "knowledge.MarketCandidate",
            "ask.Answer",
            "knowledge.Creator",
            "knowledge.PersonaPost",
        ),
    ),
    Section(
        "canon",
        _("정본"),
        (
            "knowledge.Unit",
            "knowledge.Entity",
            "knowledge.Topic",
            "knowledge.Event",
            "knowledge.Alias",
            "knowledge.EventUnit",
            "knowledge.Relation",
            "knowledge.UnitMerge",
        ),
    ),
    Section(
        "questions",
        _("질문과 페르소나"),
        ("ask.SeedQuestion", "knowledge.Persona", "ask.CitationAudit", "ask.AuditedQuery"),
    ),
    Section(
        "documents",
        _("출처와 문서"),
        ("knowledge.Source", "knowledge.FetchRun", "knowledge.Document", "knowledge.ClusterDocument"),
    ),
    Section(
        "numbers",
        _("펄스와 수치"),
        (
            "knowledge.Pulse",
            "knowledge.Premium",
            "knowledge.Market",
            "knowledge.Candle",
            "knowledge.Series",
            "knowledge.SeriesInput",
            "knowledge.Observation",
        ),
    ),
    Section(
        "city",
        _("도시"),
        ("archive.SisterService", "archive.Signal", "archive.Snapshot", "archive.Sealing"),
    ),
    Section(
        "operation",
        _("비용과 계정"),
        (
            "ask.SpendDay",
            "ask.ModelCall",
            "ask.SwitchedOffModel",
            "auth.User",
            "auth.Group",
            "otp_totp.TOTPDevice",
            "axes.AccessAttempt",
        ),
    ),
)
# Names for models of packages that know no Korean.
NAMES = {"otp_totp.TOTPDevice": _("2단계 인증"), "axes.AccessAttempt": _("로그인 잠금")}
OTHERS = Section("others", _("그 밖"), ())


def arranged(apps: Iterable[Any]) -> list[Any]:
    """Django's list of apps as sections; a model that no section names stands in the last one."""
    found = {each["model"]._meta.label: each for app in apps for each in app["models"]}
    for label, name in NAMES.items():
        if label in found:
            found[label] = {**found[label], "name": name}
    listed = [
        (section, [found.pop(name) for name in section.models if name in found]) for section in SECTIONS
    ]
    listed.append((OTHERS, list(found.values())))
    return [_as_app(section, models) for section, models in listed if models]


def _as_app(section: Section, models: list[Any]) -> dict[str, Any]:
    return {
        "name": section.title,
        "app_label": section.name,
        "app_url": f"{reverse('admin:index')}#{section.name}",
        "has_module_perms": True,
        "models": models,
    }
