"""Where a unit's pages are at the desk: each kind has its own."""

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from knowledge.models import Unit, UnitType

_MODELS = {UnitType.TOPIC.value: "topic", UnitType.EVENT.value: "event"}


def desk_url(unit: Unit, page: str = "change", *more: object) -> str:
    """The address of a unit's ``change``, ``history``, ``status``, ``merge`` or ``split`` page."""
    return reverse(f"admin:knowledge_{_MODELS.get(unit.type, 'entity')}_{page}", args=[unit.pk, *more])


def link(url: str, text: object) -> SafeString:
    return format_html('<a href="{}">{}</a>', url, text)
