"""The aliases of the knowledge base as one linker a process, built again when they change."""

import logging
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Any

from django.db import connection
from django.db.models import Model, Prefetch, Q
from django.db.models.signals import post_delete, post_save

from knowledge.linking.automaton import AliasSpec
from knowledge.linking.linker import Linker
from knowledge.linking.names import Names
from knowledge.models import Alias, Status, Unit, UnitType
from knowledge.models.units import UnitQuerySet
from knowledge.postgres.base import release_connection

POLL_SECONDS = 1.0  # how late another process's change of aliases may be noticed
PATIENCE_SECONDS = 0.5  # a gazetteer that took longer to read is read beside the former one
UNITS_AT_ONCE = 2_000
_log = logging.getLogger(__name__)

# The stamps of the last changes of names, as triggers write them: no content is read. A number would not do: that of a
# change which was rolled back, after this process had seen it, would come again with another change.
_VERSION = "SELECT coalesce(string_agg(stamp::text, ' ' ORDER BY slot), '') FROM knowledge_vocabulary_stamp"


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """All linkable units: the linker over their keys, and what the public calls them."""

    linker: Linker  # its units are keys of survivors, its owners those of the units that hold the aliases
    names: Names
    version: str
    seconds: float  # to read it from the database


_lock = Lock()
_current: Gazetteer | None = None
_checked_at = float("-inf")  # monotonic seconds


def current_gazetteer(*, max_age: float = POLL_SECONDS) -> Gazetteer:
    """The gazetteer, at most ``max_age`` seconds behind the database. Zero where what is found gets stored.

    One cheap query finds out whether anything changed; only then are the aliases read again. While one thread does
    either, the others go on with the former gazetteer, unless ``max_age`` is zero. One that takes long to read is read
    by a thread of its own, and may be that much older.
    """
    present = _fresh(max_age)
    if present is None and not _lock.acquire(blocking=False):
        present = _current if max_age > 0 else None
        if present is None:
            # Whoever holds the lock needs a connection, and may be waiting for this one.
            release_connection()
            _lock.acquire()
    if present is not None:
        return present
    release = True
    try:
        # Whoever held the lock may have asked meanwhile.
        present = _fresh(max_age) or _unchanged()
        if present is None and _current is not None and max_age > 0 and _current.seconds > PATIENCE_SECONDS:
            present, release = _current, False
            Thread(target=_read_beside, name="gazetteer", daemon=True).start()
        return present or _read()
    finally:
        if release:
            _lock.release()


def _unchanged() -> Gazetteer | None:
    """The gazetteer if it still is what the database has; only for the holder of the lock."""
    global _checked_at
    now, version = time.monotonic(), _version()
    if _current is None or _current.version != version:
        return None
    _checked_at = now
    return _current


def _read() -> Gazetteer:
    """The gazetteer as it is now; only for the holder of the lock."""
    global _current, _checked_at
    now, version = time.monotonic(), _version()
    names = Names()

    def specs() -> Iterator[AliasSpec]:
        for unit in linkable_units().iterator(chunk_size=UNITS_AT_ONCE):
            names.add(unit)
            yield from specs_of(unit, unit.aliases.all())

    linker = Linker(specs())
    names.pack()
    _current = Gazetteer(linker, names, version, time.monotonic() - now)
    _checked_at = now
    return _current


def _read_beside() -> None:
    """Read the gazetteer in a thread of its own, which takes over the lock."""
    try:
        _read()
    except Exception:  # whatever it was, the next who asks tries again
        _log.exception("the gazetteer could not be read; the former one stays")
    finally:
        _lock.release()
        release_connection()


def _fresh(max_age: float) -> Gazetteer | None:
    return _current if time.monotonic() - _checked_at < max_age else None


def norms_of(unit: Unit) -> set[str]:
    """Every norm by which texts may call the unit, active or not, those of units merged into it included."""
    names = Alias.names.filter(unit__in=Unit.objects.family(unit)).exclude(norm="")
    return set(names.exclude(is_label=True, unit_type=UnitType.EVENT).values_list("norm", flat=True))


def linkable_units() -> UnitQuerySet:
    """Published units, and units merged into published ones, whose names speak for the survivor."""
    published = Q(status=Status.PUBLISHED, merged_into__isnull=True)
    merged = Q(merged_into__status=Status.PUBLISHED) & ~Q(status=Status.RETRACTED)
    units = Unit.objects.filter(published | merged)
    names = Prefetch("aliases", Alias.names.linked().order_by("is_label", "pk"))
    return units.prefetch_related(names).order_by("pk")


def specs_of(unit: Unit, aliases: Iterable[Alias]) -> Iterator[AliasSpec]:
    """A unit's names as the linker takes them; nobody has judged a label."""
    for alias in aliases:
        yield AliasSpec(
            unit=unit.merged_into_id or unit.pk,
            surface=alias.surface,
            case_sensitive=None if alias.is_label else alias.case_sensitive,
            ambiguous=None if alias.is_label else alias.ambiguous,
            blocked_contexts=tuple(map(str, alias.blocked_contexts or ())),
            kind=unit.type,
            owner=unit.pk,
        )


def _version() -> str:
    with connection.cursor() as cursor:
        cursor.execute(_VERSION)
        row = cursor.fetchone()
    return str(row[0])


def _forget(**_kwargs: Any) -> None:
    """This process changed a unit or an alias: ask the database before the next use."""
    global _checked_at
    _checked_at = float("-inf")


# A signal names the proxy that was saved, so each of them is listened to.
_WRITTEN: tuple[type[Model], ...] = (Alias, Unit, *Unit.__subclasses__())
for _model in _WRITTEN:
    post_save.connect(_forget, sender=_model, dispatch_uid=f"gazetteer-saved-{_model.__name__}")
    post_delete.connect(_forget, sender=_model, dispatch_uid=f"gazetteer-deleted-{_model.__name__}")
