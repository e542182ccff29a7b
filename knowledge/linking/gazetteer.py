"""The aliases of the knowledge base as one linker a process, built again when they change."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import inf
from threading import Lock, Thread
from typing import Any

from django.db import connection
from django.db.models import BooleanField, F, Model, Prefetch, Q, TextField, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import StrIndex
from django.db.models.signals import post_delete, post_save

from knowledge.linking.automaton import AliasSpec
from knowledge.linking.linker import Linker
from knowledge.linking.names import Names
from knowledge.models import Alias, Series, Status, Unit, UnitType
from knowledge.models.documents import Squeezed
from knowledge.models.units import UnitQuerySet
from knowledge.normalise import fold, normalise_alias
from knowledge.postgres.base import release_connection

POLL_SECONDS = 1.0  # how late another process's change of aliases may be noticed
PATIENCE_SECONDS = 0.5  # a gazetteer that took longer, or that was never read, is read by a thread of its own
SHORT_TEXT = 300  # characters: of 100,000 units the database finds those in it in .1 to .3 s (0018)
UNITS_AT_ONCE = 2_000
_log = logging.getLogger(__name__)

# The stamps of the last changes of names, as triggers write them: no content is read. A number would not do: that of a
# change which was rolled back, after this process had seen it, would come again with another change.
_VERSION = "SELECT coalesce(string_agg(stamp::text, ' ' ORDER BY slot), '') FROM knowledge_vocabulary_stamp"
_PHRASE_OCCURS = (
    "EXISTS (SELECT FROM unnest(asked_as) phrase"
    " WHERE strpos(%s, rtrim(knowledge_squeezed(phrase), '?')) > 0)"
)
STORED_VERSION = RawSQL(_VERSION, ())  # noqa: S611  a constant


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


def current_gazetteer(text: str | None = None) -> Gazetteer:
    """The gazetteer at hand: a second behind the database, or as old as reading the next one takes.

    One cheap query a second finds out whether anything changed. A gazetteer that takes long to read is read by a thread
    of its own, and nobody waits for it. Where a process has none yet, a short ``text`` gets one of the names that may
    occur in it; whoever has a long text, or none, waits for the first.
    """
    if (present := _fresh()) is not None:
        return present
    if _lock.acquire(blocking=False):
        try:
            # Whoever held the lock may have asked meanwhile.
            if (present := _fresh() or _unchanged()) is not None:
                return present
            if (_current.seconds if _current else inf) <= PATIENCE_SECONDS:
                return _read()
        finally:
            _lock.release()
        Thread(target=read_beside, args=(_read, _lock), name="gazetteer", daemon=True).start()
    if _current is not None:
        return _current
    if text is not None and len(text) <= SHORT_TEXT:
        return _made(units_that_may_occur(text))
    release_connection()
    with _lock:
        return _current or _read()


def gazetteer_at_hand() -> Gazetteer | None:
    """The gazetteer that this process read last, without a look at the database; None until it has read any."""
    return _current


def version_at_hand() -> str:
    """Which names ``gazetteer_at_hand`` has: what was read by them may be kept under it. Empty before the first."""
    return _current.version if _current is not None else ""


def newest_gazetteer() -> Gazetteer:
    """The gazetteer as the database has it now, however long it takes to read: for what has to be exact."""
    # Whoever holds the lock needs a connection, and may be waiting for this one.
    release_connection()
    with _lock:
        return _unchanged() or _read()


def _unchanged() -> Gazetteer | None:
    """The gazetteer if it still is what the database has; only for the holder of the lock."""
    global _checked_at
    now = time.monotonic()
    if _current is None or _current.version != _version():
        return None
    _checked_at = now
    return _current


def _read() -> Gazetteer:
    """The gazetteer as it is now; only for the holder of the lock."""
    global _current, _checked_at
    now = time.monotonic()
    _current = _made(linkable_units())
    _checked_at = now
    return _current


def read_beside(read: Callable[[], object], lock: Lock) -> None:
    """Read, unless another thread holds the lock; for a thread of its own, which keeps no connection."""
    if lock.acquire(blocking=False):
        try:
            read()
        except Exception:  # whatever it was, the next who asks tries again
            _log.exception("the names could not be read; the former ones stay")
        finally:
            lock.release()
            release_connection()


def _made(units: UnitQuerySet) -> Gazetteer:
    """A gazetteer of these units. Its version is read before its names: they may be newer, and never older."""
    began, version = time.monotonic(), _version()
    names = Names()

    def specs() -> Iterator[AliasSpec]:
        for unit in units.iterator(chunk_size=UNITS_AT_ONCE):
            names.add(unit)
            yield from specs_of(unit, unit.linked)

    linker = Linker(specs())
    # Names of series are for those who look for a number: what a text means by them is for its other names to say.
    for series in Series.objects.select_related("holder"):
        names.add_series(series)
    names.pack()
    return Gazetteer(linker, names, version, time.monotonic() - began)


def _fresh() -> Gazetteer | None:
    return _current if time.monotonic() - _checked_at < POLL_SECONDS else None


def norms_of(unit: Unit) -> set[str]:
    """Every norm by which texts may call the unit, active or not, those of units merged into it included."""
    names = Alias.names.filter(unit__in=Unit.objects.family(unit)).exclude(norm="")
    return set(names.exclude(is_label=True, unit_type=UnitType.EVENT).values_list("norm", flat=True))


def linkable_units() -> UnitQuerySet:
    """Published units, and units merged into published ones, whose names speak for the survivor (``linked``)."""
    published = Q(status=Status.PUBLISHED, merged_into__isnull=True)
    merged = Q(merged_into__status=Status.PUBLISHED) & ~Q(status=Status.RETRACTED)
    units = Unit.objects.filter(published | merged).only(
        "type", "slug", "label", "symbol", "asked_as", "merged_into"
    )
    names = Prefetch("aliases", Alias.names.linked().order_by("is_label", "pk"), to_attr="linked")
    return units.prefetch_related(names).order_by("pk")  # type: ignore[no-redef]


def units_that_may_occur(text: str, *, always: int = 0) -> UnitQuerySet:
    """The linkable units of which any name or phrase occurs in ``text``, spaces aside, the one ``always``, and their
    families."""
    haystack = Value(normalise_alias(fold(text).cased), output_field=TextField())
    names = Alias.names.exclude(norm="").alias(at=StrIndex(haystack, F("norm"))).filter(at__gt=0)
    has_symbol = ~Q(symbol="") & Q(at__gt=0)
    units = Unit.objects.alias(at=StrIndex(haystack, Squeezed("symbol")))
    asked = RawSQL(_PHRASE_OCCURS, (haystack.value,), output_field=BooleanField())  # noqa: S611  a constant
    named = units.filter(Q(pk__in=names.values("unit")) | has_symbol | Q(asked) | Q(pk=always))
    keys = {key for pair in named.values_list("pk", "merged_into") for key in pair if key is not None}
    return linkable_units().families(keys)


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


def ask_anew(**_kwargs: Any) -> None:
    """This process changed a unit, an alias or a series: ask the database before the next use. Whoever writes them
    without signals calls it."""
    global _checked_at
    _checked_at = float("-inf")


# A signal names the proxy that was saved, so each of them is listened to.
_WRITTEN: tuple[type[Model], ...] = (Alias, Series, Unit, *Unit.__subclasses__())
for _model in _WRITTEN:
    post_save.connect(ask_anew, sender=_model, dispatch_uid=f"gazetteer-saved-{_model.__name__}")
    post_delete.connect(ask_anew, sender=_model, dispatch_uid=f"gazetteer-deleted-{_model.__name__}")
