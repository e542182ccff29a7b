"""Pages of the desk: where they are, and what those that Django does not make have in common."""

from typing import Any

from django.contrib.admin import ModelAdmin
from django.db.models import Model
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from knowledge.models import Unit, UnitType

_MODELS = {UnitType.TOPIC.value: "topic", UnitType.EVENT.value: "event"}


def admin_url(model: type[Model] | Model, name: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}", args=args)


def desk_url(unit: Unit, page: str = "change", *more: object) -> str:
    """The address of a unit's ``change``, ``history``, ``status``, ``merge`` or ``split`` page, by its kind."""
    return reverse(f"admin:knowledge_{_MODELS.get(unit.type, 'entity')}_{page}", args=[unit.pk, *more])


def link(url: str, text: object) -> SafeString:
    return format_html('<a href="{}">{}</a>', url, text)


def own_page(
    model_admin: ModelAdmin[Any], request: HttpRequest, template: str, context: dict[str, Any]
) -> TemplateResponse:
    """A page of ours in the desk's frame; ``context`` holds its ``title``."""
    frame = {**model_admin.admin_site.each_context(request), "opts": model_admin.opts}
    return TemplateResponse(request, f"admin/{template}", frame | context)
