"""Names for fields that have no label of their own: those in a table's cells, whose head shows their names to the eye
alone, and the date and the time of a moment."""

from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminSplitDateTime
from django.db.models import DateTimeField
from django.utils.translation import gettext_lazy as _


class _Labelled:
    """Of a formset: its fields say their names to screen readers."""

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)  # type: ignore[misc]
        for field in form.fields.values():
            widget = getattr(
                field.widget, "widget", field.widget
            )  # inside the links to add or change a related row
            if not widget.is_hidden:
                widget.attrs.setdefault("aria-label", field.label)


def with_labels(formset: type) -> Any:
    """A formset class like this one, whose fields say their names."""
    return type(formset.__name__, (_Labelled, formset), {})


class LabelledFields:
    """Of an inline that is a table."""

    def get_formset(self, *arguments: Any, **options: Any) -> Any:
        return with_labels(super().get_formset(*arguments, **options))  # type: ignore[misc]


class DateAndTime(AdminSplitDateTime):
    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs)
        for widget, name in zip(self.widgets, (_("날짜"), _("시각")), strict=True):
            widget.attrs["aria-label"] = name


# For ``formfield_overrides``.
MOMENTS: dict[Any, dict[str, Any]] = {
    DateTimeField: {"form_class": forms.SplitDateTimeField, "widget": DateAndTime}
}
