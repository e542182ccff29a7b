"""Days of the city: the skyline, the date, the weather and the mood."""

import re
from collections.abc import Collection
from datetime import datetime
from http import HTTPStatus

from django.utils.translation import gettext

from archive.day_facts import CONDITIONS_KO, MOODS_KO
from archive.days import parse_day
from archive.models import Snapshot
from archive.published import SCOPES, calendars
from feeds.cards.content import DAY, Card, joined
from feeds.cards.subjects.meeting import UNKNOWN, Meeting
from knowledge.languages import ENGLISH, current_language
from knowledge.queries.amounts import measured

PATH = re.compile(r"/city/(?P<day>\d{4}-\d{2}-\d{2})", re.ASCII)


def paths() -> list[str]:
    return [f"/city/{day.isoformat()}" for day in Snapshot.objects.published().values_list("day", flat=True)]


def cards(paths: Collection[str], now: datetime) -> dict[str, Card]:
    wanted = [parse_day(path.rpartition("/")[2]) for path in paths]
    rows = Snapshot.objects.published().filter(day__in=[day for day in wanted if day])
    return {row.get_absolute_url(): _card(row) for row in rows}


def _card(row: Snapshot) -> Card:
    city = row.facts["state"]["city"]
    condition, mood = city["weather"]["condition"], city["mood"]["label"]
    if current_language() == ENGLISH:
        felt = joined(condition.capitalize(), f"Mood: {mood}")
    else:
        felt = joined(CONDITIONS_KO[condition], f"기분 {MOODS_KO[mood]}")
    rehearsed = gettext("예행 기록") if row.rehearsal else ""
    title = measured(row.sealed_at, row.day.isoformat(), current_language())
    return Card(title, picture_of(row), kicker=joined(gettext("가상 도시"), rehearsed), sentence=felt)


def picture_of(row: Snapshot) -> str:
    return f"{DAY}:{row.day.isoformat()}:{row.revision}"


def at(path: str) -> Meeting:
    day = parse_day(path.rpartition("/")[2])
    return Meeting(HTTPStatus.OK if day in calendars.get().by_day else UNKNOWN, SCOPES)
