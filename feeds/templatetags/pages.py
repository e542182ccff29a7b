"""Small things that every page says the same way."""

import logging
import re
from collections.abc import Sequence
from datetime import date, datetime
from urllib.parse import unquote

from django import template
from django.conf import settings
from django.db import Error
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from psycopg_pool import PoolTimeout

from ask.hashing import clean
from ask.models import Answer, AnswerVersion
from ask.related import ANSWER
from feeds import linked_data
from feeds.cards.shelf import GENERAL, shown_card
from feeds.texts import readable
from knowledge.languages import ENGLISH, current_language, english_path, korean_path, localised
from knowledge.licence import attribution
from knowledge.models import PREFIX_LABELS, PassageKind, Unit
from knowledge.particles import direction_particle
from knowledge.queries import names
from knowledge.queries.amounts import dated
from knowledge.queries.numbers import ShownNumber
from knowledge.queries.pulse_groups import signed_size
from knowledge.queries.sheets import UnitSheet
from knowledge.times import iso_kst

register = template.Library()
logger = logging.getLogger(__name__)
WORDS_MAX_LENGTH = 60
PATH_MAX_LENGTH = 100
HANGUL = re.compile("[가-힣]")

register.filter("one_line", clean)
register.filter(iso_kst)
register.filter(direction_particle)
register.filter(english_path)
register.filter(localised)
register.filter(attribution)
register.filter(readable)
register.filter("signed_move", signed_size)


@register.simple_tag
def share_card(page: str) -> str:
    """The address of the picture that a link to a page shows: a general one where the page has none, or while the
    database is away."""
    try:
        own = shown_card(page)
    except (Error, PoolTimeout) as error:
        logger.warning("no card of its own: %s", type(error).__name__)
        own = ""
    return f"{settings.BASE_URL}{own or static(GENERAL)}"


@register.simple_tag
def unit_linked_data(sheet: UnitSheet, numbers: Sequence[ShownNumber] = ()) -> SafeString:
    return linked_data.script(*linked_data.unit_page(sheet, numbers))


@register.simple_tag
def listing_linked_data(units: Sequence[Unit], path: str, name: str) -> SafeString:
    return linked_data.script(linked_data.item_list(units, path, name))


@register.simple_tag
def answer_linked_data(answer: Answer, version: AnswerVersion) -> SafeString:
    return linked_data.script(*linked_data.answer_page(answer, version))


@register.simple_tag
def website_linked_data() -> SafeString:
    return linked_data.script(linked_data.website())


@register.simple_tag
def day_path(day: date | str) -> str:
    """The address of a day of the city, in the language of the page."""
    return localised(f"/city/{day}")


@register.filter
def korean_marked(text: object) -> SafeString:
    """A text in its own language: what is Korean on an English page says so, for voices, fonts and translators."""
    marked = current_language() == ENGLISH and HANGUL.search(str(text))
    return format_html('<span lang="ko">{}</span>', text) if marked else format_html("{}", text)


@register.filter
def without_marks(body: str) -> str:
    """The text of an answer without the numbers of its sources."""
    return linked_data.plain_answer(body)


@register.filter
def page_kind(kind: str) -> str:
    """What readers call a kind of page; English answers and the public JSON have the same words."""
    if current_language() == ENGLISH:
        return kind
    return "답변" if kind == ANSWER else str(PREFIX_LABELS.get(kind, kind))


@register.filter
def minute(moment: datetime | str | None) -> str:
    """``2026-11-21 12:00 KST`` in the service's own time zone, from a moment or its RFC 3339 form."""
    if not moment:
        return ""
    parsed = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return timezone.localtime(parsed).strftime("%Y-%m-%d %H:%M KST")


@register.filter
def day(moment: datetime | str | None) -> str:
    """``2026-11-21`` in the service's own time zone."""
    return minute(moment)[:10]


@register.filter
def date_words(moment: datetime | str) -> str:
    """``2026년 11월 21일`` in the language of the page."""
    parsed = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return dated(timezone.localtime(parsed).date(), current_language())


@register.filter
def signed(number: float) -> str:
    """A percentage with its sign: ``+12.3%``."""
    return f"{number:+.1f}%".replace("-", "−")


@register.filter
def grouped(number: int) -> str:
    """A count as ``1,234``."""
    return f"{number:,}"


@register.simple_tag
def words_of_path(path: str) -> str:
    """What the last part of an address seems to be about, as words to search for."""
    last = unquote(path.rstrip("/").rsplit("/", 1)[-1]).rsplit(".", 1)[0]
    return clean(last.replace("-", " ").replace("_", " "))[:WORDS_MAX_LENGTH]


@register.simple_tag
def nearest_units(path: str) -> list[Unit]:
    """Public units near an address. A page about an error must not become one, so a lost database means none."""
    try:
        return names.nearest_units(korean_path(unquote(path))[:PATH_MAX_LENGTH])
    except (Error, PoolTimeout) as error:
        logger.warning("no suggestions: %s", type(error).__name__)
        return []


@register.filter
def kind_name(kind: str) -> str:
    """What readers call a kind of search result."""
    return str(PassageKind(kind).label) if kind in PassageKind.values else kind


@register.filter
def ticks(text: str) -> SafeString:
    """Our own prose with `code` in backticks, as HTML."""
    parts = enumerate(text.split("`"))
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", part) if odd % 2 else part,) for odd, part in parts)
    )
