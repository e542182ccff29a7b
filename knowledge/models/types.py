"""The types of unit: what everything else about units is said by."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class UnitType(models.TextChoices):
    ASSET = "asset", _("자산")
    CREATOR = "creator", _("크리에이터")
    COMPANY = "company", _("기업")
    ORGANISATION = "organisation", _("기관")
    PERSON = "person", _("인물")
    PRODUCT = "product", _("제품")
    TOPIC = "topic", _("주제")
    EVENT = "event", _("사건")


ENTITY_TYPES = tuple(kind for kind in UnitType if kind not in (UnitType.TOPIC, UnitType.EVENT))
