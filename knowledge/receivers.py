"""What follows from an editor's change: stored documents are linked again, by the worker, once it is committed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models.signals import post_delete, post_save, pre_save
from django.dispatch import receiver

from knowledge import tasks
from knowledge.models import Alias, Unit
from knowledge.signals import unit_merged, unit_published, unit_retracted, unit_unmerged


def relink_later(norms: Iterable[str]) -> None:
    # A broker that is away must not undo an edit; the nightly task links whatever was missed.
    transaction.on_commit(partial(tasks.relink.delay, sorted(norms)), robust=True)


@receiver(pre_save, sender=Alias, dispatch_uid="knowledge.alias_before")
def remember_former_norm(instance: Alias, **kwargs: Any) -> None:
    former = Alias.objects.filter(pk=instance.pk).values_list("norm", flat=True).first() if instance.pk else None
    instance._former_norm = former  # type: ignore[attr-defined]


@receiver(post_save, sender=Alias, dispatch_uid="knowledge.alias_saved")
def relink_changed_alias(instance: Alias, **kwargs: Any) -> None:
    former: str | None = instance._former_norm  # type: ignore[attr-defined]
    relink_later({instance.norm, former} - {None} if former else {instance.norm})


@receiver(post_delete, sender=Alias, dispatch_uid="knowledge.alias_deleted")
def relink_deleted_alias(instance: Alias, **kwargs: Any) -> None:
    relink_later({instance.norm})


@receiver(unit_published, dispatch_uid="knowledge.unit_published")
@receiver(unit_retracted, dispatch_uid="knowledge.unit_retracted")
def relink_unit(unit: Unit, **kwargs: Any) -> None:
    transaction.on_commit(partial(tasks.relink_unit.delay, unit.pk), robust=True)


@receiver(unit_merged, dispatch_uid="knowledge.unit_merged")
@receiver(unit_unmerged, dispatch_uid="knowledge.unit_unmerged")
def relink_both(loser: Unit, survivor: Unit, **kwargs: Any) -> None:
    for unit in (loser, survivor):
        relink_unit(unit)
