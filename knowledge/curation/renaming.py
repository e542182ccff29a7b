"""A changed label. It is an alias without a row, so its change is one of aliases."""

from __future__ import annotations

from knowledge.linking.normalise import normalise_alias
from knowledge.models import Unit
from knowledge.signals import unit_renamed


def renamed(unit: Unit, former_label: str) -> None:
    """Say that a unit's label was ``former_label`` until now; nothing follows where texts read both alike."""
    norms = {normalise_alias(former_label), normalise_alias(unit.label)}
    if len(norms) > 1:
        unit_renamed.send(Unit, unit=unit, norms=norms - {""})
