"""Pages of units: the name with its number, or else with the first sentence about it."""

import re
from collections.abc import Collection
from datetime import datetime
from http import HTTPStatus

from django.utils import timezone

from feeds.cards.content import CITY, SERIES, Card, joined
from feeds.cards.subjects.figures import stated
from feeds.cards.subjects.meeting import UNKNOWN, Meeting
from knowledge.languages import ENGLISH, current_language
from knowledge.models import AI_PERSONA, PREFIXES, Unit, UnitType
from knowledge.queries.amounts import measured
from knowledge.queries.numbers import ShownNumber
from knowledge.queries.series import series_by_unit
from knowledge.search.sentences import split_sentences
from knowledge.series.values import figures_of

PATH = re.compile(rf"/(?:{'|'.join(PREFIXES)})/[a-z0-9-]+", re.ASCII)
SCOPES = frozenset({"entity", "topic", "event"})


def paths() -> list[str]:
    rows = Unit.objects.published().order_by("-document_count", "-video_count", "-occurred_at", "pk")
    return [f"/{prefix}/{slug}" for prefix, slug in rows.values_list("prefix", "slug")]


def cards(paths: Collection[str], now: datetime) -> dict[str, Card]:
    """In English only of units that have a title in it."""
    rows = Unit.objects.published().filter(slug__in={path.rpartition("/")[2] for path in paths})
    if current_language() == ENGLISH:
        rows = rows.exclude(label_en="")
    wanted = set(paths)
    units = [unit for unit in rows.select_related("persona") if unit.get_absolute_url() in wanted]
    shown = series_by_unit([unit.pk for unit in units])
    headlines = {pk: series[0] for pk, series in shown.items() if series}
    figures = dict(zip(headlines, figures_of(headlines.values(), now=now), strict=True))
    numbers = {pk: ShownNumber(each, now) for pk, each in figures.items() if each.latest}
    return {unit.get_absolute_url(): _card(unit, numbers.get(unit.pk)) for unit in units}


def _card(unit: Unit, number: ShownNumber | None) -> Card:
    title, kicker = unit.shown_label, joined(_kind(unit), unit.symbol)
    if number is not None:
        picture = f"{SERIES}:{number.series.slug}"
        return Card(title, picture, kicker=kicker, **stated(number, named=title))
    picture = f"{CITY}:{unit.public_id}"
    return Card(title, picture, kicker=kicker, sentence=_first_sentence(unit))


def _kind(unit: Unit) -> str:
    """Its type; of an AI persona that it is one, of an event the day."""
    if persona := getattr(unit, "persona", None):
        return f"{persona.glyph} {AI_PERSONA}"
    kind = str(unit.get_type_display())
    if unit.type != UnitType.EVENT or unit.occurred_at is None:
        return kind
    day = timezone.localtime(unit.occurred_at).date().isoformat()
    return joined(kind, measured(unit.occurred_at, day, current_language()))


def _first_sentence(unit: Unit) -> str:
    english = current_language() == ENGLISH
    sentences = split_sentences(unit.summary_en if english else unit.summary, current_language())
    return sentences[0].strip() if sentences else ""


def at(path: str) -> Meeting:
    unit = Unit.objects.find(path.strip("/").replace("/", ":"))
    if unit is None:
        return Meeting(UNKNOWN, SCOPES)
    status = unit.public_status
    moved = unit.survivor.get_absolute_url() if status is HTTPStatus.PERMANENT_REDIRECT else ""
    return Meeting(status, SCOPES, moved)
