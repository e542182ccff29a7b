"""The first page: what this is, a few numbers, what happened today and last night, and questions to begin with."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from archive import queries as archive
from archive.days import yesterday
from archive.errors import DayUnreadable
from archive.published import SCOPES as OF_DAYS
from archive.views import day_context
from ask.models import SeedQuestion
from feeds.pulse_list import pulse_records
from knowledge.ingestion.health.troubles import is_offline
from knowledge.languages import current_language
from knowledge.models import Document, Unit
from knowledge.publications import index_scope, keep, revalidated
from knowledge.publications.hearing import DOCUMENTS
from knowledge.publications.indexes import PULSES
from knowledge.publications.keeping import UNTOLD_SECONDS
from knowledge.queries.listings import newest_events
from knowledge.queries.numbers import SCOPES as OF_NUMBERS
from knowledge.queries.numbers import STRIP, few_numbers
from knowledge.queries.pulse_groups import PulseGroup, grouped_pulses
from knowledge.queries.stories import Story, newest_stories
from knowledge.search.sentences import split_sentences

SCOPES = frozenset({"answer", "event", DOCUMENTS, index_scope(PULSES.name)}) | OF_NUMBERS | OF_DAYS
NEW_HOURS = 24
STORIES_SHOWN = 5
PULSES_SHOWN = 3
EVENTS_SHOWN = 5
SEEDS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class NewRow:
    """One thing of the last day, the one of the three that it is."""

    at: datetime
    event: Unit | None = None
    pulses: PulseGroup | None = None
    story: Story[Document] | None = None

    @property
    def is_of_today(self) -> bool:
        """In Seoul."""
        return timezone.localdate(self.at) == timezone.localdate()

    @property
    def when(self) -> str:
        """``09:12``, or the day alone of what happened on a day; both in Seoul."""
        local, said = timezone.localtime(self.at), "" if self.is_of_today else _("어제")
        if self.event is not None and f"{local:%H:%M}" == "00:00":
            return said or _("오늘")
        return f"{said} {local:%H:%M}".lstrip()


@require_safe
def home(request: HttpRequest) -> HttpResponseBase:
    """What this is, a few numbers, what is new, the city of last night, and questions to begin with."""
    response = revalidated(request, _home(request, timezone.now()))
    return keep(request, response, scopes=SCOPES, seconds=UNTOLD_SECONDS, variant="")


def _home(request: HttpRequest, now: datetime) -> HttpResponse:
    numbers = few_numbers(STRIP, now=now)
    events = list(newest_events(EVENTS_SHOWN, until=now))
    rows = new_rows(events, now)
    context = {
        "numbers": numbers,
        "offline": is_offline(),
        "rows": rows,
        "is_of_today": any(row.is_of_today for row in rows),
        "events": [] if rows else events,
        "night": last_night(now),
        "seeds": SeedQuestion.objects.answered().filter(lang=current_language())[:SEEDS_SHOWN],
    }
    return render(request, "feeds/home.html", context)


def new_rows(events: Iterable[Unit], now: datetime) -> list[NewRow]:
    """Those of the events that are of today or yesterday, then pulses and stories of the last day, the newest first."""
    today = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    pulses = grouped_pulses(pulse_records(NEW_HOURS, now))[:PULSES_SHOWN]
    stories = newest_stories(STORIES_SHOWN, since=now - timedelta(hours=NEW_HOURS), now=now)
    happened = [NewRow(event.occurred_at, event=event) for event in events if event.occurred_at]
    news = [
        *(NewRow(datetime.fromisoformat(group.detected_at), pulses=group) for group in pulses),
        *(NewRow(story.first.published_at, story=story) for story in stories if story.first.published_at),
    ]
    return [
        *(row for row in happened if row.at >= today - timedelta(days=1)),
        *sorted(news, key=lambda row: row.at, reverse=True),
    ]


def last_night(now: datetime) -> Mapping[str, Any] | None:
    """The newest day of the city as its own page shows it, with the reflection's first sentence; None without one that
    can be read."""
    try:
        day = archive.latest()
    except DayUnreadable:
        return None
    if day is None:
        return None
    shown = day_context(day)
    sentence = split_sentences(shown["reflection"]["text"])[0].strip()
    return shown | {"sentence": sentence, "is_last": day.item.day == yesterday(now)}
