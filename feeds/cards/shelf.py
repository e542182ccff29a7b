"""The cards that are kept, and which one a page shows.

The worker looks at all pages in turn and draws those anew on which something else would stand. However much changes, it
draws for a few seconds a minute, one process at a time.
"""

import logging
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import islice

from django.conf import settings
from django.db.models import F, Q

from archive.lock import held
from archive.models import Snapshot
from feeds.cards import scene
from feeds.cards.content import DAY, SERIES, Card
from feeds.cards.painting import Backdrop, drawn_with, painted
from feeds.cards.subjects import cards_of, every_page
from feeds.charts import number_chart_of
from feeds.models import PAGE_MAX_LENGTH, ShareCard
from knowledge.languages import ENGLISH, english_path, korean_path, language_of_path
from knowledge.publications.bodies import etag_of
from knowledge.queries.numbers import number_of

logger = logging.getLogger(__name__)

CARDS_LOCK = 0x63617264  # "card": a key of this database's advisory locks
CARDS_MAX = 20_000  # pages; the rest show the card of their list
LOOK_AGAIN = timedelta(minutes=5)
LOOKED_AT_ONCE = 100
DRAWING_SECONDS = 20.0  # of each run, which is a minute's
ADDRESS = "/card{}.png"
GENERAL = "card.png"  # of ``static/``: what a page shows while neither it nor its list has a card
_INDEX = "index"
# The list that a page stands in, by the beginning of its path; its card is shown where the page has none of its own.
_LISTS = {"/number/": "/numbers", "/ask/q/": "/ask"}


def address_of(page: str) -> str:
    """Where the card of a page is handed out."""
    return ADDRESS.format(f"{page}{_INDEX}" if page.endswith("/") else page)


def page_of(name: str) -> str:
    """The page whose card is handed out at ``/card/<name>.png``."""
    page = f"/{name}"
    return page.removesuffix(_INDEX) if page.endswith(f"/{_INDEX}") else page


def shown_card(page: str) -> str:
    """The address of the picture that a link to a page shows: its own, else its list's, else that of home.

    Empty where none is there. It names the picture's version: messengers keep what they once fetched from an address.
    """
    pages = (page, _list_of(page), _home_of(page))
    rows = dict(ShareCard.objects.filter(page__in=pages).exclude(etag="").values_list("page", "etag"))
    found = next((each for each in pages if each in rows), None)
    return f"{address_of(found)}?v={rows[found][:12]}" if found else ""


def _home_of(page: str) -> str:
    return english_path("/") if language_of_path(page) == ENGLISH else "/"


def _list_of(page: str) -> str:
    korean = korean_path(page)
    above = next((each for begins, each in _LISTS.items() if korean.startswith(begins)), "")
    above = above or korean.rpartition("/")[0] or "/"
    return above if korean == page else english_path(above)


def draw_due(*, now: datetime, seconds: float = DRAWING_SECONDS) -> int:
    """Draw the cards of pages that changed, for so long at most; gives how many were drawn.

    Nothing is done here while another process is at it.
    """
    with held(CARDS_LOCK, "madang cards", 0) as ours:
        if not ours:
            return 0
        _settle()
        return _draw(now, time.monotonic() + seconds)


def _settle() -> None:
    """A row for each page that wants a card, and none for others: what was withdrawn is not kept."""
    wanted = [page for page in islice(every_page(), CARDS_MAX) if len(page) <= PAGE_MAX_LENGTH]
    known, public = set(ShareCard.objects.values_list("page", flat=True)), set(wanted)
    ShareCard.objects.filter(page__in=known - public).delete()
    missing = [ShareCard(page=page) for page in wanted if page not in known]
    ShareCard.objects.bulk_create(missing, ignore_conflicts=True)


def _draw(now: datetime, until: float) -> int:
    drawn, made_with = 0, drawn_with()
    while time.monotonic() < until and (rows := _due(now)):
        cards = cards_of([row.page for row in rows], now)
        looked_at: list[int] = []
        for row in rows:
            card = cards.get(row.page)
            digest = card.digest(made_with) if card else ""
            if digest != row.digest:
                if time.monotonic() >= until:
                    break  # the next run begins with it
                _keep(row, card, digest, now)
                drawn += 1
            looked_at.append(row.pk)
        ShareCard.objects.filter(pk__in=looked_at).update(looked_at=now)
    return drawn


def _due(now: datetime) -> Sequence[ShareCard]:
    """The rows that nobody has looked at for longest, in the order of their pages where nobody has at all."""
    rows = ShareCard.objects.defer("picture").filter(Q(looked_at=None) | Q(looked_at__lte=now - LOOK_AGAIN))
    return list(rows.order_by(F("looked_at").asc(nulls_first=True), "pk")[:LOOKED_AT_ONCE])


def _keep(row: ShareCard, card: Card | None, digest: str, now: datetime) -> None:
    """Draw a card and keep it. One that cannot be drawn keeps no other from it, and is tried again when it changes."""
    picture = b""
    try:
        picture = painted(card, backdrop_of(card, now), address=_said_address(row.page)) if card else b""
    except Exception:
        logger.exception("the card of %s could not be drawn", row.page)
    etag = etag_of(picture) if picture else ""
    ShareCard.objects.filter(pk=row.pk).update(picture=picture, etag=etag, digest=digest, drawn_at=now)


def backdrop_of(card: Card, now: datetime) -> Backdrop:
    """What is drawn behind the words of a card."""
    kind, _colon, name = card.picture.partition(":")
    if kind == SERIES:
        number = number_of(name, now=now)
        chart = number_chart_of(number, rows=0) if number else None
        return Backdrop(scene.invented(card.picture), line=chart.line if chart else "")
    if kind == DAY:
        row = Snapshot.objects.published().filter(day=name.partition(":")[0]).first()
        if row is not None:
            return Backdrop(row.facts["state"], day=row.day)
    return Backdrop(scene.invented(card.picture))


def _said_address(page: str) -> str:
    """Without its scheme, as people write it."""
    base = settings.CITY_URL if korean_path(page).startswith("/city") else settings.BASE_URL
    return f"{base.partition('://')[2]}{page}".rstrip("/")
