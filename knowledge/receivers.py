"""What follows from an editor's change: stored documents are linked again, by the worker, once it is committed."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import transaction
from django.db.models import Model
from django.db.models.signals import post_delete, post_save, pre_save
from django.dispatch import receiver

from knowledge import tasks
from knowledge.ingestion import relinking
from knowledge.linking.gazetteer import ask_anew, norms_of
from knowledge.models import Alias, Source, Unit
from knowledge.normalise import normalise_alias
from knowledge.signals import unit_merged, unit_published, unit_retracted, unit_unmerged

# What decides how a source's answer is read: after a change the last answer is news again.
READ_BY = ("url", "adapter", "settings", "lang", "naive_timezone", "crypto", "requires_unit")

_gathered: ContextVar[set[str] | None] = ContextVar("gathered_norms", default=None)


def relink_later(norms: Iterable[str]) -> None:
    """The request is stored with the edit; the task that follows makes it quick.

    A broker that is away must not undo an edit or show the editor an error: beat sends the task each minute as well.
    """
    ask_anew()  # rows that are written in bulk send no signal
    gathered = _gathered.get()
    if gathered is not None:
        gathered.update(norms)
        return
    relinking.request(norms)
    # A bound method has no name, and Django names what failed.
    transaction.on_commit(lambda: tasks.relink.delay(), robust=True)


@contextmanager
def gathered_relinking() -> Iterator[set[str]]:
    """Many changes in one go: thousands of aliases, and the documents are read once rather than for each.

    Put it around the transaction. It gives the norms gathered so far, to be cleared when nothing was stored.
    """
    gathered: set[str] = set()
    token = _gathered.set(gathered)
    try:
        yield gathered
    finally:
        _gathered.reset(token)
    if gathered:
        relink_later(gathered)


@receiver(pre_save, sender=Alias, dispatch_uid="knowledge.alias_before")
def remember_former_norm(instance: Alias, **kwargs: Any) -> None:
    former = Alias.objects.filter(pk=instance.pk) if instance.pk else Alias.objects.none()
    instance._former_norms = set(former.values_list("norm", flat=True))  # type: ignore[attr-defined]


@receiver((post_save, post_delete), sender=Alias, dispatch_uid="knowledge.alias_changed")
def relink_changed_alias(instance: Alias, **kwargs: Any) -> None:
    relink_later({instance.norm, *getattr(instance, "_former_norms", ())})


def remember_former_label(instance: Unit, update_fields: Iterable[str] | None, **kwargs: Any) -> None:
    renaming = update_fields is None or "label" in update_fields
    label = Alias.names.filter(unit=instance.pk, is_label=True) if renaming else Alias.names.none()
    instance._former_norms = set(label.values_list("norm", flat=True))  # type: ignore[attr-defined]


def relink_renamed_unit(instance: Unit, **kwargs: Any) -> None:
    former: set[str] = instance._former_norms  # type: ignore[attr-defined]
    norm = normalise_alias(instance.label)
    if former and former != {norm}:
        relink_later((former | {norm}) - {""})


# A signal names the proxy that was saved, so each of them is listened to.
_UNITS: tuple[type[Model], ...] = (Unit, *Unit.__subclasses__())
for _model in _UNITS:
    pre_save.connect(remember_former_label, sender=_model, dispatch_uid=f"knowledge.{_model.__name__}_before")
    post_save.connect(relink_renamed_unit, sender=_model, dispatch_uid=f"knowledge.{_model.__name__}_saved")


@receiver(unit_published, dispatch_uid="knowledge.unit_published")
@receiver(unit_retracted, dispatch_uid="knowledge.unit_retracted")
def relink_unit(unit: Unit, **kwargs: Any) -> None:
    relink_later(norms_of(unit))


@receiver(unit_merged, dispatch_uid="knowledge.unit_merged")
@receiver(unit_unmerged, dispatch_uid="knowledge.unit_unmerged")
def relink_both(loser: Unit, survivor: Unit, **kwargs: Any) -> None:
    relink_later(norms_of(loser) | norms_of(survivor))


@receiver(pre_save, sender=Source, dispatch_uid="knowledge.source_before")
def forget_validators(instance: Source, update_fields: Iterable[str] | None, **kwargs: Any) -> None:
    """A source that is read otherwise from now on is read at once, and in full."""
    if update_fields is not None or instance.pk is None:
        return
    former = Source.objects.filter(pk=instance.pk).values(*READ_BY).first()
    if former is not None and former != {name: getattr(instance, name) for name in READ_BY}:
        instance.etag = instance.last_modified = instance.body_sha256 = ""
        instance.next_fetch_at = None
