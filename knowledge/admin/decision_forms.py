"""The forms of decisions about a unit: which unit it is merged into, which names leave it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.admin.sites import AdminSite
from django.contrib.admin.widgets import AutocompleteSelect
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from knowledge.curation import NewUnit
from knowledge.models import Alias, Unit, UnitMerge

NOTE_MAX_LENGTH = 300
lowercase_slug = RegexValidator(r"^[a-z0-9][a-z0-9-]*$", _("소문자, 숫자, 붙임표만 쓸 수 있습니다."))


class OtherUnitForm(forms.Form):
    """Another unit, picked from a list as one types or, without script, by its public id."""

    asked_for = _("단위")
    into = forms.ModelChoiceField(Unit.objects, label=_("단위"), required=False)
    public_id = forms.CharField(
        label=_("또는 공개 id"), required=False, max_length=120, help_text=_("asset:btc 같은 꼴입니다.")
    )

    def __init__(self, site: AdminSite, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Nobody scrolls through all units: the list is filled as one types.
        widget = AutocompleteSelect(UnitMerge._meta.get_field("survivor"), site)
        widget.is_required = False
        field = self.fields["into"]
        widget.choices = field.choices  # type: ignore[attr-defined]
        field.widget = widget
        field.label = self.asked_for

    def clean_public_id(self) -> str:
        public_id: str = self.cleaned_data["public_id"].strip()
        if public_id and Unit.objects.find(public_id) is None:
            raise forms.ValidationError(_("그런 단위가 없습니다."))
        return public_id

    @property
    def unit(self) -> Unit | None:
        """The unit that was named; of a valid form."""
        picked: Unit | None = self.cleaned_data["into"]
        if picked is None and self.cleaned_data.get("public_id"):
            picked = Unit.objects.find(self.cleaned_data["public_id"])
        return picked


class MergeForm(OtherUnitForm):
    """The survivor of a merge, and why."""

    asked_for = _("남을 단위")
    note = forms.CharField(label=_("메모"), required=False, max_length=NOTE_MAX_LENGTH)

    def clean(self) -> dict[str, Any]:
        if not self.errors and self.unit is None:
            raise forms.ValidationError(_("남을 단위를 고르세요."))
        return self.cleaned_data


class SplitForm(OtherUnitForm):
    """The names that leave a unit, and the unit they go to: one that exists or a new one."""

    asked_for = _("옮겨 갈 단위")
    aliases = forms.ModelMultipleChoiceField(
        Alias.objects.none(), label=_("옮길 별칭"), widget=forms.CheckboxSelectMultiple
    )
    label = forms.CharField(label=_("새 단위의 이름"), required=False, max_length=200)
    slug = forms.SlugField(
        label=_("새 단위의 슬러그"), required=False, max_length=96, validators=[lowercase_slug]
    )
    public = forms.BooleanField(label=_("새 단위를 바로 공개"), required=False)
    field_order = ("aliases", "into", "public_id", "label", "slug", "public")

    def __init__(self, site: AdminSite, unit: Unit, *args: Any, may_publish: bool, **kwargs: Any) -> None:
        super().__init__(site, *args, **kwargs)
        self.fields["aliases"].queryset = unit.aliases.order_by("surface")  # type: ignore[attr-defined]
        if not may_publish:
            del self.fields["public"]

    def clean(self) -> dict[str, Any]:
        if self.errors:
            return self.cleaned_data
        named = bool(self.cleaned_data["label"] and self.cleaned_data["slug"])
        if (self.unit is None) != named:
            raise forms.ValidationError(_("있는 단위를 고르거나, 새 단위의 이름과 슬러그를 함께 적으세요."))
        return self.cleaned_data

    @property
    def target(self) -> Unit | NewUnit:
        """Where the names go; of a valid form."""
        data = self.cleaned_data
        return self.unit or NewUnit(data["label"], data["slug"], public=data.get("public", False))
