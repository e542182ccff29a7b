"""Pages of numbers: the value, how it moved, and its line."""

import re
from collections.abc import Collection
from datetime import datetime

from django.utils.translation import pgettext

from feeds.cards.content import SERIES, Card
from feeds.cards.subjects.figures import stated
from feeds.cards.subjects.meeting import UNKNOWN, Meeting
from knowledge.models import Series
from knowledge.queries.numbers import SCOPES, ShownNumber
from knowledge.queries.series import named
from knowledge.series.values import figures_of

PATH = re.compile(r"/number/(?P<slug>[a-z0-9-]+)", re.ASCII)


def paths() -> list[str]:
    rows = Series.objects.public().order_by("-holder__document_count", "slug")
    return [row.get_absolute_url() for row in rows]


def cards(paths: Collection[str], now: datetime) -> dict[str, Card]:
    """Of those that have been measured."""
    rows = Series.objects.public().select_related("holder__merged_into")
    wanted = rows.filter(slug__in=[path.rpartition("/")[2] for path in paths])
    numbers = [ShownNumber(each, now) for each in figures_of(wanted, now=now) if each.latest]
    return {number.series.get_absolute_url(): _card(number) for number in numbers}


def _card(number: ShownNumber) -> Card:
    kicker = pgettext("list", "숫자")
    picture = f"{SERIES}:{number.series.slug}"
    return Card(number.label, picture, kicker=kicker, **stated(number, named=number.label))


def at(path: str) -> Meeting:
    series = named(path.rpartition("/")[2])
    return Meeting(series.public_status if series else UNKNOWN, SCOPES)
