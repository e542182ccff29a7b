"""Relations: within the page of the unit that they begin at, and as a list of their own with history and files."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from knowledge.admin.exchange import ExchangeAdmin
from knowledge.admin.history import HistoryAdmin
from knowledge.admin.labels import LabelledFields
from knowledge.exchange.resources import RelationResource
from knowledge.models import Relation, Unit

ENDS = ("subject__label", "subject__slug", "object__label", "object__slug")


class RelationForm(forms.ModelForm[Relation]):
    """Which two units, how and since when stays once it is saved: files and the canon know a relation by these. A wrong
    one is withdrawn and another written."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            for name in {"subject", "kind", "object", "started"}.intersection(self.fields):
                self.fields[name].disabled = True


class RelationInline(LabelledFields, admin.TabularInline[Relation, Unit]):
    """Relations from this unit; those to it are edited at their subject. Withdrawn, never deleted."""

    model = Relation
    form = RelationForm
    fk_name = "subject"
    autocomplete_fields = ("object",)
    fields = ("kind", "object", "started", "ended", "reference", "withdrawn")
    extra = 0
    can_delete = False
    show_change_link = True


@admin.register(Relation)
class RelationAdmin(HistoryAdmin, ExchangeAdmin):
    resource_classes: ClassVar[list[Any]] = [RelationResource]
    form = RelationForm
    list_display = ("subject", "kind", "object", "started", "ended", "withdrawn")
    list_filter = ("kind", "withdrawn")
    list_select_related = ("subject", "object")
    search_fields = ENDS
    autocomplete_fields = ("subject", "object")
    fields = (("subject", "kind", "object"), ("started", "ended"), "reference", "withdrawn")
    ordering = ("-pk",)
    list_per_page = 50
    show_full_result_count = False

    def has_delete_permission(self, request: HttpRequest, obj: Relation | None = None) -> bool:
        # Withdrawn instead: what is deleted the loader of the canon would bring back.
        return False
