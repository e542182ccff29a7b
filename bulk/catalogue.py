"""What the lists of all nights say together: ``GET /api/bulk``, and where every other read looks a file up.

Each process keeps the lists that it has read, which never change, and looks for new ones every few seconds: nothing
here asks the database.
"""

import logging
import threading
import time
from dataclasses import dataclass
from datetime import date, datetime

import orjson

from bulk import shelf
from bulk.errors import BulkUnreadable
from bulk.files import NAMES
from bulk.nights import due_at, due_day, missed
from knowledge.licence import LICENCE
from knowledge.publications import StoredBody
from knowledge.publications.bodies import ready_body
from knowledge.times import iso_kst

logger = logging.getLogger(__name__)

LOOK_EVERY_SECONDS = 5.0
MISSED = "Nothing was written on this night."


@dataclass(frozen=True)
class Nights:
    """The listed nights, newest first."""

    lists: dict[date, shelf.NightList]

    def item(self, day: date, name: str) -> shelf.BulkItem | None:
        night = self.lists.get(day)
        items = night["items"] if night else []
        return next((item for item in items if item["name"] == name), None)

    def gaps(self, now: datetime) -> list[shelf.BulkGap]:
        """What the nights leave out, and the nights that were missed, newest first."""
        found = [gap for night in self.lists.values() for gap in night["gaps"]]
        for day in missed(list(self.lists), now):
            found += [shelf.BulkGap(name=name, date=day.isoformat(), reason=MISSED) for name in NAMES]
        return sorted(found, key=lambda gap: gap["date"], reverse=True)

    def body(self, now: datetime) -> StoredBody:
        """The list, dated by what it says last."""
        items = [item for night in self.lists.values() for item in night["items"]]
        gaps = self.gaps(now)
        told = [datetime.fromisoformat(item["writtenAt"]) for item in items[:1]]
        told += [due_at(date.fromisoformat(gap["date"])) for gap in gaps[:1]]
        built_at = max(told, default=due_at(due_day(now)))
        said = {
            "count": len(items),
            "licence": LICENCE,
            "generated_at": iso_kst(built_at),
            "items": items,
            "gaps": gaps,
        }
        return ready_body(orjson.dumps(said), content_type="application/json", built_at=built_at)


class Catalogue:
    """The nights as this process last saw them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.forget()

    def forget(self) -> None:
        """Look again when next asked."""
        self._nights = Nights({})
        self._looked_at = -LOOK_EVERY_SECONDS
        self._body: tuple[Nights, tuple[date, ...], StoredBody] | None = None

    def nights(self) -> Nights:
        """Raises BulkUnreadable where the storage does not answer, unless lists are known from before."""
        with self._lock:
            if time.monotonic() - self._looked_at >= LOOK_EVERY_SECONDS:
                self._look()
            return self._nights

    def body(self, now: datetime) -> StoredBody:
        """``GET /api/bulk`` at ``now``; raises BulkUnreadable."""
        nights = self.nights()
        missing = tuple(missed(list(nights.lists), now))
        known = self._body
        if known is None or known[0] is not nights or known[1] != missing:
            known = self._body = nights, missing, nights.body(now)
        return known[2]

    def _look(self) -> None:
        known = self._nights.lists
        try:
            days = shelf.listed_days()
            lists = {day: known.get(day) or shelf.read_list(day) for day in days}
        except OSError as error:
            logger.error("the lists of bulk files cannot be read: %s", error)
            if not known:
                raise BulkUnreadable from error
        else:
            if lists.keys() != known.keys():
                self._nights = Nights(lists)
        self._looked_at = time.monotonic()


catalogue = Catalogue()
