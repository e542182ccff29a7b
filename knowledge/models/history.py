"""Who changed what, when: one record a change, whichever class of a model it is saved through."""

from typing import Any

from django.db import models
from django.db.models.signals import post_delete, post_save, pre_delete
from simple_history.models import HistoricalRecords


class Changes(HistoricalRecords):  # type: ignore[misc]
    """The history of a model, its proxies' saves included, in one table.

    Django sends signals by the exact class that was saved, so a listener on ``Unit`` never hears of an ``Entity``.
    A save that changes nothing leaves no record; neither does ``update()``, by which machines keep counts.
    ``excluded`` are fields that follow from others or that machines write.
    """

    def __init__(self, named: Any, *, excluded: tuple[str, ...] = (), **kwargs: Any) -> None:
        super().__init__(
            verbose_name=named,
            verbose_name_plural=named,
            excluded_fields=excluded,
            history_id_field=models.BigAutoField(),
            history_change_reason_field=models.CharField(max_length=60, null=True),
            **kwargs,
        )

    def finalize(self, sender: type[models.Model], **kwargs: Any) -> None:
        if sender is not self.cls and sender._meta.proxy and sender._meta.concrete_model is self.cls:
            post_save.connect(self.post_save, sender=sender, weak=False)
            post_delete.connect(self.post_delete, sender=sender, weak=False)
            pre_delete.connect(self.pre_delete, sender=sender, weak=False)
            sender._meta.simple_history_manager_attribute = self.manager_name  # type: ignore[attr-defined]
        else:
            super().finalize(sender, **kwargs)

    def create_historical_record(self, instance: models.Model, history_type: str, using: Any = None) -> None:
        records = getattr(instance, self.manager_name)
        names = [field.attname for field in records.model.tracked_fields]
        now = {name: getattr(instance, name) for name in names}
        if history_type != "~" or records.values(*names).first() != now:
            super().create_historical_record(instance, history_type, using=using)
