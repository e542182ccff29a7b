"""Creators by themselves: who publishes what the desk's editors let in."""

from __future__ import annotations

from typing import ClassVar

from django.utils.translation import gettext_lazy as _

from knowledge.models.units import Unit, UnitManager, UnitType


class Creator(Unit):
    """An entity of the type creator, as a list of its own."""

    objects: ClassVar[UnitManager] = UnitManager(UnitType.CREATOR)

    class Meta:
        proxy = True
        # Who may look at units may look at creators; see the desk.
        default_permissions = ()
        verbose_name = verbose_name_plural = _("크리에이터")
