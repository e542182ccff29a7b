"""Why the public does not see a unit, and what uses it: for the unit's page in the admin."""

from typing import NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _

from knowledge.counting import count_of
from knowledge.models import (
    ClusterStatus,
    EventCluster,
    Market,
    Mention,
    PersonaPost,
    Pulse,
    Source,
    Status,
    Unit,
)
from knowledge.queries.sheets import sheet_of
from knowledge.signals import unit_uses


def shortcomings_of(unit: Unit) -> list[str]:
    """What would have to change for readers to find the unit, or something in it."""
    if (into := unit.merged_into) is not None:
        reasons = [_("%(unit)s에 병합되어, 주소는 그리로 이어집니다.") % {"unit": into}]
        return reasons if into.is_public else [*reasons, *shortcomings_of(into)]
    if unit.status == Status.DRAFT:
        return [_("초안입니다. 공개하기 전에는 어디에도 나오지 않습니다.")]
    if unit.status == Status.RETRACTED:
        return [_("철회했습니다. 주소는 410이고 어디에도 나오지 않습니다.")]
    if not sheet_of(unit).has_facts:
        return [_("공개했지만 이름뿐입니다. 요약을 쓰거나 문서가 모이면 읽을거리가 생깁니다.")]
    return []


class Use(NamedTuple):
    """Something that a unit is used by; ``kind`` is a key for whoever links to it."""

    kind: str
    name: str
    number: int


def uses_of(unit: Unit) -> tuple[list[Use], list[str]]:
    """Where a unit and those merged into it are used: counts here, and lines of the apps above."""
    family = list(Unit.objects.family(unit).values_list("pk", flat=True))
    events = Q(event_units__unit__in=family)
    posts = Q(units__in=family) | Q(persona__entity__in=family)
    waiting = EventCluster.objects.filter(status=ClusterStatus.PUBLISHED, event__in=family)
    counted = [
        Use("document", _("문서"), count_of(family).documents),
        Use("mention", _("언급"), Mention.objects.filter(unit__in=family).count()),
        Use("merged", _("병합된 항목"), len(family) - 1),
        Use("event", _("사건"), Unit.objects.filter(events).distinct().count()),
        Use("cluster", _("모인 사건 후보"), waiting.count()),
        Use("pulse", _("펄스"), Pulse.objects.filter(asset__in=family).count()),
        Use("market", _("시장"), Market.objects.filter(asset__in=family).count()),
        Use("source", _("자기 출처"), Source.objects.filter(creator__in=family).count()),
        Use("post", _("페르소나 글"), PersonaPost.objects.filter(posts).distinct().count()),
    ]
    lines = [str(line) for _receiver, line in unit_uses.send(Unit, unit=unit) if line]
    return [use for use in counted if use.number], lines
