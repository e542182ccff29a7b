"""Publishing and retracting pulses."""

from __future__ import annotations

from django.db import transaction

from knowledge.models import Pulse, Status


@transaction.atomic
def set_status(pulse: Pulse, status: Status) -> None:
    """Bring a pulse to ``status``. The detector, which may write the same row, keeps whatever stands."""
    held = Pulse.objects.select_for_update().get(pk=pulse.pk)
    held.status = status
    held.save(update_fields=["status"])
