"""What the city's pages say of a day, in the language of the page.

The evening's writers write Korean whatever page is read (``day_facts``); here their words are translated for readers.
"""

from calendar import day_name, month_name
from datetime import date

from django.utils.translation import gettext, pgettext_lazy

from archive.day_facts import CONDITIONS_KO, MOODS_KO, STATUSES_KO, degrees
from archive.days import korean
from knowledge.languages import ENGLISH, current_language

# From Sunday on, as Korean calendars have them.
WEEKDAYS = (
    pgettext_lazy("weekday", "일"),
    pgettext_lazy("weekday", "월"),
    pgettext_lazy("weekday", "화"),
    pgettext_lazy("weekday", "수"),
    pgettext_lazy("weekday", "목"),
    pgettext_lazy("weekday", "금"),
    pgettext_lazy("weekday", "토"),
)


def in_words(day: date) -> str:
    """``2026년 11월 20일 금요일``, ``Friday 20 November 2026``."""
    if current_language() == ENGLISH:
        return f"{day_name[day.weekday()]} {day.day} {month_name[day.month]} {day.year}"
    return korean(day)


def month_in_words(year: int, month: int) -> str:
    return f"{month_name[month]} {year}" if current_language() == ENGLISH else f"{year}년 {month}월"


def condition_of(name: str) -> str:
    return gettext(CONDITIONS_KO[name])


def mood_of(name: str) -> str:
    return gettext(MOODS_KO[name])


def status_of_district(name: str) -> str:
    return gettext(STATUSES_KO[name])


def temperature(number: int) -> str:
    return f"{number} °C".replace("-", "−") if current_language() == ENGLISH else degrees(number)
